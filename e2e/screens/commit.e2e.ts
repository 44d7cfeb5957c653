/** The page of a commit: its message, its changes and its builds. */
import type { CommitFile } from '@flightdeck/api'
import { data, expect, fail, fitsWidth, ok, ours, signedInAs, test, withBuild, withRepo } from '../support/screens.ts'

const base = '/api/repos/octocat/hello'
const sha = data.build().after
const parent = 'b1946ac92492d2347c6235b4d2611184b1946ac9'
const lines = (count: number, sign: string): string[] =>
  Array.from({ length: count }, (_, index) => `${sign}const line${index} = ${index}`)
const files: CommitFile[] = [
  {
    path: 'src/parser.ts',
    change: 'modified',
    added: 2,
    deleted: 1,
    hunks: [
      {
        old: 7,
        new: 7,
        heading: 'export function parse(text: string) {',
        lines: [
          ' \tconst tokens = scan(text)',
          '-\treturn tokens.map(build)',
          '+\tif (tokens.length === 0) return []',
          '+\treturn tokens.map(build) // \u202e evil \u0007<img src=x onerror=alert(1)>',
          ' }',
        ],
      },
    ],
  },
  {
    path: 'docs/new name.md',
    before: 'docs/old name.md',
    change: 'renamed',
    modes: ['100644', '100755'],
    added: 0,
    deleted: 0,
  },
  { path: 'logo.png', change: 'added', binary: true },
  {
    path: 'a\u202ed:x.txt',
    change: 'added',
    added: 1,
    deleted: 0,
    garbled: true,
    hunks: [{ old: 0, new: 1, lines: ['+Gr\ufffd\ufffde'] }],
  },
  {
    path: 'src/bundle.js',
    change: 'modified',
    added: 3_000,
    deleted: 0,
    cut: 'file',
    hunks: [{ old: 0, new: 1, lines: [...lines(120, '+'), `+${'x'.repeat(500)}`], long: [{ at: 120, more: 12_000 }] }],
  },
  { path: 'src/later.ts', change: 'deleted', added: 0, deleted: 800, cut: 'commit' },
]
const commit = data.commit({
  message: 'Fix the parser\n\nAn empty text made it \u202efall over.\nIt answers an empty list now.',
  files,
  total: files.length,
})
const address = `/octocat/hello/commits/${sha}`
const at =
  (path: string) =>
  ({ pathname, hash }: URL): boolean =>
    pathname + hash === path

test.beforeEach(({ host }) => {
  withRepo(host)
  signedInAs(host, ours)
    .on(`GET ${base}/commits/${sha}`, ok(commit))
    .on(`GET ${base}/commits/${sha}/builds`, ok([data.build({ number: 43, id: 9 }), data.build()]))
})

test('a build’s commit links to its message, author, builds and changed lines', async ({ page, host, go }) => {
  withBuild(host, data.detail())
  await go('/octocat/hello/42/1/1')
  await page.getByRole('link', { name: sha.slice(0, 8) }).click()
  await expect(page).toHaveURL(at(address))
  await expect(page).toHaveTitle(`${sha.slice(0, 8)} – Fix the parser – octocat/hello · Flightdeck`)
  const head = page.getByRole('region', { name: 'Commit', exact: true })
  await expect(head.getByRole('heading')).toHaveText('Fix the parser')
  await expect(head).toContainText('It answers an empty list now.')
  await expect(head).toContainText('Ann Lee')
  await expect(head.getByRole('link', { name: parent.slice(0, 8) })).toHaveAttribute(
    'href',
    `/octocat/hello/commits/${parent}`,
  )
  const builds = page.getByRole('region', { name: 'Builds of this commit' })
  await expect(builds.getByRole('link')).toHaveText([/#43/, /#42/])
  const list = page.getByRole('region', { name: '6 files changed' })
  await expect(list.getByRole('link')).toHaveCount(6)
  await expect(list.getByRole('link', { name: /src\/parser\.ts 2 lines added, 1 deleted/ })).toBeVisible()
  const file = page.getByRole('region', { name: 'src/parser.ts' })
  await expect(file.getByRole('row')).toHaveText([
    'Line 7 · export function parse(text: string) {',
    /^77 \s*const tokens/,
    /^8−\s*return tokens/,
    /^8\+\s*if \(tokens/,
    /^9\+\s*return tokens/,
    /^910 \s*}/,
  ])
  await expect(file.getByRole('row').nth(4)).toContainText('U+202E evil ␇<img src=x onerror=alert(1)>')
  await expect(page.getByRole('region', { name: 'docs/new name.md' })).toContainText(
    'Changed from a file to an executable file.Content unchanged.',
  )
})

test('truncated diffs say what is missing @system', async ({ page, go }) => {
  await go(address)
  const bundle = page.getByRole('region', { name: 'src/bundle.js' })
  await expect(bundle).toContainText('Only the first 1,000 lines or 200 KB are shown.')
  await expect(bundle).toContainText('12\u2009000 more bytes')
  await expect(page.getByRole('region', { name: 'logo.png' })).toContainText('Binary, or larger than 2 MB')
  await expect(page.getByRole('region', { name: 'src/later.ts' })).toContainText(
    'Not shown: the diff of a commit is limited to 5,000 lines or 1 MB',
  )
  await expect(page.getByRole('region', { name: /x\.txt/ })).toContainText('not valid UTF-8')
})

test('the lines of fifty files are shown; with more, a sentence says so @system', async ({ page, host, go }) => {
  const limit = page.getByText('first 50 files')
  for (const count of [50, 51]) {
    const many = Array.from({ length: count }, (_, index) => ({ ...files[0], path: `src/${index}.ts` }))
    host.on(`GET ${base}/commits/${sha}`, ok({ ...commit, files: many, total: count }))
    await go(address)
    await page.reload()
    await expect(page.getByRole('region', { name: `${count} files changed` })).toBeVisible()
    await expect(page.getByRole('region', { name: /^src\/\d+\.ts$/ })).toHaveCount(50)
    await expect(limit).toHaveCount(count > 50 ? 1 : 0)
  }
})

test('a URL names a file and a line in it @system', async ({ page, go }) => {
  await go(`${address}#src/bundle.js:90`)
  const line = page.locator('[aria-current="location"]')
  await expect(line).toContainText('const line89 = 89')
  await expect(line).toBeInViewport()
  await go(`${address}#src/later.ts`)
  await expect(page.getByRole('region', { name: 'src/later.ts' })).toBeInViewport()
  await go(`${address}#src/parser.ts:500`)
  await expect(page.getByText('Line 500 is not in the part of the diff shown here.')).toBeInViewport()
  await go(`${address}#nowhere.ts:3`)
  await expect(page.getByText('This commit does not change nowhere.ts')).toBeVisible()
  await page
    .getByRole('region', { name: 'src/parser.ts' })
    .getByRole('link', { name: 'Line 9', exact: true })
    .first()
    .click()
  await expect(page).toHaveURL(at(`${address}#src/parser.ts:9`))
  await expect(line).toContainText('return tokens.map(build) //')
})

test('keys move between files, to the older commit and back @system', async ({ page, host, go }) => {
  const older = { ...commit, sha: parent, parents: [], message: 'Begin', files: [], total: 0 }
  host.on(`GET ${base}/commits/${parent}`, ok(older)).on(`GET ${base}/commits/${parent}/builds`, ok([]))
  await go(address)
  await expect(page.getByRole('heading', { name: 'Fix the parser' })).toBeVisible()
  for (const [key, name] of [
    [']', 'src/parser.ts'],
    [']', 'docs/old name.md → docs/new name.md'],
    ['[', 'src/parser.ts'],
  ] as const) {
    await page.keyboard.press(key)
    await expect(page.getByRole('heading', { name }).getByRole('link')).toBeFocused()
  }
  await page.keyboard.press('p')
  await expect(page).toHaveURL(at(`/octocat/hello/commits/${parent}`))
  await expect(page.getByText('none (initial commit)')).toBeVisible()
  await expect(page.getByText('Empty commit: no files changed.')).toBeVisible()
  await expect(page.getByText('No builds of this commit.')).toBeVisible()
  await page.keyboard.press('p')
  await expect(page.getByText('No older commit')).toBeVisible()
  await page.keyboard.press('n')
  await expect(page).toHaveURL(at(address))
})

test('a missing commit says so and keeps its builds; one that cannot be read can be retried @system', async ({
  page,
  host,
  go,
}) => {
  host.on(`GET ${base}/commits/${sha}`, fail(404, 'Commit not found'))
  await go(address)
  await expect(page.getByText(`The commit ${sha.slice(0, 8)} is not in this repository`)).toBeVisible()
  await expect(page.getByRole('region', { name: 'Builds of this commit' }).getByRole('link')).toHaveCount(2)
  host.on(`GET ${base}/commits/${sha}`, fail(503, 'The server is busy. Try again in 2 seconds'))
  await go(address)
  await expect(page.getByRole('alert')).toContainText('The commit could not be loaded: The server is busy.')
  host.on(`GET ${base}/commits/${sha}`, ok(commit))
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(page.getByRole('heading', { name: 'Fix the parser' })).toBeVisible()
})

test('with another server commits and branches link to its forge @system', async ({ page, host, go }) => {
  signedInAs(host, {})
  withBuild(host, data.detail())
  await go('/octocat/hello/42/1/1')
  await expect(page.getByRole('link', { name: sha.slice(0, 8) })).toHaveAttribute('target', '_blank')
  await expect(page.getByRole('link', { name: 'main', exact: true })).toHaveAttribute(
    'href',
    /\/link\/octocat\/hello\/tree\//,
  )
  await go(address)
  await expect(page.getByRole('heading', { name: 'Not Found' })).toBeVisible()
})

test('a build’s branch links to its builds @system', async ({ page, host, go }) => {
  const asked: string[] = []
  withBuild(host, data.detail({ target: 'feature/a b' }))
  host.on(`GET ${base}/builds`, ({ query }) => {
    asked.push(query)
    return ok([data.build({ target: 'feature/a b' })])
  })
  await go('/octocat/hello/42/1/1')
  await page.getByRole('link', { name: 'feature/a b' }).click()
  await expect(page).toHaveURL(at('/octocat/hello/branches/feature%2Fa%20b'))
  await expect(page.getByRole('heading', { name: 'Executions on feature/a b' })).toBeVisible()
  await expect(page.getByRole('main').getByRole('listitem').getByRole('link', { name: /#42/ })).toBeVisible()
  expect(asked.at(-1)).toContain('branch=feature%2Fa+b')
  host.on(`GET ${base}/builds`, ok([]))
  await go('/octocat/hello/branches/none')
  await expect(page.getByText('No builds of none')).toBeVisible()
})

test('the page fits each width @system', async ({ page, go }) => {
  for (const width of [1440, 768, 390]) {
    await page.setViewportSize({ width, height: 900 })
    await go(address)
    await expect(page.getByRole('heading', { name: 'Fix the parser' })).toBeVisible()
    await fitsWidth(page)
  }
})
