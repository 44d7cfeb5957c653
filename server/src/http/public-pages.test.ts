/**
 * What guests see with `--public-pages`: public repositories, and nothing of any other by any
 * route.
 */
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../testing/test-app.ts'
import { pipelines } from '../testing/test-bench.ts'
import { access } from './access.ts'

let app: TestApp
let sha = ''
beforeAll(async () => {
  app = await createTestApp({ publicPages: true, pingMs: 600_000 })
  sha = app.bench.commit(pipelines({ default: '' }))
  await app.bench.startBuild()
})
afterAll(() => app.close())

const see = (visibility: 'public' | 'private' | 'internal') => app.changeRepo({ visibility })
const ofRepo = Object.entries(access).filter(([name]) => name.includes('/:owner/:name'))
/** An address of the table, for an existing repository or a missing one. */
const addressOf = (path: string, name: string): string =>
  path
    .replace(':owner', 'acme')
    .replace(':name', name)
    .replace(':sha', sha)
    .replace(/:(number|stage|step|pull)/g, '1')
    .replaceAll(/:\w+/g, 'x')
    .replace('*', 'main')
const asGuest = async (method: string, path: string) => {
  const response = await app.request(path, { method, headers: { Accept: 'application/json' } })
  return { status: response.status, text: response.body && method !== 'HEAD' ? await response.text() : '' }
}

it.each(ofRepo.map(([name]) => name))(
  '%s: a guest cannot tell a hidden repository from one that is not there',
  async (name) => {
    const [method = '', path = ''] = name.split(' ')
    for (const visibility of ['private', 'internal'] as const) {
      await see(visibility)
      const [hidden, absent] = await Promise.all([
        asGuest(method, addressOf(path, 'web')),
        asGuest(method, addressOf(path, 'none')),
      ])
      expect({ ...hidden, text: hidden.text.replaceAll('web', 'none') }).toEqual(absent)
    }
  },
)

it.each(ofRepo.filter(([, level]) => level !== 'read' && level !== 'anyone').map(([name]) => name))(
  '%s: nothing of a public repository but what may be read',
  async (name) => {
    await see('public')
    const [method = '', path = ''] = name.split(' ')
    expect(await asGuest(method, addressOf(path, 'web'))).toMatchObject({ status: 401 })
  },
)

it.each(
  Object.entries(access).filter(([name, level]) => !name.includes(':owner') && !/^(anyone|metrics)$/.test(level)),
)('%s: no list, no person and no secret for guests', async (name) => {
  await see('public')
  const [method = '', path = ''] = name.split(' ')
  expect((await asGuest(method, addressOf(path, 'web'))).status).toBe(401)
})

it('answers a public repository, its builds, its log and its commit, and no right to anything', async () => {
  await see('public')
  for (const path of ['', '/builds', '/builds/1', `/commits/${sha}`, `/commits/${sha}/builds`, '/builds/branches']) {
    const answer = await asGuest('GET', `/api/repos/acme/web${path}`)
    expect([path, answer.status]).toEqual([path, 200])
  }
  expect(JSON.parse((await asGuest('GET', '/api/repos/acme/web')).text)).not.toHaveProperty('permissions')
})

it('sends guests events of public repositories, and of no others', async () => {
  await see('private')
  const response = await app.request('/api/stream')
  const reader = response.body?.getReader() ?? expect.fail('no body')
  let text = ''
  const until = async (words: string) => {
    while (!text.includes(words)) text += new TextDecoder().decode((await reader.read()).value)
  }
  await app.bench.push(sha, { message: 'in private' })
  await see('internal')
  await app.bench.push(sha, { message: 'inside' })
  await see('public')
  await app.bench.push(sha, { message: 'for everybody' })
  await until('for everybody')
  await reader.cancel()
  expect(text).not.toMatch(/in private|inside/)
})

it('marks the page, under its own policy; without the option it has no mark', async () => {
  const script = 'flightdeckPublicPages=true'
  writeFileSync(join(app.webRoot, 'index.html'), '<!doctype html><head></head>')
  const page = await app.request('/acme/web')
  expect(await page.text()).toContain(`<head><script>${script}</script></head>`)
  const hash = createHash('sha256').update(script).digest('base64')
  expect(page.headers.get('content-security-policy')).toContain(`'sha256-${hash}'`)
  const closed = await createTestApp()
  expect(await (await closed.request('/acme/web')).text()).not.toContain('PublicPages')
  await closed.close()
})
