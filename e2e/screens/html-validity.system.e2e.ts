/**
 * Dialogs, menus and views have valid HTML and log nothing (for each screen:
 * every-screen.system.e2e.ts).
 */
import { choose, data, expect, ok, openDialog, test, withBuild } from '../support/screens.ts'
import { recordConsole, htmlFaults } from '../support/html-validity.ts'
import { full } from '../support/tour.ts'

test('dialogs, menus, views and the search have valid HTML and log nothing', async ({ page, host, go }) => {
  test.setTimeout(120_000)
  full(host)
  const consoleMessages = recordConsole(page)
  const check = async (name: string) => {
    await page.waitForLoadState('networkidle')
    expect.soft(await htmlFaults(page), name).toEqual([])
    expect.soft(consoleMessages(), name).toEqual([])
  }
  await go('/octocat/hello')
  await page.getByRole('button', { name: 'New Build' }).click()
  await expect(openDialog(page)).toBeVisible()
  await check('new build')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Search' }).click()
  // The request to the server is debounced, so waiting for an idle network is not enough.
  const refused = page.waitForEvent('console', (message) => message.location().url.includes('/api/search'))
  await page.getByPlaceholder('Search repositories, branches and builds').fill('hello')
  await expect(page.getByText('Found "hello" in Repositories')).toBeVisible()
  await refused
  await page.waitForLoadState('networkidle')
  // Only Flightdeck searches builds: with another server, the page learns this from a 404, once.
  expect(consoleMessages().join(' ')).toContain('/api/search?text=hello')
  await check('search')
  await go('/octocat/hello/42')
  await expect(page.getByRole('log')).toContainText('AssertionError: 3 !== 4')
  await check('failed step')
  await page.getByRole('button', { name: 'Find in log' }).click()
  await page.keyboard.type('npm')
  await check('find in log')
  await choose(page, 'Promote')
  await expect(openDialog(page)).toBeVisible()
  await check('deployment')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Graph View' }).click()
  await page.getByRole('region', { name: 'Stage graph' }).getByRole('link', { name: /unit/ }).click()
  await expect(page.getByRole('dialog', { name: 'Step info' })).toBeVisible()
  await check('graph')
})

test('a blocked build with its commands, and one that waits for a runner, have valid HTML and log nothing', async ({
  page,
  host,
  go,
}) => {
  const blocked = data.stage({ name: 'lint', status: 'blocked', started: 0, stopped: 0, steps: [] })
  full(host).on(
    'GET /api/repos/octocat/hello/builds/42/details',
    ok({
      waiting_stages: [{ stage: 'lint', steps: [{ name: 'check', image: 'node', commands: ['make lint'] }] }],
      attempts: [],
    }),
  )
  withBuild(host, data.blocked({ stages: [blocked] }))
  const consoleMessages = recordConsole(page)
  await go('/octocat/hello/42')
  await expect(page.getByRole('region', { name: 'Commands to approve' })).toContainText('make lint')
  expect.soft(await htmlFaults(page), 'blocked').toEqual([])
  expect.soft(consoleMessages(), 'blocked').toEqual([])
  host
    .on('GET /api/runners', ok(data.runners({ runners: [data.runner({ builtin: true })], queue: [data.queueItem()] })))
    .on('GET /api/repos/octocat/hello/builds/43', ok(data.withoutRunner()))
  await go('/octocat/hello/43')
  await expect(page.getByText('Start Drone’s runner on a Docker host').first()).toBeVisible()
  expect.soft(await htmlFaults(page), 'waiting').toEqual([])
  expect.soft(consoleMessages(), 'waiting').toEqual([])
})
