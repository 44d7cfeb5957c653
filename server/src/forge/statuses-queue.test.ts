/** When a status is sent again. */
import type { Status } from '@flightdeck/api'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { BuildEventMessage } from '../interfaces/events.ts'
import { createBuild, updateBuild } from '../store/builds.ts'
import { findForgeRepo } from '../store/forge-repos.ts'
import { listDueStatuses, putStatus, statusFailed } from '../store/statuses.ts'
import { buildRow } from '../testing/build-row.ts'
import { openForgeBench, repository, shaOf, type ForgeBench } from '../testing/forge-bench.ts'
import { ForgeError } from './driver.ts'
import { nextAttempt, startStatuses, type Statuses } from './statuses-queue.ts'

/** Lets fake time pass until it is so. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await vi.advanceTimersByTimeAsync(1_000)
}

/** Lets a minute pass, and what it starts end. */
async function passMinute(): Promise<void> {
  for (let second = 0; second < 60; second += 1) {
    await vi.advanceTimersByTimeAsync(1_000)
    await new Promise((resolve) => setImmediate(resolve))
  }
}

describe('a status that the forge does not take', () => {
  it('is repeated later and later, as the forge asks, and never where it was refused', () => {
    const down = new ForgeError('unavailable', 'Down.')
    expect([0, 1, 2, 20].map((attempts) => nextAttempt(down, attempts, 100) - 100)).toEqual([5, 10, 20, 1800])
    expect(nextAttempt(new ForgeError('rate-limited', 'Later.', { retryAfterMs: 60_000 }), 0, 100)).toBe(160)
    expect(nextAttempt(new ForgeError('refused', 'No.', { status: 422 }), 0, 100)).toBe(0)
    expect(nextAttempt(down, 200, 100)).toBe(0)
  })
})

it('many due statuses are sent without a pause', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const bench = openForgeBench()
  const { db, world } = bench
  const ann = await bench.signedIn('ann')
  world.repositories = [repository('11', 'acme/web')]
  await bench.sync(ann)
  const { id } = (await findForgeRepo(db, '11')) ?? expect.fail('not there')
  const texts = { state: 'success', description: '', url: '', ref: 'main', deployment: '', environment: '' }
  for (let number = 0; number < 65; number += 1)
    await putStatus(db, { repoId: id, buildId: 1, sha: shaOf('a'), context: `ci/${number}`, ...texts }, world.clock)
  let sent = 0
  const driver = { ...bench.forge.driver, setStatus: async () => void (sent += 1) }
  const statuses = startStatuses({ ...bench.forge, driver })
  // Four seconds: without work, it looks every five.
  for (let step = 0; step < 40; step += 1) {
    await vi.advanceTimersByTimeAsync(100)
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(sent).toBe(65)
  await statuses.stop()
  vi.useRealTimers()
  await bench.close()
})

it('statuses of an outage are sent with the first one that the forge accepts again', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const bench = openForgeBench()
  const { db, world } = bench
  const forge = { ...bench.forge, driver: { ...bench.forge.driver } }
  const ann = await bench.signedIn('ann')
  world.repositories = [repository('11', 'acme/web')]
  await bench.sync(ann)
  const { id } = (await findForgeRepo(db, '11')) ?? expect.fail('not there')
  const put = (sha: string) => {
    const texts = { state: 'success', description: '', url: '', ref: 'main', deployment: '', environment: '' }
    return putStatus(db, { repoId: id, buildId: 1, sha, context: 'ci/push', ...texts }, world.clock)
  }
  await put(shaOf('a'))
  const [old] = await listDueStatuses(db, world.clock, 1)
  // It has waited for hours, and would for half an hour more.
  await statusFailed(db, old ?? expect.fail('no status'), world.clock + 1_800, 'Down.')
  await put(shaOf('b'))
  const sent: string[] = []
  let isDown = true
  forge.driver.setStatus = async (_token, _repo, sha) => {
    if (isDown) throw new ForgeError('unavailable', 'Down.')
    sent.push(sha)
  }
  const statuses = startStatuses(forge)
  await until(() => world.logged.length > 0)
  isDown = false
  world.clock += 5
  await until(() => sent.length === 2)
  expect(sent).toEqual([shaOf('b'), shaOf('a')])
  await statuses.stop()
  vi.useRealTimers()
  await bench.close()
})

describe('the statuses of a build', () => {
  let bench: ForgeBench
  let sent: string[]
  let statuses: Statuses
  /** Resolves when the forge accepts a status. */
  let accept: () => Promise<void>
  let change: (status: Status) => Promise<void>
  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    bench = openForgeBench()
    const { db, world } = bench
    const ann = await bench.signedIn('ann')
    world.repositories = [repository('11', 'acme/web')]
    await bench.sync(ann)
    const repo = (await findForgeRepo(db, '11')) ?? expect.fail('not there')
    const push = { ref: 'refs/heads/main', target: 'main', after: shaOf('a') }
    let build = await createBuild(db, buildRow({ ...push, repo_id: repo.id, number: 1, status: 'pending' }))
    let publish: (message: BuildEventMessage) => void = () => expect.fail('no listener')
    sent = []
    accept = async () => {}
    const driver = {
      ...bench.forge.driver,
      setStatus: async (_token: unknown, _repo: unknown, _sha: string, { state }: { state: string }) => {
        await accept()
        sent.push(state)
      },
    }
    const events = {
      ...bench.forge.ci.events,
      subscribe: (listener: typeof publish) => {
        publish = listener
        return () => undefined
      },
    }
    statuses = startStatuses({ ...bench.forge, driver, ci: { ...bench.forge.ci, events } })
    change = async (status) => {
      build = await updateBuild(db, { ...build, status })
      publish({ repoId: repo.id, buildId: build.id, slug: 'acme/web', visibility: 'private', json: '' })
    }
  })
  afterEach(async () => {
    await statuses.stop()
    vi.useRealTimers()
    await bench.close()
  })

  it('are only the final one when the build is over before another was sent', async () => {
    await change('pending')
    await change('running')
    await change('success')
    await until(() => sent.length > 0)
    await passMinute()
    expect(sent).toEqual(['success'])
  })

  it('keep their order when the build is over while the forge still accepts the first', async () => {
    let release: (() => void) | undefined
    accept = () => new Promise((resolve) => (release = resolve))
    await change('running')
    await until(() => release !== undefined)
    await change('success')
    await passMinute()
    expect(sent).toEqual([])
    accept = async () => {}
    release?.()
    await until(() => sent.length === 2)
    expect(sent).toEqual(['running', 'success'])
  })
})
