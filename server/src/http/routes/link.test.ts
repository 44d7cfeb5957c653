import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestApp, type Person, type TestApp } from '../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
  app.bench.source.commit({ a: 'first' }, 'First')
})
afterAll(() => app.close())

const page = async (path: string, as: Person | 'guest' = 'rae') => {
  const headers = { Accept: 'text/html,*/*' }
  const response = await app.request(path, { headers, ...(as !== 'guest' && { as }) })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

const head = (): string => app.bench.source.git('rev-parse', 'HEAD')

it('leads from the addresses of a repository, a commit, a branch and a tag to the page of the commit', async () => {
  const { source } = app.bench
  const sha = source.commit({ a: 'tagged' }, 'Tag it')
  source.git('tag', 'v1.0')
  const old = source.commit({ a: 'later' }, 'Later')
  source.git('reset', '-q', '--hard', sha)
  const to = `/acme/web/commits/${sha}`
  for (const [path, location] of [
    ['/link/acme/web', to],
    [`/link/acme/web/commit/${sha}?ref=refs/heads/main`, to],
    ['/link/acme/web/tree/refs/heads/main', to],
    ['/link/acme/web/tree/main', to],
    ['/link/acme/web/src/refs/tags/v1.0', to],
    [`/link/acme/web/tree/refs/heads/main?sha=${old}`, `/acme/web/commits/${old}`],
    [`/link/acme/web/src/.drone.yml?sha=${old}`, `/acme/web/commits/${old}#.drone.yml`],
    [`/link/acme/web/src/a%20b/%E2%80%AE%23?sha=${old}`, `/acme/web/commits/${old}#a%20b/%E2%80%AE%23`],
  ] as const) {
    const { status, headers } = await page(path)
    expect([path, status, headers.get('location')]).toEqual([path, 303, location])
  }
})

it('says of a commit nothing to anybody: the page asks for itself', async () => {
  const answers = ['/link/acme/web', '/link/acme/nothing'].map(async (repo) => {
    const { status, headers } = await page(`${repo}/commit/${head()}`, 'guest')
    return [status, headers.get('location')?.replace('nothing', 'web')]
  })
  const [there, absent] = await Promise.all(answers)
  expect(there).toEqual([303, `/acme/web/commits/${head()}`])
  expect(absent).toEqual(there)
})

it('needs read access to the repository', async () => {
  const path = '/link/acme/web/tree/main'
  const guest = await page(path, 'guest')
  expect([guest.status, guest.headers.get('content-type')]).toEqual([401, 'text/html; charset=utf-8'])
  expect(guest.text).toContain('href="/login/form"')
  expect((await page(path, 'otto')).status).toBe(404)
  // A request for no page gets no page.
  expect(await app.answer(path)).toEqual([401, { message: 'Unauthorized' }])
  expect((await page('/link/style.css', 'guest')).headers.get('content-type')).toBe('text/css; charset=utf-8')
})

it.each(['abc', '0'.repeat(40), '--output=x', 'HEAD^', '%2e%2e%2f', 'a%00b', '%ff', 'main..main', '%3A%2FBegin', '-'])(
  'knows no ref %s',
  async (ref) => {
    const path = `/link/acme/web/tree/${ref}`
    expect([path, (await page(path)).status]).toEqual([path, 404])
  },
)

it('redirects nowhere else, whatever the request contains', async () => {
  for (const path of [
    '/link/%2F%2Fevil.example/web/commit/1',
    '/link/acme/web/commit/%0d%0aSet-Cookie:%20a',
    '/link/..%2f/x/commit/a',
  ]) {
    const { status, headers } = await page(path)
    const location = headers.get('location') ?? ''
    expect([path, status]).toEqual([path, 303])
    expect(new URL(location, 'http://ci.example.com').origin).toBe('http://ci.example.com')
    expect(location).toMatch(/^\/[^/]/)
  }
})
