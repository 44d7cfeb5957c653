/**
 * What waits for its turn on the way to a reader is judged when it has it: thousands of others may
 * come first.
 */
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { findBuildByNumber } from '../../store/builds.ts'
import { deletePermissions } from '../../store/permissions.ts'
import { updateRepo } from '../../store/repos.ts'
import { findUserByLogin } from '../../store/users.ts'
import { createTestApp, type TestApp } from '../../testing/test-app.ts'
import { pipelines } from '../../testing/test-bench.ts'

/** While it is set, the next turn of the event loop waits for it. */
const line = vi.hoisted(() => ({ turn: undefined as Promise<void> | undefined, came: () => {} }))
vi.mock('../../lib/event-loop.ts', async (importOriginal) => {
  const real = await importOriginal<typeof import('../../lib/event-loop.ts')>()
  return {
    ...real,
    async nextTurn() {
      if (line.turn) {
        line.came()
        await line.turn
      }
      return real.nextTurn()
    },
  }
})

let app: TestApp
beforeEach(async () => {
  app = await createTestApp({ pingMs: 600_000 })
  app.bench.commit(pipelines({ default: '' }))
  await app.bench.startBuild()
})
afterEach(async () => {
  line.turn = undefined
  expect(app.failures).toEqual([])
  await app.close()
})

it('a queued event is not sent to a person who was removed meanwhile', async () => {
  const build = (await findBuildByNumber(app.bench.db, app.bench.repo.id, 1)) ?? expect.fail('no build')
  const repo = await app.repo()
  const marker = await updateRepo(app.bench.db, { ...(await app.addRepo('acme', 'marker')), visibility: 'public' })
  const notify = (id: number, of = repo) =>
    app.bench.ci.events.publish(id, async () => ({ ...of, build: { ...build, id, number: id } }))
  const { body } = await app.request('/api/stream', { as: 'rae' })
  const reader = body?.getReader() ?? expect.fail('no stream')
  const next = async () => new TextDecoder().decode((await reader.read()).value)
  expect(await next()).toBe(': ping\n\n')
  await notify(901)
  expect(await next()).toContain('"number":901')
  let goOn = () => {}
  line.turn = new Promise((resolve) => {
    goOn = resolve
  })
  const waits = new Promise<void>((resolve) => {
    line.came = resolve
  })
  await notify(902)
  await waits
  const rae = (await findUserByLogin(app.bench.db, 'rae')) ?? expect.fail('nobody')
  await deletePermissions(app.bench.db, rae.id, repo.id)
  goOn()
  line.turn = undefined
  // Visible to everyone: its arrival shows whether the previous event was sent.
  await notify(903, marker)
  const told = await next()
  await reader.cancel()
  expect(told).toContain('"number":903')
})
