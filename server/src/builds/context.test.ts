/**
 * The one way to change a build: atomic, published to all subscribers, and stored even if
 * publishing fails.
 */
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Build } from '@flightdeck/api'
import { OptimisticLockError } from '../lib/refusal.ts'
import { updateBuild } from '../store/builds.ts'
import { StaleVersionError } from '../store/errors.ts'
import { openContext, type TestContext } from '../testing/test-context.ts'
import { changeBuild, required } from './context.ts'

let context: TestContext
let build: Build
beforeEach(async () => {
  context = await openContext()
  build = await context.build([{ name: 'a' }])
})
afterEach(async () => {
  vi.restoreAllMocks()
  await context.close()
})
const change = (before?: () => Promise<void>) =>
  changeBuild(
    context.ci,
    build.id,
    async (tx) => {
      await updateBuild(tx, { ...build, status: 'running' })
      return 'answer'
    },
    before && { before },
  )
const status = async () => (await context.read(build.id)).status
const settled = async () => {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

it('is stored, then prepared, then published, and the queue is checked', async () => {
  const seen: [string, number][] = []
  const runner = context.ci.queue.request({ kind: 'pipeline', type: 'exec' }, AbortSignal.timeout(10_000))
  expect(await change(async () => void seen.push([await status(), context.events.length]))).toBe('answer')
  expect(seen).toEqual([['running', 0]])
  expect(context.events.map((event) => [event.slug, event.build.status, event.build.stages?.length])).toEqual([
    ['acme/web', 'running', 1],
  ])
  expect((await runner)?.build_id).toBe(build.id)
})

it('that fails changes nothing and is not published', async () => {
  const failing = (error: Error) =>
    changeBuild(context.ci, build.id, async (tx) => {
      await updateBuild(tx, { ...build, status: 'running' })
      throw error
    })
  await expect(failing(new Error('no'))).rejects.toThrow('no')
  await expect(failing(new StaleVersionError())).rejects.toThrow(OptimisticLockError)
  expect([await status(), context.events]).toEqual(['pending', []])
})

it('that cannot be published now is published later, and is still done', async () => {
  const full = Object.assign(new Error('no space'), { code: 'ENOSPC' })
  const publish = vi.spyOn(context.ci.events, 'publish').mockRejectedValueOnce(full)
  expect(await change()).toBe('answer')
  await settled()
  expect(publish).toHaveBeenCalledTimes(2)
  expect(context.events.map((event) => event.build.status)).toEqual(['running'])
})

it('whose publication fails for good is an error of the call', async () => {
  vi.spyOn(context.ci.events, 'publish').mockRejectedValueOnce(new Error('broken'))
  await expect(change()).rejects.toThrow('broken')
  expect(await status()).toBe('running')
})

it('what is published later has the state of that time', async () => {
  vi.spyOn(context.ci.events, 'publish').mockImplementationOnce(async (_id, _read, later) => {
    await updateBuild(context.db, { ...(await context.read(build.id)), status: 'killed' })
    // Reading within the build's lock would deadlock.
    void later?.().then((told) => context.events.push(told))
  })
  await change()
  await settled()
  expect(context.events.map((event) => event.build.status)).toEqual(['killed'])
})

it('what is not there is a 404 in the words that clients know', () => {
  expect(required('x')).toBe('x')
  expect(() => required(null)).toThrow(expect.objectContaining({ status: 404, message: 'sql: no rows in result set' }))
})
