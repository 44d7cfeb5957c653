/**
 * The reason why a stage is waiting, on the real server: immediately, on every screen, and live.
 */
import { join } from 'node:path'
import { activate, signIn } from '../support/person.ts'
import { expect, test } from '../support/product.ts'
import { makeRepository } from '../support/repositories.ts'

const file = 'kind: pipeline\ntype: docker\nname: image\nsteps:\n- name: one\n  image: alpine\n'
const nobody = 'Waiting for a runner of type docker for linux/amd64; none is connected'
const paused = 'The queue is paused'

test('a docker stage without a runner shows the reason, and what an administrator can do', async ({
  page,
  context,
  folder,
  start,
}) => {
  const repos = join(folder, 'repos')
  const rocket = await makeRepository(repos, 'space/rocket', file)
  const server = await start({ repos })
  await signIn(page, server.origin)
  await activate(page, server.origin, rocket.slug)
  const answer = await page.request.post(`${server.origin}/api/repos/${rocket.slug}/builds`)
  expect((await answer.json()) as unknown).toMatchObject({ waiting: { reason: 'runner', text: nobody } })

  await page.goto(`${server.origin}/${rocket.slug}`)
  await expect(page.getByRole('main').getByRole('link', { name: nobody })).toBeVisible()
  await page.goto(server.origin)
  await expect(page.getByRole('region', { name: 'Repositories' }).getByText(nobody)).toBeVisible()
  await page.goto(`${server.origin}/builds-feed`)
  await expect(page.getByRole('main').getByText(nobody)).toBeVisible()

  await page.goto(`${server.origin}/${rocket.slug}/1`)
  const status = page.getByRole('status', { name: 'Build status' })
  await expect(status).toContainText(nobody)
  // The reason is shown once; the console shows what to do, and the specification's text stays.
  await expect(page.getByRole('main').getByText(nobody)).toHaveCount(1)
  const console = page.getByRole('region', { name: 'Console' })
  await expect(console).toContainText('Loading...')

  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const copied = () => page.evaluate(() => navigator.clipboard.readText())
  await page.getByRole('button', { name: 'Copy start command' }).click()
  expect(await copied()).toMatch(/^npm start -- .*--docker$/)
  await page.getByRole('button', { name: 'Copy command' }).click()
  expect(await copied()).toContain(`--env DRONE_RPC_HOST=${new URL(server.origin).host}`)
  await expect(console).toContainText('--rpc-secret-file FILE')
  await expect(page.getByRole('button', { name: 'Show secret' })).toHaveCount(0)

  // Another person pauses the queue: open pages change without a reload.
  const other = await context.newPage()
  await other.goto(`${server.origin}/settings/runners`)
  const runners = other.getByRole('region', { name: 'Runners' })
  await expect(runners).toContainText('Built-in runner')
  await expect(runners).toContainText('type exec')
  await expect(other.getByRole('region', { name: 'Queue' }).getByRole('link')).toContainText(nobody)
  await other.getByRole('button', { name: 'Pause queue' }).click()
  await expect(other.getByRole('main').getByRole('status')).toContainText('The queue is paused')
  await expect(other.getByRole('region', { name: 'Queue' }).getByRole('link')).toContainText(paused)
  await expect(status).toContainText(paused)
  await expect(console.getByRole('region', { name: 'Add a runner' })).toHaveCount(0)
  await other.getByRole('button', { name: 'Resume queue' }).click()
  await expect(status).toContainText(nobody)
  await expect(console.getByRole('region', { name: 'Add a runner' })).toBeVisible()
})
