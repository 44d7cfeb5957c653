/**
 * A right that is revoked during a call is no longer used: sending, waiting or reading slowly does
 * not keep it.
 */
import { randomBytes } from 'node:crypto'
import type { User } from '@flightdeck/api'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { startSession } from '../people/sessions.ts'
import { listBuilds } from '../store/builds.ts'
import { deletePermissions, setPermissions } from '../store/permissions.ts'
import { updateRepo } from '../store/repos.ts'
import { findUserByLogin } from '../store/users.ts'
import { pipelines } from '../testing/test-bench.ts'
import { createTestApp, tokenOf, type Person, type TestApp } from '../testing/test-app.ts'

let app: TestApp
beforeEach(async () => {
  app = await createTestApp()
})
afterEach(async () => {
  expect(app.failures).toEqual([])
  await app.close()
})

const find = async (login: string) => (await findUserByLogin(app.bench.db, login)) ?? expect.fail('nobody')
const remove = async (login: string) => deletePermissions(app.bench.db, (await find(login)).id, app.bench.repo.id)
const give = async (login: string, rights: { write: boolean; admin: boolean }) =>
  setPermissions(
    app.bench.db,
    { userId: (await find(login)).id, repoId: app.bench.repo.id },
    { read: true, ...rights },
    1,
  )
const token = (person: Person) => ({ Authorization: `Bearer ${tokenOf(person)}` })
const session = async (login: string) => ({
  Cookie: `_session_=${await startSession(app.bench.db, await find(login), app.bench.clock.now)}`,
})

/** A call that was authorized and whose body is held back. */
async function begin(method: string, path: string, headers: Record<string, string>) {
  let reached = () => {}
  const entered = new Promise<void>((resolve) => {
    reached = resolve
  })
  let send = (_text: string) => {}
  const source: UnderlyingDefaultSource<Uint8Array> = {
    pull(controller) {
      reached()
      return new Promise((sent) => {
        send = (text) => {
          controller.enqueue(new TextEncoder().encode(text))
          controller.close()
          sent()
        }
      })
    },
  }
  // Pulled only when read.
  const body = new ReadableStream(source, { highWaterMark: 0 })
  const asked: RequestInit & { duplex: 'half' } = {
    method,
    headers: { 'Content-Type': 'application/json', ...headers },
    body,
    duplex: 'half',
  }
  const answer = app.app.request(path, asked)
  await entered
  return async (json: unknown): Promise<number> => {
    send(JSON.stringify(json))
    return (await answer).status
  }
}

describe('a call with a slow body', () => {
  const all = { read: true, write: true, admin: true }
  const collaborator = '/api/repos/acme/web/collaborators/otto'

  it('is done if the right lasts until the end', async () => {
    const send = await begin('PUT', collaborator, token('ann'))
    await remove('wes')
    expect(await send({ read: true })).toBe(200)
  })

  it('is refused for a collaborator who was removed meanwhile', async () => {
    await give('wes', { write: true, admin: true })
    const send = await begin('PUT', collaborator, token('wes'))
    await remove('wes')
    expect(await send(all)).toBe(404)
    expect((await app.answer('/api/repos/acme/web', { as: 'otto' }))[0]).toBe(404)
  })

  it('is refused for one who may only write, or only read, by now', async () => {
    await give('wes', { write: true, admin: true })
    const sends = [
      await begin('PUT', collaborator, token('wes')),
      await begin('POST', '/api/repos/acme/web/secrets', token('wes')),
    ]
    await give('wes', { write: false, admin: false })
    for (const send of sends) expect(await send({ ...all, name: 'a', data: 'b' })).toBe(404)
  })

  it('ends with the session or the token that it came with', async () => {
    const sends = [
      await begin('PATCH', '/api/user', await session('rae')),
      await begin('PATCH', '/api/user', token('rae')),
    ]
    const reset = await app.answer('/api/users/rae/invitation', { as: 'boss', method: 'POST' })
    expect(reset[0]).toBe(200)
    for (const send of sends) expect(await send({ email: 'thief@example.com' })).toBe(401)
  })

  it('is refused for a former administrator', async () => {
    await app.answer('/api/users/ann', { as: 'boss', method: 'PATCH', json: { admin: true } })
    const sends = [
      await begin('PATCH', '/api/users/otto', token('ann')),
      await begin('PATCH', '/api/repos/acme/web', token('ann')),
    ]
    await app.answer('/api/users/ann', { as: 'boss', method: 'PATCH', json: { admin: false } })
    expect(await sends[0]?.({ admin: true })).toBe(403)
    // Fields that only an administrator can set are ignored silently, as usual.
    expect(await sends[1]?.({ trusted: true })).toBe(200)
    expect((await app.repo()).trusted).toBe(false)
  })
})

describe('a build that is asked for, while git takes its time', () => {
  const path = '/api/repos/acme/web/builds'
  const calls = [path, `${path}/1`, `${path}/1/promote?target=production`, '/api/repos/acme/web/cron/nightly']

  const whileItWaits = async (call: string, act: () => Promise<unknown>) => {
    app.bench.commit(pipelines({ default: '' }))
    await app.bench.startBuild()
    await app.bench.ci.createCron(app.bench.repo, { name: 'nightly', expr: '@daily', branch: 'main' })
    await give('wes', { write: true, admin: false })
    // What is asked last before the build is stored.
    const plan = app.bench.files.plan.bind(app.bench.files)
    const spy = vi.spyOn(app.bench.files, 'plan').mockImplementationOnce(async (...all) => {
      await act()
      return plan(...all)
    })
    const answer = await app.answer(call, { as: 'wes', method: 'POST' })
    expect(spy).toHaveBeenCalledOnce()
    spy.mockRestore()
    return {
      status: answer[0],
      builds: (await listBuilds(app.bench.db, app.bench.repo.id, { page: 1, perPage: 9 })).length,
    }
  }

  it.each(calls)('is made for who may until then: %s', async (call) => {
    expect(await whileItWaits(call, () => remove('rae'))).toEqual({ status: 200, builds: 2 })
  })

  it.each(calls)('is not made for who may only read by then: %s @system', async (call) => {
    const act = () => give('wes', { write: false, admin: false })
    expect(await whileItWaits(call, act)).toEqual({ status: 404, builds: 1 })
  })
})

describe('a change of a build that waits for an earlier one', () => {
  type Change = [name: 'approve' | 'decline' | 'cancel', method: string, rest: string]
  const calls: Change[] = [
    ['approve', 'POST', '/approve/1'],
    ['decline', 'POST', '/decline/1'],
    ['cancel', 'DELETE', ''],
  ]

  const whileItWaits = async ([name, method, rest]: Change, act: () => Promise<unknown>) => {
    const { bench } = app
    await updateRepo(bench.db, { ...(await app.repo()), protected: true })
    await bench.push(bench.commit(pipelines({ one: '', two: '' })))
    await give('wes', { write: true, admin: false })
    const called = new Promise<void>((resolve) => {
      const original = bench.ci[name].bind(bench.ci) as (...all: unknown[]) => Promise<never>
      vi.spyOn(bench.ci, name).mockImplementation((...all: unknown[]) => {
        if ((all.at(-2) as User).login === 'wes') resolve()
        return original(...all)
      })
    })
    // The earlier change ends when it has been published.
    let answer: Promise<[number, unknown]> | undefined
    const publish = bench.ci.events.publish.bind(bench.ci.events)
    vi.spyOn(bench.ci.events, 'publish').mockImplementationOnce(async (...all) => {
      answer = app.answer(`/api/repos/acme/web/builds/1${rest}`, { as: 'wes', method })
      await called
      await act()
      return publish(...all)
    })
    await bench.ci.approve(bench.repo, 1, 2, bench.user)
    const status = (await answer)?.[0]
    return { status, stage: (await bench.statuses(1))['one'] }
  }

  it.each(calls)('is made for who may until then: %s', async (...call) => {
    const { status, stage } = await whileItWaits(call, () => remove('rae'))
    expect([status, stage]).not.toEqual([expect.anything(), 'blocked'])
    expect(status).toBeLessThan(300)
  })

  it.each(calls)('is not made for who may only read by then: %s', async (...call) => {
    const act = () => give('wes', { write: false, admin: false })
    expect(await whileItWaits(call, act)).toEqual({ status: 404, stage: 'blocked' })
  })
})

describe('a slow answer', () => {
  /** A canceled step, whose runner may still send its last lines. */
  const cancelled = async () => {
    app.bench.commit(pipelines({ default: '' }))
    await app.bench.startBuild()
    const stage = await app.bench.take()
    const step = await app.bench.runStep(stage.steps[0] ?? expect.fail('no step'))
    await app.bench.ci.runners.appendLog(step.id, [{ pos: 0, out: 'a word of the log', time: 0 }])
    await app.bench.ci.cancel(app.bench.repo, 1, app.bench.user)
    const { logs } = app.bench.ci
    const waits = new Promise<void>((resolve) => {
      const closed = logs.closed.bind(logs)
      vi.spyOn(logs, 'closed').mockImplementation((...all) => {
        resolve()
        return closed(...all)
      })
    })
    return { waits, end: () => logs.close(step.id) }
  }
  const path = '/api/repos/acme/web/builds/1/logs/1/1'

  it('is sent if the right lasts until then @system', async () => {
    const log = await cancelled()
    const answer = app.answer(path, { as: 'rae' })
    await log.waits
    await remove('wes')
    await log.end()
    expect(await answer).toEqual([200, [{ pos: 0, out: 'a word of the log', time: 0 }]])
  })

  it.each([
    ['whose right was taken', 404, () => remove('rae')],
    ['who was signed out', 401, () => app.answer('/api/users/rae/token/rotate', { as: 'boss', method: 'POST' })],
  ])('is not given to somebody %s meanwhile', async (_word, status, act) => {
    const log = await cancelled()
    const answer = app.answer(path, { as: 'rae' })
    await log.waits
    await act()
    await log.end()
    expect((await answer)[0]).toBe(status)
  })
})

it.each(['gzip', 'identity'])(
  'a saved log (%s) goes on to who may read it, and to nobody else, however slowly he takes it',
  async (encoding) => {
    app.bench.commit(pipelines({ default: '' }))
    await app.bench.startBuild()
    const stage = await app.bench.take()
    const step = await app.bench.runStep(stage.steps[0] ?? expect.fail('no step'))
    // What cannot be packed: more than any buffer on the way.
    const out = randomBytes(3 * 1024 * 1024).toString('base64')
    await app.bench.ci.runners.appendLog(step.id, [{ pos: 0, out, time: 0 }])
    await app.bench.endStep(step)
    const read = async (person: Person) => {
      const headers = { 'accept-encoding': encoding }
      const { body } = await app.request('/api/repos/acme/web/builds/1/logs/1/1', { as: person, headers })
      const reader = body?.getReader() ?? expect.fail('no body')
      await reader.read()
      return async () => {
        while (!(await reader.read()).done);
        return 'all of it'
      }
    }
    const [left, stays] = [await read('rae'), await read('wes')]
    await remove('rae')
    await expect(left()).rejects.toThrow('may no longer read it')
    expect(await stays()).toBe('all of it')
  },
)
