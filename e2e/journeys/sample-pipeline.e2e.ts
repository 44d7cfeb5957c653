/**
 * The main task of a newcomer: sign in, run the sample repository's pipeline, watch its log live.
 */
import type { Repo } from '@flightdeck/api'
import { expectStatus, signIn, startBuild } from '../support/person.ts'
import { expect, test } from '../support/product.ts'

test.setTimeout(120_000)

test('a newcomer signs in, starts the sample pipeline and reads its log as it is written', async ({ page, start }) => {
  const server = await start()
  await signIn(page, server.origin)

  const answer = await page.request.get(`${server.origin}/api/user/repos?latest=true`)
  const [sample] = (await answer.json()) as Repo[]
  expect(sample?.active).toBe(true)
  const slug = sample?.slug ?? ''

  await test.step('the dashboard links to the repository', async () => {
    await page.locator(`main a[href="/${slug}"]`).first().click()
    await expect(page).toHaveURL(`${server.origin}/${slug}`)
    await expect(page.getByRole('link', { name: 'Deployments' })).toBeVisible()
  })

  await test.step('New Build starts the three pipelines', async () => {
    await startBuild(page)
    await page.goto(`${server.origin}/${slug}/1`)
    await expect(page.getByText('3 stages')).toBeVisible()
  })

  await test.step('the console follows the slow step', async () => {
    const build = await waitForSlowStep(page, `${server.origin}/api/repos/${slug}/builds/1`)
    await page.goto(`${server.origin}/${slug}/1/${build.stage}/${build.step}`)
    await expect(page.getByText('Step is running...')).toBeVisible()
    const lines = page.getByRole('log').locator('[data-line]').or(page.getByRole('log').getByRole('row'))
    const before = await lines.count()
    await expect.poll(() => lines.count(), { timeout: 20_000 }).toBeGreaterThan(before + 2)
  })

  await test.step('it ends without a reload, and the saved log stays', async () => {
    await expect(page.getByText('Exit Code 0')).toBeVisible({ timeout: 60_000 })
    await expectStatus(page.locator('main'), 'success')
    await page.reload()
    await expect(page.getByText('Exit Code 0')).toBeVisible()
    await expect(page.getByRole('log')).toContainText(/\S/)
  })
})

test('after New Build a newcomer sees the log move without another click, from step to step to the end @system', async ({
  page,
  start,
}) => {
  const server = await start()
  await signIn(page, server.origin)
  await page.getByRole('main').getByRole('link', { name: /hello/ }).last().click()
  await startBuild(page)
  const log = page.getByRole('log')
  await test.step('lines come in', async () => {
    await expect(log).toContainText(/\d+ of 40/, { timeout: 30_000 })
    const before = await log.innerText()
    await expect.poll(() => log.innerText()).not.toBe(before)
  })
  await test.step('the URL is that of the step, and Back leaves the page', async () => {
    await expect(page).toHaveURL(/\/1\/2\/\d+$/)
  })
  await test.step('the pipeline that depends on both starts automatically', async () => {
    await expect(log).toContainText('Everything passed.', { timeout: 60_000 })
    await expectStatus(page.locator('main'), 'success')
    await expect(page).toHaveURL(/\/1\/3\/\d+$/)
  })
  await page.goBack()
  await expect(page.getByRole('heading', { name: 'Executions' })).toBeVisible()
})

/** The slow step of the sample, once it is running. */
async function waitForSlowStep(page: import('@playwright/test').Page, url: string) {
  let found: { stage: number; step: number } | undefined
  await expect
    .poll(
      async () => {
        const build = (await (await page.request.get(url)).json()) as import('@flightdeck/api').Build
        for (const stage of build.stages ?? []) {
          const step = stage.steps?.find(
            (candidate) => candidate.status === 'running' && candidate.name === 'twenty seconds',
          )
          if (step) found = { stage: stage.number, step: step.number }
        }
        return found !== undefined
      },
      { timeout: 30_000 },
    )
    .toBe(true)
  return found ?? { stage: 1, step: 1 }
}
