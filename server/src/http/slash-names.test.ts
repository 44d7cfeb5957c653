/**
 * A namespace with slashes (GitLab's subgroups) is one encoded part of the address: every route
 * takes it like a plain one.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { moveRepo } from '../store/forge-repos.ts'
import { createTestApp, type TestApp } from '../testing/test-app.ts'
import { access } from './access.ts'

let app: TestApp
/**
 * Of things that are not there, so that a call does no harm; but the first build and its log are.
 */
const samples: Record<string, string> = { number: '1', stage: '1', step: '1', pull: '1', branch: 'main' }
const routes = Object.keys(access).filter((route) => /\/:(owner|namespace)\b/.test(route))

beforeAll(async () => {
  app = await createTestApp()
  app.bench.commit('kind: pipeline\ntype: exec\nname: default\nsteps:\n- name: look\n  commands: [ls]\n')
  await app.bench.startBuild()
})
afterAll(() => app.close())

async function ask(route: string, namespace: string) {
  const repo = await app.changeRepo({ active: true })
  await moveRepo(app.bench.db, repo, { namespace, name: 'web' }, 1)
  const [method = '', path = ''] = route.split(' ')
  const address = path
    .replace(/:(owner|namespace)\b/, encodeURIComponent(namespace))
    .replaceAll(/:(\w+)/g, (_, name: string) => (name === 'name' ? 'web' : (samples[name] ?? 'nobody-there')))
    .replace('*', 'x')
  const response = await app.request(address, { as: 'ann', method: method === 'ALL' ? 'GET' : method })
  const type = response.headers.get('content-type')
  if (type === 'text/event-stream') {
    await response.body?.cancel()
    return { status: response.status, type }
  }
  const text = await response.text()
  // Other tests check the responses; here only the text of an unknown route matters.
  return { status: response.status, type, ...(response.status >= 400 && { text }) }
}

describe('a namespace with slashes', () => {
  it.each(routes)('is one part of %s', async (route) => {
    expect(await ask(route, 'group/sub/deep')).toEqual(await ask(route, 'acme'))
  })

  it('is nothing without its code', async () => {
    await ask('GET /api/repos/:owner/:name', 'group/sub')
    const status = async (path: string) => (await app.request(path, { as: 'ann' })).status
    expect(await status('/api/repos/group%2Fsub/web')).toBe(200)
    expect(await status('/api/repos/group%2fsub/web')).toBe(200)
    for (const path of [
      'group/sub/web',
      'group/sub%2Fweb',
      'group%252Fsub/web',
      'group%2F..%2Fsub/web',
      'group%2Fsub%2Fweb',
    ])
      expect([path, await status(`/api/repos/${path}`)]).toEqual([path, 404])
  })
})
