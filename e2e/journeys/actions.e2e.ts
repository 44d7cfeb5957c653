/** Cancel, restart, and a server that stops. */
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { activate, expectStatus, signIn, startBuild } from '../support/person.ts'
import { expect, test } from '../support/product.ts'
import { makeRepository, pipeline } from '../support/repositories.ts'

test.setTimeout(90_000)

const endless = pipeline({ count: ['i=0; while true; do i=$((i+1)); echo "count $i"; sleep 0.2; done'] })

async function repository(page: Page, folder: string, start: Start, config: string) {
  const repos = join(folder, 'repos')
  const rocket = await makeRepository(repos, 'space/rocket', config)
  const server = await start({ repos })
  await signIn(page, server.origin)
  await activate(page, server.origin, rocket.slug)
  await page.goto(`${server.origin}/${rocket.slug}`)
  return { rocket, server, repos }
}
type Start = Parameters<Parameters<typeof test>[2]>[0]['start']

test(
  'a running build is canceled, ends as killed, and can be restarted @system',
  { tag: '@gateway' },
  async ({ page, folder, start }) => {
    const { server, rocket } = await repository(page, folder, start, endless)
    await startBuild(page)
    await page.goto(`${server.origin}/${rocket.slug}/1/1/2`)
    await expect(page.getByRole('log')).toContainText(/count \d/, { timeout: 30_000 })

    await page.getByRole('button', { name: 'Cancel' }).click()
    await expectStatus(page.locator('main'), 'killed')
    await expect(page.getByRole('button', { name: 'Cancel', exact: true })).toHaveCount(0)
    await page.getByRole('link', { name: /\bcount\b/ }).click()
    await expect(page.getByText('Step is killed (canceled)')).toBeVisible()
    await expect(page.getByRole('log')).toContainText(/count \d/)

    await page.getByRole('button', { name: 'Actions' }).click()
    await page.getByRole('menuitem', { name: 'Restart', exact: true }).click()
    await expect(page).toHaveURL(new RegExp(`/${rocket.slug}/2/1/\\d$`))
    await page.getByRole('link', { name: /\bcount\b/ }).click()
    await expect(page.getByRole('log')).toContainText(/count \d/, { timeout: 30_000 })
    await page.getByRole('button', { name: 'Cancel' }).click()
    await expectStatus(page.locator('main'), 'killed')
  },
)

test('after the server restarts during a build, the page is updated without a reload @system', async ({
  page,
  folder,
  start,
}) => {
  const { server, rocket, repos } = await repository(page, folder, start, endless)
  await startBuild(page)
  await page.goto(`${server.origin}/${rocket.slug}/1/1/2`)
  await expect(page.getByRole('log')).toContainText(/count \d/, { timeout: 30_000 })

  await server.stop()
  await start({ repos, port: Number(new URL(server.origin).port), later: true })

  await expectStatus(page.locator('main'), 'error')
  await expect(page.getByText(/the server was (restarted|stopped)/).first()).toBeVisible()
  // The error is shown above the log, which stays.
  const log = page.getByRole('log')
  await expect(log).toContainText(/: count - Error/)
  await expect(log).toContainText(/count \d/)
  await page.goto(`${server.origin}/${rocket.slug}/1/1/1`)
  await expect(page.getByRole('region', { name: 'Console' }).locator('footer')).toContainText('Exit Code 0')
  await expect(log).not.toContainText('- Error')
})
