/** Every screen is valid where a browser says nothing: what may stand in what, ids that are there once, a quiet console. */
import type { Page } from '@playwright/test'
import { choose, data, expect, ok, question, test, withBuild } from '../support/screens.ts'
import { full, ownScreens, screens } from '../support/tour.ts'

/** Blocks in elements that hold text only (HTML, "Phrasing content"), controls in controls, and ids that occur twice. */
const faultsOf = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const blocks = [
      'address, article, aside, blockquote, details, dialog, div, dl, fieldset, figure, footer, form, h1, h2, h3, h4, h5, h6',
      'header, hr, li, main, nav, ol, p, pre, section, table, ul',
    ].join()
    const texts = [
      'button',
      'span',
      'p',
      'h1',
      'h2',
      'h3',
      'h4',
      'h5',
      'h6',
      'label',
      'code',
      'bdi',
      'em',
      'summary',
      'pre',
    ]
    const controls = 'a[href], button, input, select, textarea, [tabindex]'
    const said = (element: Element): string => element.outerHTML.slice(0, 160)
    const nested = texts
      .flatMap((text) => [...document.querySelectorAll(`${text} :is(${blocks})`)])
      .map((element) => `${element.tagName} in ${element.parentElement?.tagName}: ${said(element)}`)
    const held = [...document.querySelectorAll(`:is(a[href], button) :is(${controls})`)].map(
      (element) => `control in a control: ${said(element)}`,
    )
    const lists = [...document.querySelectorAll(':is(ul, ol) > :not(li, script, template)')].map(
      (element) => `no li in a list: ${said(element)}`,
    )
    const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id)
    const twice = ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `id twice: ${id}`)
    const missing = [...document.querySelectorAll('[aria-labelledby], [aria-describedby], [aria-controls]')].flatMap(
      (element) =>
        ['aria-labelledby', 'aria-describedby', 'aria-controls']
          .flatMap((name) => (element.getAttribute(name) ?? '').split(/\s+/))
          .filter((id) => id && !document.getElementById(id))
          .map((id) => `no element with id ${id}: ${said(element)}`),
    )
    const links = [...document.querySelectorAll('link[as=""], a[href=""], img[src=""]')].map((element) => said(element))
    return [...new Set([...nested, ...held, ...lists, ...twice, ...missing, ...links])]
  })

/** What the console of the page said of errors and warnings, and which answers were none, since it was made. */
function listen(page: Page): () => string[] {
  const heard: string[] = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) heard.push(`${message.text()} ${message.location().url}`)
  })
  page.on('pageerror', (error) => heard.push(String(error)))
  page.on('response', (response) => {
    if (response.status() >= 400) heard.push(`${response.status()} ${response.url()}`)
  })
  return () => heard.splice(0)
}

for (const width of [1280, 390])
  test(`every screen is well made and quiet at ${width} px`, async ({ page, host, go }) => {
    test.setTimeout(120_000)
    await page.setViewportSize({ width, height: 800 })
    full(host)
      .on(
        'GET /api/runners',
        ok(data.runners({ runners: [data.runner({ builtin: true })], queue: [data.queueItem()] })),
      )
      .on('GET /api/badges/octocat/hello/status.svg', ok(null))
      .on('GET /api/repos/octocat/hello/builds/19/details', ok({ attempts: [] }))
      .on('GET /api/repos/octocat/hello/builds/20/details', ok({ attempts: [] }))
    const heard = listen(page)
    for (const { path, shows } of [...screens, ...ownScreens]) {
      await go(path)
      await expect(page.getByText(shows).filter({ visible: true }).first()).toBeVisible()
      await page.waitForLoadState('networkidle')
      expect.soft(await faultsOf(page), path).toEqual([])
      // A path that could be a repository is asked for before the page says that it is none.
      expect.soft(path.startsWith('/nowhere') ? [] : heard(), path).toEqual([])
      heard()
    }
  })

test('dialogs, menus, views and the search are well made and quiet', async ({ page, host, go }) => {
  test.setTimeout(120_000)
  full(host)
  const heard = listen(page)
  const look = async (name: string) => {
    await page.waitForLoadState('networkidle')
    expect.soft(await faultsOf(page), name).toEqual([])
    expect.soft(heard(), name).toEqual([])
  }
  await go('/octocat/hello')
  await page.getByRole('button', { name: 'New Build' }).click()
  await expect(question(page)).toBeVisible()
  await look('new build')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Search' }).click()
  await page.getByPlaceholder('Search repositories, branches and builds').fill('hello')
  await expect(page.getByText('Found "hello" in Repositories')).toBeVisible()
  await page.waitForLoadState('networkidle')
  // Only our own server searches builds: of another one the page learns it from a 404, once.
  expect(heard().join(' ')).toContain('/api/search?text=hello')
  await look('search')
  await go('/octocat/hello/42')
  await expect(page.getByRole('log')).toContainText('AssertionError: 3 !== 4')
  await look('failed step')
  await page.getByRole('button', { name: 'Find in log' }).click()
  await page.keyboard.type('npm')
  await look('find in log')
  await choose(page, 'Promote')
  await expect(question(page)).toBeVisible()
  await look('deployment')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Graph View' }).click()
  await page.getByRole('region', { name: 'Stage graph' }).getByRole('link', { name: /unit/ }).click()
  await expect(page.getByRole('dialog', { name: 'Step info' })).toBeVisible()
  await look('graph')
})

test('a blocked build with its commands, and one that waits for a runner, are well made and quiet', async ({
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
  const heard = listen(page)
  await go('/octocat/hello/42')
  await page.getByRole('button', { name: 'Show commands' }).click()
  await expect(page.getByRole('region', { name: 'Commands that wait for approval' })).toContainText('make lint')
  expect.soft(await faultsOf(page), 'blocked').toEqual([])
  expect.soft(heard(), 'blocked').toEqual([])
  host
    .on('GET /api/runners', ok(data.runners({ runners: [data.runner({ builtin: true })], queue: [data.queueItem()] })))
    .on('GET /api/repos/octocat/hello/builds/43', ok(data.withoutRunner()))
  await go('/octocat/hello/43')
  await expect(page.getByText('Start Drone’s runner on a Docker host').first()).toBeVisible()
  expect.soft(await faultsOf(page), 'waiting').toEqual([])
  expect.soft(heard(), 'waiting').toEqual([])
})
