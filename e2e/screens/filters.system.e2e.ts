/** Filters of lists that servers send as a whole, and filters on a phone. */
import { data, expect, ok, test, withRepo } from '../support/screens.ts'

const ref = (branch: string) => ({ ref: `refs/heads/${branch}`, target: branch })
const builds = [
  data.build({ number: 3, status: 'failure', author_login: 'ada', ...ref('main') }),
  data.build({ number: 2, status: 'failure', author_login: 'grace', ...ref('fix') }),
  data.build({ number: 1, status: 'success', author_login: 'grace', ...ref('docs') }),
]

test('the menus and the page count the branches that match', async ({ page, host, go }) => {
  withRepo(host)
  host.on('GET /api/repos/octocat/hello/builds/branches', ok(builds))
  await go('/octocat/hello/branches')
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  const status = page.getByLabel('Status')
  await expect(status.getByRole('option', { name: 'failure (2)' })).toBeAttached()
  const count = page.getByRole('search').getByRole('status')
  await status.selectOption('failure')
  await expect(count).toHaveText('2 branches')
  await page.getByRole('textbox', { name: 'Author' }).fill('grace')
  await expect(count).toHaveText('1 branch')
  await expect(status.getByRole('option', { name: 'success (1)' })).toBeAttached()
})

test('the feed counts the builds that match', async ({ page, host, go }) => {
  const item = (build: (typeof builds)[0]) => ({ ...data.repo({ name: `repo-${build.number}` }), build })
  host.on('GET /api/user/builds/recent', ok(builds.map(item)))
  await go('/builds-feed?status=failure')
  await expect(page.getByRole('search').getByRole('status')).toHaveText('2 builds')
  await expect(page.getByLabel('Status').getByRole('option', { name: 'Any status (3)' })).toBeAttached()
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true })

  test('the list of builds begins on the first screen, and Mine is one press', async ({ page, host, go }) => {
    withRepo(host)
    host.on('GET /api/repos/octocat/hello/builds', ok(builds))
    await go('/octocat/hello?status=failure')
    const author = page.getByRole('textbox', { name: 'Author' })
    await expect(page.getByRole('link', { name: /#3/ })).toBeInViewport()
    await expect(author).toBeHidden()
    await page.getByRole('button', { name: 'More filters' }).click()
    await expect(author).toBeVisible()
    await page.getByRole('button', { name: 'Mine' }).click()
    await expect(page).toHaveURL(/author=/)
    await page.getByRole('button', { name: 'Fewer filters' }).click()
    await expect(author).toBeHidden()
    await expect(page.getByRole('button', { name: /^Remove filter Author/ })).toBeVisible()
  })
})
