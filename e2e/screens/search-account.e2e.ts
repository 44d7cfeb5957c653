import { data, expect, ok, test } from '../support/screens.ts'

const repos = ok([
  data.repo({ id: 1, namespace: 'octocat', name: 'hello-world' }),
  data.repo({ id: 2, namespace: 'octo-org', name: 'website' }),
  data.repo({ id: 3, namespace: 'acme', name: 'octopus' }),
])

test('[S2.search.1] [S2.search.3] [S2.search.5] [S2.search.7] [S5.validation.1] finds by part of the slug', async ({
  page,
  host,
  go,
}) => {
  host.on('GET /api/user/repos', repos)
  await go('/')
  await page.getByRole('button', { name: 'Search' }).click()
  await page.getByPlaceholder('Search repositories, branches and builds').fill('  OCTO ')
  const hits = page.getByRole('link', { name: 'Found "OCTO" in Repositories' })
  await expect(hits).toHaveCount(3)
  await page.getByPlaceholder('Search repositories, branches and builds').fill('opus')
  await expect(page.getByRole('link', { name: 'Found "opus" in Repositories' })).toHaveAttribute(
    'href',
    '/acme/octopus',
  )
})

test('[S2.search.2] [S2.search.4] a slash matches namespace and name apart', async ({ page, host, go }) => {
  host.on('GET /api/user/repos', repos)
  await go('/')
  await page.getByRole('button', { name: 'Search' }).click()
  const box = page.getByPlaceholder('Search repositories, branches and builds')
  await box.fill('octo/web')
  await expect(page.getByRole('link', { name: /Found/ })).toHaveCount(1)
  await box.fill('octo/')
  await expect(page.getByRole('link', { name: /Found/ })).toHaveCount(2)
})

test('[S2.search.6] nothing found', async ({ page, host, go }) => {
  host.on('GET /api/user/repos', repos)
  await go('/')
  await page.getByRole('button', { name: 'Search' }).click()
  await page.getByPlaceholder('Search repositories, branches and builds').fill('zebra')
  await expect(page.getByText('Repos not found')).toBeVisible()
})

test('[S2.search.8] Escape, a click outside, Back and a result close it', async ({ page, host, go }) => {
  host.on('GET /api/user/repos', repos)
  await go('/account')
  await go('/')
  const box = page.getByPlaceholder('Search repositories, branches and builds')
  await page.getByRole('button', { name: 'Search' }).click()
  await expect(box).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(box).toHaveCount(0)
  await page.getByRole('button', { name: 'Search' }).click()
  await expect(box).toBeVisible()
  await page.mouse.click(1270, 780)
  await expect(box).toHaveCount(0)
  await page.getByRole('button', { name: 'Search' }).click()
  await expect(box).toBeVisible()
  await page.goBack()
  await expect(box).toHaveCount(0)
  await expect(page).toHaveURL(`${host.origin}/`)
})

test('[S2.account.1] [S2.account.2] [S2.account.3] [S2.account.4] [S2.account.5] [S7.calls.5] [S3.entities.10] the account page', async ({
  page,
  host,
  go,
}) => {
  host.on('POST /api/user/token', ok({ ...data.user(), token: 'tok3nF0rScripts' }))
  await go('/account')
  await expect(page.getByRole('heading', { name: 'Account Settings' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Logout' })).toHaveAttribute('href', /\/logout$/)
  for (const text of ['Your personal token:', 'Example API Usage:', 'Example CLI Usage:'])
    await expect(page.getByText(text)).toBeVisible()
  const main = page.getByRole('main')
  await expect(main).toContainText('tok3nF0rScripts')
  await expect(main).toContainText('curl')
  await expect(main).toContainText('Authorization: Bearer tok3nF0rScripts')
  await expect(main).toContainText(`${host.origin}/api/user`)
  await expect(main).toContainText(`export DRONE_SERVER=${host.origin}`)
  await expect(main).toContainText('export DRONE_TOKEN=tok3nF0rScripts')
  await expect(main).toContainText('drone info')
  expect(host.made('POST /api/user/token')[0]?.body).toBe('')
})

test('[S2.account.6] [S9.constants.12] copying shows Copied for two seconds', async ({ page, host, go, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.clock.install()
  host.on('POST /api/user/token', ok({ ...data.user(), token: 'tok3n' }))
  await go('/account')
  const copies = page.getByRole('main').getByRole('button', { name: /copy/i })
  await expect(copies.first()).toBeVisible()
  expect(await copies.count()).toBeGreaterThanOrEqual(2)
  await copies.first().click()
  await expect(page.getByText('Copied', { exact: true })).toBeVisible()
  await page.clock.runFor(2_100)
  await expect(page.getByText('Copied', { exact: true })).toHaveCount(0)
})

test('[S2.routes.9] the feed lists recent builds as they change', async ({ page, host, go }) => {
  const one = {
    ...data.repo({ name: 'repo-one' }),
    build: data.build({ status: 'running', finished: 0, message: 'Feed me' }),
  }
  host.on('GET /api/user/builds/recent', ok([one]))
  await go('/builds-feed')
  await expect(page.getByText('Feed me')).toBeVisible()
  await host.push('/api/stream', {
    ...one,
    version: 9,
    build: { ...one.build, status: 'success', finished: data.now, version: 9 },
  })
  await expect(page.getByText('Feed me')).toHaveCount(0)
})
