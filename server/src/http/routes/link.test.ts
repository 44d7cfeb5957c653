import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestApp, type Person, type TestApp } from '../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.close())

const page = async (path: string, as: Person | 'guest' = 'rae') => {
  const headers = { Accept: 'text/html,*/*' }
  const response = await app.request(path, { headers, ...(as !== 'guest' && { as }) })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

it('shows a commit: message, author, changed files', async () => {
  const { source } = app.bench
  const first = source.commit({ 'kept.txt': 'one', 'gone.txt': 'x' }, 'Begin')
  source.git('rm', '-q', 'gone.txt')
  const sha = source.commit({ 'kept.txt': 'two', 'dir/new.txt': 'x' }, 'Change things\n\nBecause of <reasons>.')
  const { status, headers, text } = await page(`/link/acme/web/commit/${sha}?ref=refs/heads/main`)
  expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  expect(text).toContain('<h1>Change things</h1>')
  expect(text).toContain('<pre>Because of &lt;reasons&gt;.</pre>')
  expect(text).toContain('Ada &lt;ada@example.com&gt;')
  expect(text).toContain(`href="/link/acme/web/commit/${first}"`)
  const rows = [...text.matchAll(/<tr><td>([^<]*)<\/td><td>([^<]*)<\/td><\/tr>/g)].map(([, what, path]) => [what, path])
  expect(rows).toEqual([
    ['added', 'dir/new.txt'],
    ['deleted', 'gone.txt'],
    ['modified', 'kept.txt'],
  ])
  // The first commit of all has everything new.
  expect((await page(`/link/acme/web/commit/${first}`)).text).toContain('<td>added</td><td>gone.txt</td>')
})

it('leads from the repository, a branch and a tag to the commit', async () => {
  const { source } = app.bench
  const sha = source.commit({ a: 'tagged' }, 'Tag it')
  source.git('tag', 'v1.0')
  const to = `/link/acme/web/commit/${sha}`
  const old = source.git('rev-parse', 'HEAD^')
  for (const [path, location] of [
    ['/link/acme/web', to],
    ['/link/acme/web/tree/refs/heads/main', to],
    ['/link/acme/web/tree/main', to],
    ['/link/acme/web/src/refs/tags/v1.0', to],
    [`/link/acme/web/tree/refs/heads/main?sha=${old}`, `/link/acme/web/commit/${old}`],
  ] as const) {
    const { status, headers } = await page(path)
    expect([path, status, headers.get('location')]).toEqual([path, 303, location])
  }
})

it('is for who may see the repository', async () => {
  const path = `/link/acme/web/commit/${app.bench.source.git('rev-parse', 'HEAD')}`
  const guest = await page(path, 'guest')
  expect([guest.status, guest.headers.get('content-type')]).toEqual([401, 'text/html; charset=utf-8'])
  expect(guest.text).toContain('href="/login/form"')
  expect((await page(path, 'otto')).status).toBe(404)
  await app.changeRepo({ visibility: 'public' })
  expect((await page(path, 'guest')).status).toBe(200)
  await app.changeRepo({ visibility: 'private' })
  // Who asks for no page gets no page.
  expect(await app.answer(path)).toEqual([401, { message: 'Unauthorized' }])
})

it.each(['abc', '0'.repeat(40), '--output=x', 'HEAD^', '%2e%2e%2f', 'a%00b', '%ff', 'main..main', '%3A%2FBegin', '-'])(
  'knows no commit %s',
  async (sha) => {
    for (const path of [`/link/acme/web/commit/${sha}`, `/link/acme/web/tree/${sha}`]) {
      expect([path, (await page(path)).status]).toEqual([path, 404])
    }
  },
)

it('writes nothing that a commit says as markup', async () => {
  const { source } = app.bench
  const evil = `"><script>alert(1)</script>'&`
  mkdirSync(join(source.path, 'x'), { recursive: true })
  writeFileSync(join(source.path, 'x', '<img src=x onerror=alert(1)>\u202e\n.txt'), '')
  source.git('add', '-A')
  source.git('-c', `user.name=${evil}`, 'commit', '-q', `--author=Eve${evil} <e@x>`, '-m', `${evil}\n\n${evil}`)
  const { text, headers } = await page(`/link/acme/web/commit/${source.git('rev-parse', 'HEAD')}`)
  expect(text).toContain('&#34;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&#39;&amp;')
  expect(text).not.toMatch(/<(script|img)/)
  expect(text).not.toContain('\u202e')
  const policy = headers.get('content-security-policy') ?? ''
  expect(policy).toContain("default-src 'self'")
  expect(policy).not.toContain('unsafe')
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect((await page('/link/style.css', 'guest')).headers.get('content-type')).toBe('text/css; charset=utf-8')
})

it('survives a commit with very many files', async () => {
  const { source } = app.bench
  const files = Object.fromEntries(Array.from({ length: 1_500 }, (_, n) => [`many/${n}`, '']))
  const sha = source.commit(files, 'Many')
  const { status, text } = await page(`/link/acme/web/commit/${sha}`)
  expect(status).toBe(200)
  expect(text.match(/<tr>/g)).toHaveLength(1_000)
  expect(text).toContain('Only the first 1000 files are shown.')
})

it.each([
  // What a commit object may hold; git reads some of it as another time, or as none.
  ['292277026596 +0000', /292277026596 seconds after 1970|1970-01-01/],
  ['9223372036854775807 +0000', /<dd>/],
  ['99999999999999999999999999 +0000', /<dd>/],
  ['-1 +0000', /<dd>/],
  ['253402300800 +0000', /253402300800 seconds after 1970/],
  ['253402300799 +0000', /9999-12-31 23:59:59 UTC/],
  ['x', /<dd>/],
])('shows a commit of the time %s', async (time, words) => {
  const { source } = app.bench
  source.commit({ time }, 'A tree')
  const tree = source.git('rev-parse', 'HEAD^{tree}').trim()
  const text = `tree ${tree}\nauthor A <a@x> ${time}\ncommitter A <a@x> ${time}\n\nAbsurd ${time}\n`
  const file = join(app.bench.dir, 'commit')
  writeFileSync(file, text)
  const sha = source.git('hash-object', '-w', '-t', 'commit', '--literally', file).trim()
  const answer = await page(`/link/acme/web/commit/${sha}`)
  expect(answer.status).toBe(200)
  expect(answer.text).toMatch(words)
  expect(answer.text).not.toMatch(/NaN|Invalid/)
  expect(app.failures).toEqual([])
})

it('runs no more of git than it can bear: who comes when too many wait is told when to come again', async () => {
  const sha = (n: number) => n.toString(16).padStart(40, 'a')
  const all = await Promise.all(Array.from({ length: 80 }, (_, n) => page(`/link/acme/web/commit/${sha(n)}`)))
  const refused = all.filter(({ status }) => status === 503)
  expect(all.map(({ status }) => status).filter((status) => status !== 404 && status !== 503)).toEqual([])
  // Two at work, and forty places.
  expect(refused.length).toBe(80 - 42)
  for (const { headers, text } of refused) {
    expect(headers.get('retry-after')).toBe('2')
    expect(text).toContain('The server is busy')
  }
  // The same for the same page, many times, is one answer.
  const one = app.bench.source.commit({ shared: '1' }, 'Shared')
  const same = await Promise.all(Array.from({ length: 150 }, () => page(`/link/acme/web/commit/${one}`)))
  expect(new Set(same.map(({ status }) => status))).toEqual(new Set([200]))
  expect(app.failures).toEqual([])
})
