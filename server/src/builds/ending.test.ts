/**
 * How builds end that no runner ends: canceled (docs/api §5.6), timed out, or interrupted by a
 * crashed server.
 */
import type { Build, Status, Step } from '@flightdeck/api'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { restartText } from '../interfaces/runner.ts'
import { setRemote } from '../store/remote-stages.ts'
import { findUser, updateUser } from '../store/users.ts'
import { never } from '../testing/test-bench.ts'
import { openContext, type StageFacts, type TestContext } from '../testing/test-context.ts'
import { autoCancel, cancelBuild } from './cancel.ts'
import { purge } from './purge.ts'
import { reapBuilds, startReaper } from './reaper.ts'
import { recoverBuilds } from './recover.ts'

let context: TestContext
beforeEach(async () => {
  context = await openContext()
})
afterEach(() => context.close())

/** What the database has to answer is answered. */
const settled = async () => {
  for (let turn = 0; turn < 30; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}
const step = (status: Status, started = 0): Partial<Step> => ({ status, started })
const cancel = (id: number, ...how: [Parameters<typeof cancelBuild>[3]?]) =>
  cancelBuild(context.ci, context.closers, id, ...how)

describe('a cancel', () => {
  it('kills what had begun and skips the rest, steps with the code 130', async () => {
    const { id } = await context.build(
      [
        { name: 'ran', status: 'success', started: 5, stopped: 6, steps: [step('success', 5)] },
        {
          name: 'runs',
          status: 'running',
          started: 5,
          exit_code: 0,
          steps: [step('success', 5), step('running', 6), step('pending')],
        },
        { name: 'waits', status: 'waiting_on_dependencies' },
      ],
      { status: 'running', started: 5 },
    )
    context.clock.now += 9
    const { now } = context.clock
    const watching = context.ci.watchers.wait(id, never)
    const answer = await cancel(id, { status: 'killed', by: 'wes' })
    expect(answer).toMatchObject({ status: 'killed', started: 5, finished: now, canceled: now, canceled_by: 'wes' })
    const [ran, runs, waits] = (await context.read(id)).stages
    expect(ran).toMatchObject({ status: 'success', stopped: 6, version: 1, steps: [{ status: 'success', version: 1 }] })
    expect(runs).toMatchObject({ status: 'killed', started: 5, stopped: now, updated: now, exit_code: 0 })
    expect(runs?.steps).toMatchObject([
      { status: 'success', exit_code: 0, version: 1 },
      { status: 'killed', exit_code: 130, started: 6, stopped: now },
      { status: 'skipped', exit_code: 130, started: now, stopped: now },
    ])
    expect(waits).toMatchObject({ status: 'skipped', started: now, stopped: now })
    expect(await watching).toBe(true)
  })

  it('of a finished build ends only what is left of it', async () => {
    const { id, version } = await context.build(
      [
        { name: 'a', status: 'declined' },
        { name: 'b', status: 'blocked' },
      ],
      { status: 'declined', started: 3, finished: 4 },
    )
    const answer = await cancel(id, { status: 'killed', by: 'wes' })
    expect(answer).toMatchObject({ status: 'declined', started: 3, finished: 4, version })
    expect(answer).not.toHaveProperty('canceled_by')
    // A declined stage is not finished, and so it is skipped like the others.
    expect((await context.statuses(id)).slice(2)).toEqual(['skipped'])
  })

  it('without a person is a timeout by the server; a superseded build was not cancelled', async () => {
    const [late, older] = [await context.build([{ name: 'a' }]), await context.build([{ name: 'a' }])]
    const { now } = context.clock
    const answer = await cancel(late.id)
    expect(answer).toMatchObject({ status: 'killed', started: now, canceled: now })
    expect(answer).not.toHaveProperty('canceled_by')
    expect(await cancel(older.id, { status: 'skipped' })).not.toHaveProperty('canceled')
  })
})

describe('a newer build', () => {
  const rules = { auto_cancel_pushes: false, auto_cancel_pull_requests: false, auto_cancel_running: false }
  const all = { auto_cancel_pushes: true, auto_cancel_pull_requests: true, auto_cancel_running: true }
  it.each<[Build['event'], Partial<typeof rules>, [Status, Status]]>([
    ['push', {}, ['pending', 'running']],
    ['push', { auto_cancel_pushes: true }, ['skipped', 'running']],
    ['push', { auto_cancel_pushes: true, auto_cancel_running: true }, ['skipped', 'skipped']],
    ['push', { auto_cancel_pull_requests: true, auto_cancel_running: true }, ['pending', 'running']],
    ['pull_request', { auto_cancel_pull_requests: true }, ['skipped', 'running']],
    ['pull_request', { auto_cancel_pushes: true }, ['pending', 'running']],
    ['tag', all, ['pending', 'running']],
    ['custom', all, ['pending', 'running']],
  ])('of the event %s takes the place of older ones by %j', async (event, changes, expected) => {
    const older = await context.build([{ name: 'a' }], { event })
    const running = await context.build([{ name: 'a', status: 'running', started: 1 }], { event, status: 'running' })
    const newest = await context.build([{ name: 'a' }], { event })
    await autoCancel(context.ci, context.closers, { ...rules, ...changes }, newest)
    const statuses = await Promise.all([older, running, newest].map(async ({ id }) => (await context.read(id)).status))
    expect(statuses).toEqual([...expected, 'pending'])
  })
})

describe('the reaper', () => {
  const day = 24 * 3600
  const half = 1800
  const reap = () => reapBuilds(context.ci, context.closers)
  /** The build ends after this many seconds, not earlier. */
  async function endsAfter(seconds: number, stages: readonly StageFacts[], facts: Partial<Build> = {}) {
    const { id, status } = await context.build(stages, facts)
    context.clock.now += seconds
    await reap()
    expect((await context.read(id)).status).toBe(status)
    context.clock.now += 1
    await reap()
    expect((await context.read(id)).status).toBe('killed')
  }
  const at = (more: number) => context.clock.now + more

  it('ends what waits for a day and half an hour', () => endsAfter(day + half, [{ name: 'a' }]))
  it('ends what works after an hour and a half', () =>
    endsAfter(3600 + half, [{ name: 'a', status: 'running', started: at(0), machine: 'm' }], { status: 'running' }))
  it('goes by the time limit of the repository', async () => {
    await context.changeRepo({ timeout: 10 })
    await endsAfter(600 + half, [{ name: 'a', status: 'running', started: at(0), machine: 'm' }], { status: 'running' })
  })
  it('goes by what began last', () =>
    endsAfter(
      3600 + half + 50,
      [
        { name: 'a', status: 'running', started: at(50), machine: 'm' },
        { name: 'b', status: 'running', started: at(20), machine: 'm' },
        { name: 'c', status: 'success', started: at(0), stopped: at(70) },
      ],
      { status: 'running', started: at(0) },
    ))
  it('takes what was taken and not begun for work', () =>
    endsAfter(3600 + half + 5, [{ name: 'a', machine: 'm', updated: at(5) }], { status: 'running', started: at(0) }))
  it.each<[string, Partial<StageFacts>, number]>([
    ['began', { started: 30 }, 30],
    ['ended', { started: 30, stopped: 40 }, 40],
    ['was touched', { updated: 45 }, 45],
  ])('gives what waits in a running build a day from what %s last', async (_what, times, more) => {
    const absolute = Object.fromEntries(Object.entries(times).map(([key, value]) => [key, at(Number(value))]))
    await endsAfter(
      day + half + more,
      [
        { name: 'a', status: 'success', updated: 0, ...absolute },
        { name: 'b', updated: 0 },
      ],
      { status: 'running', started: at(0) },
    )
  })
  it('gives a running build of which nothing ran a day from its start', () =>
    endsAfter(day + half + 9, [{ name: 'b', updated: 0 }], { status: 'running', started: at(9) }))

  it('runs every five minutes until it is stopped, and logs an error', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const said = vi.spyOn(console, 'error').mockReturnValue()
    try {
      const { id } = await context.build([{ name: 'a' }])
      const reaper = startReaper(context.ci, context.closers)
      context.clock.now += 2 * day
      vi.advanceTimersByTime(5 * 60_000 - 1)
      await settled()
      expect((await context.read(id)).status).toBe('pending')
      vi.advanceTimersByTime(1)
      await settled()
      expect((await context.read(id)).status).toBe('killed')
      await reaper.stop()
      expect(vi.getTimerCount()).toBe(0)
      const broken = { ...context.ci, now: () => expect.fail('no clock') }
      startReaper(broken, context.closers, 10)
      vi.advanceTimersByTime(10)
      await settled()
      expect(said).toHaveBeenCalledOnce()
    } finally {
      vi.clearAllTimers()
      vi.useRealTimers()
      vi.restoreAllMocks()
    }
  })
})

describe('after a crash of the server', () => {
  const recover = () => recoverBuilds(context.db, context.clock.now)
  const remote = async (stageId: number | undefined) => setRemote(context.db, stageId ?? 0, true)

  it('what ran is an error in words, and the rest is skipped', async () => {
    const { id } = await context.build(
      [
        { name: 'ran', status: 'success', started: 5, stopped: 6 },
        {
          name: 'runs',
          status: 'running',
          machine: 'm',
          started: 5,
          steps: [step('success', 5), step('running', 6), step('pending')],
        },
        { name: 'taken', machine: 'm' },
        { name: 'waits' },
      ],
      { status: 'running', started: 5 },
    )
    const { now } = context.clock
    await recover()
    const { stages, ...build } = await context.read(id)
    expect(build).toMatchObject({ status: 'error', error: restartText, started: 5, finished: now })
    const broken = { status: 'error', error: restartText, exit_code: 255, stopped: now }
    expect(stages).toMatchObject([
      { status: 'success', stopped: 6 },
      {
        ...broken,
        started: 5,
        updated: now,
        steps: [
          {
            status: 'success',
            exit_code: 0,
          },
          {
            ...broken,
            started: 6,
          },
          {
            status: 'skipped',
            started: now,
            stopped: now,
            exit_code: 0,
          },
        ],
      },
      { ...broken, started: now },
      { status: 'skipped', started: now, stopped: now, exit_code: 0 },
    ])
    expect(stages[3]).not.toHaveProperty('error')
    expect(stages[1]?.steps?.[2]).not.toHaveProperty('error')
  })

  it('a build that had not started still gets a start time', async () => {
    const { id } = await context.build([{ name: 'taken', machine: 'm' }])
    await recover()
    expect(await context.read(id)).toMatchObject({ status: 'error', started: context.clock.now })
  })

  it('unassigned stages keep waiting, and stages on other machines keep running', async () => {
    const waiting = await context.build([{ name: 'a' }, { name: 'b', status: 'blocked' }])
    const elsewhere = await context.build([
      { name: 'a', status: 'running', machine: 'far', started: 5 },
      { name: 'b', machine: 'far' },
    ])
    for (const { id } of elsewhere.stages) await remote(id)
    await recover()
    expect(await context.statuses(waiting.id)).toEqual(['pending', 'pending', 'blocked'])
    expect(await context.statuses(elsewhere.id)).toEqual(['pending', 'running', 'pending'])
  })

  it('of a build on two machines only ours is over, with what needs it', async () => {
    const { id, stages } = await context.build(
      [
        { name: 'ours', status: 'running', machine: 'm', started: 5 },
        { name: 'theirs', status: 'running', machine: 'far', started: 5 },
        { name: 'free' },
        { name: 'needs', status: 'waiting_on_dependencies', depends_on: ['ours'] },
      ],
      { status: 'running', started: 5 },
    )
    await remote(stages[1]?.id)
    await recover()
    expect(await context.statuses(id)).toEqual(['running', 'error', 'running', 'pending', 'skipped'])
    expect((await context.read(id)).stages[0]).toMatchObject({ error: restartText, exit_code: 255 })
  })

  it('no sync is running any more', async () => {
    await updateUser(context.db, context.user.id, { syncing: true })
    await recover()
    expect((await findUser(context.db, context.user.id))?.syncing).toBe(false)
  })
})

it('a purge ends what runs among the older builds, and removes them with their logs', async () => {
  const running = { status: 'running', machine: 'm', started: 5 } as const
  const first = await context.build([{ name: 'a', ...running, steps: [step('running', 5)] }], { status: 'running' })
  const second = await context.build([{ name: 'a', ...running, steps: [step('running', 5)] }], { status: 'running' })
  const logged = [first, second].map(({ stages }) => stages[0]?.steps?.[0]?.id ?? 0)
  for (const id of logged) await context.ci.logs.open(id)
  const watching = context.ci.watchers.wait(first.id, never)
  await purge(context.ci, context.closers, { repo: context.repo, before: second.number, by: context.user })
  expect(await watching).toBe(true)
  expect(context.events.find(({ build }) => build.id === first.id)?.build).toMatchObject({
    status: 'killed',
    canceled_by: 'ann',
  })
  await expect(context.read(first.id)).rejects.toMatchObject({ status: 404 })
  expect((await context.read(second.id)).status).toBe('running')
  const ended = new AbortController()
  ended.abort()
  expect(logged.map((id) => context.ci.logs.follow(id, ended.signal) === null)).toEqual([true, false])
})
