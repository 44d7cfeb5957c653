/** Losing a permission ends open streams immediately. No test here changes the clock. */
import type { Repo, Step } from '@flightdeck/api'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { pipelines } from '../../testing/test-bench.ts'
import { findBuildByNumber } from '../../store/builds.ts'
import { updateRepo } from '../../store/repos.ts'
import { findUserByLogin } from '../../store/users.ts'
import { createTestApp, tokenOf, type Call, type TestApp } from '../../testing/test-app.ts'
import { startSession } from '../../people/sessions.ts'

let app: TestApp
let step: Step
let open: Awaited<ReturnType<typeof openStream>>[] = []
beforeEach(async () => {
  app = await createTestApp({ pingMs: 600_000 })
  app.bench.commit(pipelines({ default: '' }))
  await app.bench.startBuild()
  const stage = await app.bench.take()
  step = await app.bench.runStep(stage.steps[0] ?? expect.fail('no step'))
})
afterEach(async () => {
  for (const stream of open) await stream.cancel()
  open = []
  expect(app.failures).toEqual([])
  await app.close()
})

async function openStream(path: string, call: Call) {
  const response = await app.request(path, call)
  expect(response.status).toBe(200)
  const reader = response.body?.getReader() ?? expect.fail('no body')
  let text = ''
  const read = async () => {
    const { done, value } = await reader.read()
    text += new TextDecoder().decode(value)
    return !done
  }
  await read()
  return {
    cancel: () => reader.cancel(),
    /** Everything received until the server ends the stream. */
    async end() {
      while (await read());
      return text
    },
    async until(end: string) {
      while (!text.includes(end)) if (!(await read())) throw new Error(`the stream ended: ${text}`)
      return text
    },
  }
}
const listen = async (path: string, call: Call = {}) => {
  const stream = await openStream(path, call)
  open.push(stream)
  return stream
}

const paths = ['/api/stream', '/api/stream/acme/web', '/api/stream/acme/web/1/1/1']
const all = (call: Call) => Promise.all(paths.map((path) => listen(path, call)))
const session = async (login: string): Promise<Call> => {
  const user = (await findUserByLogin(app.bench.db, login)) ?? expect.fail('nobody')
  return { headers: { Cookie: `_session_=${await startSession(app.bench.db, user, app.bench.clock.now)}` } }
}
const append = (out: string) => app.bench.ci.runners.appendLog(step.id, [{ pos: 0, out, time: 0 }])
const boss = (method: string, path: string, json: object = {}) => app.answer(path, { as: 'boss', method, json })
const ended = async (streams: readonly { end(): Promise<string> }[]) => {
  for (const stream of streams) {
    const text = await stream.end()
    // A page's stream starts with the build that was started a moment ago.
    expect(text).toMatch(/^: ping\n\n(?:data: .*"status":"running".*\n\n)?$/)
    expect(text).not.toContain('"killed"')
  }
}

describe('open streams end', () => {
  it('of the session that signs out, even if a guest could continue, and of no other', async () => {
    await app.changeRepo({ visibility: 'public' })
    const leaving = await session('rae')
    const streams = await all(leaving)
    const others = [...(await all(await session('rae'))), ...(await all({ as: 'rae' })), ...(await all({}))]
    await app.request('/logout', { method: 'POST', ...leaving })
    await ended(streams)
    await append('on it goes')
    await app.bench.ci.cancel(app.bench.repo, 1, app.bench.user)
    for (const [index, stream] of others.entries()) {
      await stream.until(index % 3 === 2 ? 'on it goes' : '"killed"')
    }
  })

  it.each([
    ['disabled', () => boss('PATCH', '/api/users/rae', { active: false })],
    ['deleted', () => boss('DELETE', '/api/users/rae')],
  ])('of somebody who is %s, however they were opened; sessions and token, too @system', async (_word, act) => {
    await app.changeRepo({ visibility: 'public' })
    const cookie = await session('rae')
    const streams = [...(await all(cookie)), ...(await all({ as: 'rae' }))]
    for (const path of paths) streams.push(await listen(`${path}?access_token=${tokenOf('rae')}`))
    expect((await act())[0]).toBeLessThan(300)
    await ended(streams)
    for (const call of [cookie, { as: 'rae' as const }]) expect((await app.answer('/api/user', call))[0]).toBe(401)
    // Reconnecting does not reopen what was closed before.
    await boss('PATCH', '/api/users/rae', { active: true })
    for (const call of [cookie, { as: 'rae' as const }]) expect((await app.answer('/api/user', call))[0]).toBe(401)
  })

  it('of a token that was replaced, by its owner or an administrator', async () => {
    const first = await all({ as: 'rae' })
    const other = await all({ as: 'wes' })
    await app.answer('/api/user/token?rotate=true', { as: 'rae', method: 'POST' })
    await ended(first)
    await boss('POST', '/api/users/wes/token/rotate')
    await ended(other)
  })

  it('of a repository for a removed collaborator, who still gets other events @system', async () => {
    const streams = await all({ as: 'rae' })
    const [everything, ...ofRepository] = streams
    expect((await app.answer('/api/repos/acme/web/collaborators/rae', { as: 'ann', method: 'DELETE' }))[0]).toBe(204)
    await ended(ofRepository)
    await app.bench.ci.cancel(app.bench.repo, 1, app.bench.user)
    // And immediately again, when the permission is back.
    const json = { read: true }
    await app.answer('/api/repos/acme/web/collaborators/rae', { as: 'ann', method: 'PUT', json })
    await app.bench.startBuild()
    expect(await everything?.until('"number":2,')).not.toContain('"killed"')
  })

  it('of a repository that becomes private, for people who saw it by its visibility only', async () => {
    await app.changeRepo({ visibility: 'public' })
    const guest = await all({})
    const otto = await all({ as: 'otto' })
    const rae = await all({ as: 'rae' })
    await app.answer('/api/repos/acme/web', { as: 'ann', method: 'PATCH', json: { visibility: 'private' } })
    await ended([...guest.slice(1), ...otto.slice(1)])
    await app.bench.ci.cancel(app.bench.repo, 1, app.bench.user)
    await rae[0]?.until('"killed"')
    await app.answer('/api/repos/acme/web', { as: 'ann', method: 'PATCH', json: { visibility: 'public' } })
    await app.bench.startBuild()
    for (const stream of [guest[0], otto[0]]) expect(await stream?.until('"number":2,')).not.toContain('"killed"')
  })
})

it.each([
  ['private', 'public', true],
  ['public', 'private', false],
] as const)('an event of a repository that was %s tells nothing of who sees it once it is %s', async (was, is, may) => {
  const repo = await app.changeRepo({ visibility: was })
  const marker = await updateRepo(app.bench.db, { ...(await app.addRepo('acme', 'marker')), visibility: 'public' })
  const build = (await findBuildByNumber(app.bench.db, repo.id, 1)) ?? expect.fail('no build')
  const notify = (of: Repo, id: number) =>
    app.bench.ci.events.publish(id, async () => ({ ...of, build: { ...build, id, number: id } }))
  const guest = await listen('/api/stream')
  const changed = await app.changeRepo({ visibility: is })
  // As it was read before the change: an event waits where its reader is slow.
  await notify(repo, 901)
  await notify(changed, 902)
  await notify(marker, 903)
  const text = await guest.until('"number":903')
  expect([text.includes('"number":901'), text.includes('"number":902')]).toEqual([false, may])
})

it.each(['at once', 'merged with a change of a moment ago'])(
  'a change of a private time, told %s, reaches no guest once the repository is public again, and every member',
  async (how) => {
    await app.changeRepo({ visibility: 'public' })
    const repo = await app.repo()
    const streams = { guest: await listen('/api/stream'), rae: await listen('/api/stream', { as: 'rae' }) }
    const own = await listen('/api/stream/acme/web', { as: 'otto' })
    const build = (await findBuildByNumber(app.bench.db, repo.id, 1)) ?? expect.fail('no build')
    const notify = (id: number, at: Repo['visibility'], message: string) => {
      const read = async () => ({ ...repo, build: { ...build, id, number: id, message } })
      return app.bench.ci.events.publish(id, read, read, at)
    }
    if (how !== 'at once') await notify(901, 'public', 'before')
    await notify(901, 'private', 'in private')
    await notify(902, 'public', 'after')
    const seen = [streams.guest, streams.rae, own].map(async (stream) =>
      (await stream.until('"number":902')).includes('in private'),
    )
    expect(await Promise.all(seen)).toEqual([false, true, false])
  },
)

it('a build that is cancelled while private and sent when public again reaches no guest', async () => {
  await app.close()
  app = await createTestApp({ pingMs: 600_000, mergeMs: 500 })
  app.bench.commit(pipelines({ default: '' }))
  await app.changeRepo({ visibility: 'public' })
  const guest = await listen('/api/stream')
  await app.bench.startBuild()
  await app.changeRepo({ visibility: 'private' })
  // The build was just published: this event is delayed, and read when the repository is public.
  await app.bench.ci.cancel(app.bench.repo, 1, app.bench.user)
  await app.changeRepo({ visibility: 'public' })
  await app.bench.startBuild()
  expect(await guest.until('"number":2,')).not.toContain('"killed"')
})

it('a page gets recent events first, a program only new ones @system', async () => {
  const page = await listen('/api/stream', await session('rae'))
  expect(await page.until('"running"')).toContain('"number":1,')
  const program = await listen('/api/stream', { as: 'rae' })
  await app.bench.ci.cancel(app.bench.repo, 1, app.bench.user)
  expect(await program.until('"killed"')).not.toContain('"running"')
})
