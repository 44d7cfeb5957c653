/** From a path in the log to the file and the last author of the line. */
import type { Page } from '@playwright/test'
import type { SourceAuthors, SourceFile } from '@flightdeck/api'
import type { Host } from '../support/host.ts'
import {
  data,
  latch,
  expect,
  fail,
  fitsWidth,
  ok,
  ours,
  signedInAs,
  test,
  withBuild,
  withRepo,
} from '../support/screens.ts'

const base = '/api/repos/octocat/hello/builds/42'
const log = (page: Page) => page.getByRole('log')
const drawer = (page: Page) => page.getByRole('dialog', { name: 'a.test.ts, line 12' })
const link = (page: Page) => log(page).getByRole('link', { name: 'src/a.test.ts:12' })
const text = (page: Page) => page.getByRole('region', { name: 'Contents of src/a.test.ts' })
const sentences = [
  'ok 1',
  '  AssertionError [ERR_ASSERTION]: 3 !== 4',
  '    at add (src/a.test.ts:12:5)',
  '    at run (/usr/lib/node/x.js:7:1)',
  'see https://example.com/a.js:1',
]
const sha = (digit: string) => digit.repeat(40)
const file: SourceFile = {
  kind: 'text',
  path: 'src/a.test.ts',
  commit: data.build().after,
  from: 1,
  total: 80,
  lines: Array.from({ length: 52 }, (_, n) => (n === 11 ? 'equal(add(1, 2), <b>4</b>)' : `line ${n + 1}`)),
}
const authors: SourceAuthors = {
  path: 'src/a.test.ts',
  since: { build: 40, commit: sha('a') },
  from: 1,
  lines: file.lines.map((_, n) => (n === 11 ? 1 : 0)),
  commits: [
    { sha: sha('b'), title: 'Begin', author: 'Ada', time: data.now - 9_000, after: false },
    { sha: sha('c'), title: 'Expect <i>four</i>', author: 'Ben', time: data.now - 600, after: true },
  ],
}

const serveSource = (host: Host, { own = true, answer = ok(file) } = {}) => {
  const steps = [data.step({ name: 'clone' }), data.step({ number: 2, name: 'test', status: 'failure', exit_code: 1 })]
  withBuild(host, data.detail({ status: 'failure', stages: [data.stage({ status: 'failure', steps })] }))
  host.on(`GET ${base}/logs/1/2`, ok(data.lines(sentences.length, (i) => sentences[i] ?? '')))
  if (own) signedInAs(host, ours)
  host.on(`GET ${base}/source`, answer).on(`GET ${base}/authors/1/2`, ok(authors))
  host.on(`GET ${base}/changes/1/2`, fail(404, 'This step has not passed before'))
}

test('a path with a line number in the log opens that file at its line, with its last author', async ({
  page,
  host,
  go,
}) => {
  serveSource(host)
  await go('/octocat/hello/42/1/2')
  await link(page).click()
  await expect(page).toHaveURL(/\/42\/1\/2\?source=src%2Fa\.test\.ts%3A12$/)
  await expect(text(page).locator('[aria-current=location]')).toContainText('12equal(add(1, 2), <b>4</b>)')
  await expect(text(page).locator('[aria-current=location]')).toBeInViewport()
  expect(host.calls.filter(({ path }) => path === `${base}/source`).map(({ query }) => query)).toEqual([
    '?path=src%2Fa.test.ts&line=12',
  ])
  const who = drawer(page).getByRole('region', { name: 'Last change to this line' })
  await expect(who).toContainText(/^Line 12 was last changed after #40, .* by Ben in cccccccc Expect <i>four<\/i>$/)
  await expect(who.getByRole('link', { name: /Expect/ })).toHaveAttribute('href', `/octocat/hello/commits/${sha('c')}`)
  await expect(text(page).getByRole('link')).toHaveText(['AdAda', 'BeBen', 'AdAda'])
  await expect(
    text(page).getByRole('link', { name: 'Ben: Expect <i>four</i>, since the step last passed' }),
  ).toBeVisible()
  // A path outside of the repository is not a link, and a URL stays one.
  await page.keyboard.press('Escape')
  await expect(log(page).locator('[data-file-location]')).toHaveCount(1)
  await expect(log(page).getByRole('link', { name: 'https://example.com/a.js:1' })).toHaveAttribute('target', '_blank')
})

test('s opens the file that the error line names, and Escape returns @system', async ({ page, host, go }) => {
  serveSource(host)
  await go('/octocat/hello/42/1/2')
  await expect(link(page)).toBeVisible()
  await page.keyboard.press('e')
  await expect(log(page).locator('[data-telling]').first()).toBeInViewport()
  await page.keyboard.press('s')
  await expect(text(page)).toBeVisible()
  // The text can be reached and scrolled by keyboard.
  await expect(drawer(page)).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(drawer(page)).toHaveCount(0)
  await expect(page).toHaveURL(/\/42\/1\/2$/)
  await link(page).focus()
  await page.keyboard.press('Enter')
  await expect(text(page)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(link(page)).toBeFocused()
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog')).toContainText('open the source file mentioned at this line')
})

test('if the log names no file, s says so @system', async ({ page, host, go }) => {
  serveSource(host)
  host.on(`GET ${base}/logs/1/2`, ok(data.lines(2, () => 'Error: no')))
  await go('/octocat/hello/42/1/2')
  await expect(log(page).getByText('Error: no').first()).toBeVisible()
  await page.keyboard.press('e')
  await page.keyboard.press('s')
  await expect(page.getByText('No source file is mentioned near this line')).toBeVisible()
})

test('the lines are shown before their authors arrive, and nothing moves @system', async ({ page, host, go }) => {
  serveSource(host)
  const later = latch()
  await page.route('**/authors/**', async (route) => {
    await later.opened
    await route.continue()
  })
  await go('/octocat/hello/42/1/2?source=src/a.test.ts:12')
  const line = text(page).locator('[aria-current=location]')
  await expect(line).toBeInViewport()
  const before = await line.boundingBox()
  later.open()
  await expect(drawer(page).getByText('after #40, the last passing build')).toBeVisible()
  expect(await line.boundingBox()).toEqual(before)
})

test('a missing file is reported, and one of several matches can be selected @system', async ({ page, host, go }) => {
  serveSource(host, { answer: fail(404, 'This path is not in the commit') })
  await go('/octocat/hello/42/1/2?source=src/a.test.ts:12')
  await expect(drawer(page)).toContainText('Not in this commit')
  host.on(`GET ${base}/source`, ok({ kind: 'several', paths: ['one/a.test.ts', 'src/a.test.ts'], commit: file.commit }))
  await page.reload()
  const choice = drawer(page).getByRole('button', { name: 'src/a.test.ts' })
  await expect(choice).toBeVisible()
  host.on(`GET ${base}/source`, ok(file))
  await page.goto(page.url().replace(/source=.*/, 'source=a.test.ts:12'))
  await expect(text(page)).toBeVisible()
  host.on(`GET ${base}/source`, ok({ kind: 'link', path: 'src/a.test.ts', commit: file.commit }))
  await page.reload()
  await expect(drawer(page)).toContainText('This is a symbolic link. Links are not followed.')
  host.on(`GET ${base}/source`, fail(503, 'The server is busy'))
  await page.reload()
  await expect(drawer(page).getByRole('alert')).toContainText('The server is busy')
  await expect(drawer(page).getByRole('button', { name: 'Retry' })).toBeVisible()
})

test('with a forge it opens the forge’s page, in a new tab @system', async ({ page, host, go }) => {
  serveSource(host, { own: false })
  withRepo(host, { link: 'https://github.com/octocat/hello' })
  await go('/octocat/hello/42/1/2')
  await expect(link(page)).toHaveAttribute('target', '_blank')
  const href = `/link/octocat/hello/src/src/a.test.ts?sha=${data.build().after}#L12`
  await expect(link(page)).toHaveAttribute('href', new RegExp(`${href.replaceAll(/[.?]/g, '\\$&')}$`))
  expect(host.calls.filter(({ path }) => /source|authors/.test(path))).toEqual([])
})

for (const width of [390, 768])
  test(`at ${width} pixels the file fits beside or over the log @system`, async ({ page, host, go }) => {
    serveSource(host)
    await page.setViewportSize({ width, height: 800 })
    await go('/octocat/hello/42/1/2?source=src/a.test.ts:12')
    await expect(text(page)).toBeVisible()
    await fitsWidth(page)
  })
