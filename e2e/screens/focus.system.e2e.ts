/** Where the focus goes when the focused element is removed. */
import {
  choose,
  data,
  expect,
  holdBack,
  ok,
  openDialog,
  signedInAs,
  test,
  withBuild,
  withRepo,
} from '../support/screens.ts'

const repo = '/api/repos/octocat/hello'

test('after a page change the focus is on its heading; within one build it stays on the link', async ({
  page,
  host,
  go,
}) => {
  withBuild(
    host,
    data.detail({ stages: [data.stage({ steps: [data.step(), data.step({ number: 2, name: 'lint' })] })] }),
  )
  await go('/')
  const heading = page.getByRole('heading', { level: 1 })
  await expect(heading).toHaveText('Dashboard')
  expect(await page.evaluate(() => document.activeElement === document.body)).toBe(true)
  for (const [name, title, words] of [
    [/octocat\/hello/, 'Builds – octocat/hello', 'hello'],
    ['Branches', 'Branches – octocat/hello', 'hello'],
    ['Settings', 'Settings – octocat/hello', 'hello'],
    ['Cron Jobs', 'Cron Jobs – octocat/hello', 'hello'],
    ['Account', 'Account Settings', 'Account Settings'],
  ] as const) {
    await page
      .getByRole('link', { name, exact: typeof name === 'string' })
      .last()
      .press('Enter')
    await expect(page).toHaveTitle(new RegExp(title))
    await expect(heading).toHaveText(words)
    await expect(heading).toBeFocused()
  }
  await go('/octocat/hello')
  await page.getByRole('link', { name: /Fix the parser/ }).press('Enter')
  await expect(heading).toHaveText('Fix the parser')
  await expect(heading).toBeFocused()
  const lint = page.getByRole('navigation', { name: 'Pipeline stages' }).getByRole('link', { name: /lint/ })
  await lint.press('Enter')
  await expect(page).toHaveURL(/\/42\/1\/2$/)
  await expect(lint).toBeFocused()
  await page.goBack()
  await page.goBack()
  await expect(heading).toHaveText('hello')
  await expect(heading).toBeFocused()
})

test('a focused heading has an outline after the keyboard, not after the mouse; screen readers hear the title', async ({
  page,
  host,
  go,
}) => {
  await page.addInitScript(() => {
    const events: string[] = []
    Object.assign(window, { heard: events })
    Object.assign(Document.prototype, { ariaNotify: (words: string) => events.push(words) })
  })
  withRepo(host)
  await go('/octocat/hello')
  const heading = page.getByRole('heading', { level: 1 })
  const mark = () => heading.evaluate((element) => getComputedStyle(element).textDecorationLine)
  await page.getByRole('link', { name: 'Branches' }).click()
  await expect(heading).toBeFocused()
  expect(await mark()).toBe('none')
  await page.getByRole('link', { name: 'Deployments' }).press('Enter')
  await expect(heading).toBeFocused()
  expect(await mark()).toBe('underline')
  await expect
    .poll(() => page.evaluate(() => (window as unknown as { heard: string[] }).heard.at(-1)))
    .toBe('Deployments – octocat/hello')
})

test('opening a search result is a page change; leaving the search is not', async ({ page, host, go }) => {
  withRepo(host)
  await go('/account')
  const button = page.getByRole('button', { name: 'Search' })
  await button.press('Enter')
  // The search's code loads with the first click; Escape has nothing to close before.
  await expect(page.getByRole('dialog', { name: 'Search' }).getByRole('textbox')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(button).toBeFocused()
  await button.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Search' }).getByRole('textbox')).toBeFocused()
  await page.keyboard.type('hello')
  await page
    .getByRole('dialog')
    .getByRole('link', { name: /octocat\/hello/ })
    .press('Enter')
  await expect(page.getByRole('heading', { name: 'Executions' })).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
})

test('the header of a repository and its focus stay while the code of the page loads', async ({ page, host, go }) => {
  withRepo(host)
  const code = await holdBack(page, '**/times-page-*.js')
  const answer = await holdBack(page, `**${repo}`)
  await go('/octocat/hello/times')
  const branches = page.getByRole('link', { name: 'Branches' })
  await branches.focus()
  answer.open()
  await expect(page.getByRole('link', { name: 'Pull requests' })).toBeVisible()
  await expect(branches).toBeFocused()
  code.open()
  await expect(page).toHaveTitle(/^Step durations/)
  await expect(branches).toBeFocused()
})

test('the button of a menu keeps the focus while the code of the menu loads', async ({ page, host, go }) => {
  withBuild(host)
  const code = await holdBack(page, '**/open-menu-*.js')
  await go('/octocat/hello/42')
  const actions = page.getByRole('button', { name: 'Actions' })
  await actions.focus()
  await page.keyboard.press('Enter')
  // Two frames later the loss would show.
  await page.evaluate(() => new Promise((then) => requestAnimationFrame(() => requestAnimationFrame(then))))
  await expect(actions).toBeFocused()
  await page.keyboard.press('ArrowDown')
  code.open()
  await expect(page.getByRole('menuitem').nth(1)).toBeFocused()
})

test('deleting a row moves the focus to the next one, deleting the last one to the heading', async ({
  page,
  host,
  go,
}) => {
  withRepo(host)
  let names = ['one', 'two', 'three']
  host.on(`GET ${repo}/secrets`, () => ok(names.map((name, id) => data.secret({ id, name }))))
  for (const name of names)
    host.on(`DELETE ${repo}/secrets/${name}`, () => {
      names = names.filter((other) => other !== name)
      return { status: 204 }
    })
  await go('/octocat/hello/settings/secrets')
  const remove = async (name: string) => {
    await page.getByRole('button', { name: `Delete secret ${name}` }).press('Enter')
    await openDialog(page).getByRole('button', { name: 'Delete secret' }).press('Enter')
    await expect(page.getByRole('button', { name: `Delete secret ${name}` })).toHaveCount(0)
  }
  await remove('one')
  await expect(page.getByRole('button', { name: 'Delete secret two' })).toBeFocused()
  await remove('three')
  await expect(page.getByRole('button', { name: 'Delete secret two' })).toBeFocused()
  await remove('two')
  await expect(page.getByRole('heading', { name: 'Secrets', exact: true })).toBeFocused()
})

test('deleting a user moves the focus to the next one', async ({ page, host, go }) => {
  let users = [
    data.user({ admin: true, login: 'zoe' }),
    data.user({ id: 2, login: 'ann' }),
    data.user({ id: 3, login: 'bob' }),
  ]
  signedInAs(host, { admin: true, login: 'zoe' })
    .on('GET /api/users', () => ok(users))
    .on('DELETE /api/users/ann', () => {
      users = users.filter(({ login }) => login !== 'ann')
      return { status: 204 }
    })
  await go('/settings/users')
  await page.getByRole('button', { name: 'Delete user ann' }).press('Enter')
  await openDialog(page).getByRole('button', { name: 'Delete user' }).press('Enter')
  await expect(page.getByRole('button', { name: 'Delete user ann' })).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Delete user bob' })).toBeFocused()
})

test('a dialog opened from a menu returns the focus to the menu’s button', async ({ page, host, go }) => {
  withBuild(host)
  await go('/octocat/hello/42')
  await choose(page, 'Promote')
  await expect(page.getByRole('dialog', { name: 'Create deployment' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Actions' })).toBeFocused()
})
