/** Text typed right after something was opened goes there, however long its code takes to load. */
import type { Page } from '@playwright/test'
import { data, latch, expect, ok, test, withBuild, withRepo } from '../support/screens.ts'

const placeholder = 'Search repositories, branches and builds'

/** Delays the code of the search results until the test releases it. */
async function withSlowResults(page: Page): Promise<() => void> {
  const { opened, open } = latch()
  await page.route('**/search-found-*.js', async (route) => {
    await opened
    await route.continue()
  })
  return open
}

test('text typed right after a click on Search is in its field, before its results arrive', async ({
  page,
  host,
  go,
}) => {
  host.on('GET /api/user/repos', ok([data.repo({ name: 'login-page' })]))
  const open = await withSlowResults(page)
  await go('/')
  await expect(page.getByText('octocat/login-page').first()).toBeVisible()
  await page.getByRole('button', { name: 'Search' }).click()
  await page.keyboard.type('loginX')
  await page.keyboard.press('Backspace')
  const field = page.getByPlaceholder(placeholder)
  await expect(field).toHaveValue('login')
  await expect(field).toBeFocused()
  await expect(page.getByRole('dialog', { name: 'Search' })).toBeVisible()
  open()
  await expect(page.getByRole('dialog').getByRole('link')).toHaveCount(1)
})

for (const key of ['i', 'c'])
  test(`on a build’s page the search takes all typed text, and ${key} is a letter`, async ({ page, host, go }) => {
    withBuild(host)
    const open = await withSlowResults(page)
    await go('/octocat/hello/42')
    await expect(page.getByRole('button', { name: 'Details' })).toBeVisible()
    await page.getByRole('button', { name: 'Search' }).click()
    await page.keyboard.type(`${key}nfo`)
    await expect(page.getByPlaceholder(placeholder)).toHaveValue(`${key}nfo`)
    open()
    await page.waitForLoadState('networkidle')
    await expect(page.getByRole('dialog')).toHaveCount(1)
    await expect(page.getByPlaceholder(placeholder)).toHaveValue(`${key}nfo`)
    await expect(page).toHaveURL(/\/42$/)
  })

test('Enter and arrows pressed before there are results apply to the results of the typed text', async ({
  page,
  host,
  go,
}) => {
  withRepo(host, { name: 'two' })
  host.on('GET /api/user/repos', ok(['one', 'two', 'tree'].map((name, id) => data.repo({ id, name }))))
  const open = await withSlowResults(page)
  await go('/')
  await expect(page.getByText('octocat/two').first()).toBeVisible()
  await page.keyboard.press('/')
  await page.keyboard.type('t')
  // Text typed afterwards cancels it.
  await page.keyboard.press('Enter')
  await page.keyboard.type('w')
  await page.keyboard.press('Enter')
  open()
  await expect(page).toHaveURL(/\/octocat\/two$/)
  await expect(page.getByRole('dialog')).toHaveCount(0)
  // Now the code has loaded. All in one task, so the results of the last letter are not rendered
  // yet.
  await page.keyboard.press('/')
  await page.keyboard.type('octocat/t')
  await page.keyboard.press('ArrowDown')
  const hits = page.getByRole('dialog').getByRole('link')
  await expect(hits).toHaveCount(2)
  await expect(hits.first()).toBeFocused()
})

test('holding the key that opens the search types nothing; Escape closes it while it loads', async ({
  page,
  host,
  go,
}) => {
  withBuild(host)
  const open = await withSlowResults(page)
  await go('/account')
  await expect(page.getByRole('heading', { name: 'Account Settings' })).toBeVisible()
  for (let times = 0; times < 4; times++) await page.keyboard.down('/')
  await page.keyboard.up('/')
  const field = page.getByPlaceholder(placeholder)
  await expect(field).toHaveValue('')
  await expect(field).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(field).toHaveCount(0)
  open()
  await page.waitForLoadState('networkidle')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  // The same in the log.
  await go('/octocat/hello/42')
  await page.getByRole('region', { name: 'Console' }).focus()
  for (let times = 0; times < 4; times++) await page.keyboard.down('/')
  await page.keyboard.up('/')
  await page.keyboard.type('done')
  await expect(page.getByRole('searchbox', { name: 'Find in log' })).toHaveValue('done')
})

test('a dialog opened by a key takes the keys immediately: the next keys are not shortcuts of the page', async ({
  page,
  host,
  go,
}) => {
  withBuild(host)
  const { opened, open } = latch()
  await page.route('**/shortcuts-*.js', async (route) => {
    await opened
    await route.continue()
  })
  await go('/octocat/hello/42')
  await expect(page.getByRole('button', { name: 'Details' })).toBeVisible()
  await page.keyboard.press('i')
  await page.keyboard.type('?gh')
  await expect(page.getByRole('dialog', { name: 'Build #42 details' })).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  // Its code is loading.
  await page.keyboard.press('?')
  await page.keyboard.type('igh')
  open()
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(1)
  await expect(page).toHaveURL(/\/42$/)
})

test('a double-click on Search opens it, and it stays open', async ({ page, go }) => {
  await go('/')
  await page.getByRole('button', { name: 'Search' }).dblclick()
  await expect(page.getByPlaceholder(placeholder)).toBeFocused()
  await page.getByPlaceholder(placeholder).fill('x')
  await expect(page.getByPlaceholder(placeholder)).toHaveValue('x')
})
