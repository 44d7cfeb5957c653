/**
 * Waiting reasons that clients receive, for builds with and without stages, and how often the queue
 * is read.
 */
import type { Build, Step } from '@flightdeck/api'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openContext, type TestContext } from '../../testing/test-context.ts'
import { createRunnerRegistry, type RunnerRegistry } from './runner-registry.ts'
import { createReasons, type QueueSnapshot, type Reasons } from './waiting-reasons.ts'
import { runnersState } from './runner-overview.ts'

const filter = { kind: 'pipeline', type: 'exec', os: 'linux', arch: 'amd64' }
const nobody = 'Waiting for a runner of type exec for linux/amd64; none is connected'
const soon = 'Waiting for a runner to pick it up'
const approval = 'Waiting for approval (needs write access)'

let context: TestContext
let runnerRegistry: RunnerRegistry
let reasons: Reasons
let time = 0
let paused = false
beforeEach(async () => {
  context = await openContext()
  time = 0
  paused = false
  runnerRegistry = createRunnerRegistry(
    () => reasons.changed(),
    () => time,
  )
  reasons = createReasons({ db: context.db, runnerRegistry, isPaused: () => paused, now: () => time })
})
afterEach(() => context.close())

const plain = (build: Build): Build => {
  const { stages: _stages, ...rest } = build
  return rest
}
const textOf = (thing: { waiting?: { text: string } } | undefined) => thing?.waiting?.text
const told = async (build: Build) => {
  const [one] = await reasons.withReasons([build])
  return [textOf(one), ...(one?.stages ?? []).map(textOf)]
}

describe('a check', () => {
  it('is good for a second, unless something changes', async () => {
    const first = await reasons.snapshot()
    time += 999
    expect(await reasons.snapshot()).toBe(first)
    time += 1
    const second = await reasons.snapshot()
    expect(second).not.toBe(first)
    reasons.changed()
    expect(await reasons.snapshot()).not.toBe(second)
  })

  it('is needless while nothing waited at the last one and nothing has come since', async () => {
    expect(reasons.isIdle()).toBe(false)
    await reasons.snapshot()
    time += 60_000
    expect(reasons.isIdle()).toBe(true)
    await context.build([{ name: 'a' }])
    reasons.changed()
    expect(reasons.isIdle()).toBe(false)
    await reasons.snapshot()
    expect(reasons.isIdle()).toBe(false)
  })

  it('is shared by concurrent calls, and publishes its changes once', async () => {
    const seen: QueueSnapshot[] = []
    reasons.onSnapshot((look) => seen.push(look))
    const looks = await Promise.all([reasons.snapshot(), reasons.snapshot(), reasons.snapshot()])
    expect(new Set(looks).size).toBe(1)
    await reasons.snapshot()
    expect(seen).toEqual([looks[0]])
  })

  it('that began before a change is not the one that is asked for after it', async () => {
    const { id } = await context.build([{ name: 'a' }])
    const first = reasons.snapshot()
    await Promise.resolve()
    paused = true
    reasons.changed()
    const second = await reasons.snapshot()
    expect(second.builds.get(id)?.waiting?.text).toBe('The queue is paused')
    await first
    expect((await reasons.snapshot()).builds.get(id)?.waiting?.text).toBe('The queue is paused')
  })

  it('that fails is not the next one’s failure', async () => {
    let broken = true
    const own = createReasons({
      db: context.db,
      runnerRegistry,
      isPaused: () => (broken ? expect.fail('broken') : false),
      now: () => time,
    })
    await expect(own.snapshot()).rejects.toThrow('broken')
    broken = false
    expect((await own.snapshot()).builds.size).toBe(0)
  })

  it('sees more stages than are read at once', async () => {
    const { id, stages } = await context.build(Array.from({ length: 1_001 }, (_, index) => ({ name: `s${index}` })))
    const look = await reasons.snapshot()
    expect(look.reasons.size).toBe(1_001)
    expect(look.reasons.get(stages.at(-1)?.id ?? 0)?.reason).toBe('runner')
    expect(look.builds.get(id)?.reasons).toHaveLength(1_001)
  })

  it('has the reason of the first waiting stage of each build, unless one runs', async () => {
    const waits = await context.build([{ name: 'a', machine: 'm' }, { name: 'b' }])
    const runs = await context.build([{ name: 'a' }, { name: 'b', status: 'running', machine: 'm' }])
    const over = await context.build([{ name: 'a', status: 'success' }], { status: 'success' })
    const { builds } = await reasons.snapshot()
    expect(builds.get(waits.id)).toMatchObject({ repoId: context.repo.id, waiting: { reason: 'start' } })
    expect(builds.get(waits.id)?.reasons.map(({ reason }) => reason)).toEqual(['start', 'place'])
    expect(builds.get(runs.id)?.waiting).toBeUndefined()
    expect(builds.get(runs.id)?.reasons).toHaveLength(1)
    expect(builds.has(over.id)).toBe(false)
  })
})

describe('a build', () => {
  it('that was declined has no step that waits, even in a stage that still runs', async () => {
    const build = await context.build([{ name: 'a', status: 'running', machine: 'm' }], { status: 'declined' })
    const steps = [{ id: 1, number: 1, name: 'x', status: 'pending' }] as Step[]
    const [one] = await reasons.withReasons([{ ...build, stages: build.stages?.map((stage) => ({ ...stage, steps })) }])
    expect(one?.stages?.[0]?.steps).toEqual(steps)
  })

  it('that waits for a runner says so, with its stages and without', async () => {
    const build = await context.build([
      { name: 'a' },
      { name: 'b', status: 'waiting_on_dependencies', depends_on: ['a'] },
    ])
    expect(await told(build)).toEqual([nobody, nobody, 'Waiting for a'])
    expect(await told(plain(build))).toEqual([nobody])
    runnerRegistry.addPoll(filter)
    expect(await told(build)).toEqual([soon, soon, 'Waiting for a'])
    expect(await told(plain(build))).toEqual([soon])
  })

  it('that waits for an approval says so', async () => {
    const build = await context.build([{ name: 'a', status: 'blocked' }])
    const silent = await context.build([{ name: 'a', status: 'success' }])
    expect(await told(build)).toEqual([approval, approval])
    expect(await told(plain(build))).toEqual([approval])
    expect(await told(plain(silent))).toEqual([undefined])
    const many = await reasons.withReasons([plain(silent), plain(build)])
    expect(many.map(textOf)).toEqual([undefined, approval])
  })

  it('of which something runs waits for nothing, though its stages do', async () => {
    const build = await context.build(
      [{ name: 'a', status: 'running', machine: 'm', started: 1 }, { name: 'b', status: 'blocked' }, { name: 'c' }],
      { status: 'running' },
    )
    const own = 'Queued: 1st of 1 (1 of 1 runner slots busy)'
    expect(await told(build)).toEqual([undefined, undefined, approval, own])
    expect(await told(plain(build))).toEqual([undefined])
  })

  it('names first what waits in the queue, then what waits for an approval', async () => {
    const build = await context.build([
      { name: 'a', status: 'blocked' },
      { name: 'b', machine: 'far' },
    ])
    const taken = 'Picked up by far, not started yet'
    expect(await told(build)).toEqual([taken, approval, taken])
  })

  it('that is over has no reason, whatever is left of it', async () => {
    const build = await context.build([{ name: 'a', status: 'blocked' }], { status: 'declined' })
    expect(await told(build)).toEqual([undefined, undefined])
    expect((await reasons.withReasons([build]))[0]?.stages).toMatchObject([{ status: 'blocked' }])
    expect(textOf(reasons.withKnown(build).stages?.[0])).toBeUndefined()
    expect(await told(plain({ ...build, status: 'killed' }))).toEqual([undefined])
    const done = await context.build([{ name: 'a', status: 'success' }], { status: 'success' })
    const before = await reasons.withReasons([done])
    expect(before).toEqual([done])
  })

  it('is sent at once with the last known reason', async () => {
    const build = await context.build([{ name: 'a' }, { name: 'b', status: 'blocked' }])
    const known = () => {
      const one = reasons.withKnown(build)
      return [textOf(one), ...(one.stages ?? []).map(textOf)]
    }
    expect(known()).toEqual([undefined, undefined, approval])
    await reasons.snapshot()
    expect(known()).toEqual([nobody, nobody, approval])
    paused = true
    expect(known()).toEqual([nobody, nobody, approval])
    expect(reasons.withKnown(plain(build))).toEqual(plain(build))
  })
})

it('stages without a build have their reason from the queue', async () => {
  const { stages } = await context.build([
    { name: 'a' },
    { name: 'b', machine: 'far' },
    { name: 'c', status: 'success' },
  ])
  expect((await reasons.stages(stages)).map(textOf)).toEqual([
    'Queued: 1st of 1 (1 of 1 runner slots busy)',
    'Picked up by far, not started yet',
    undefined,
  ])
  const over = stages.slice(2)
  expect(await reasons.stages(over)).toEqual(over)
})

it('nothing that waits is no reason to read the queue', async () => {
  const seen: QueueSnapshot[] = []
  reasons.onSnapshot((look) => seen.push(look))
  const { stages, ...build } = await context.build([{ name: 'a', status: 'success' }], { status: 'success' })
  await reasons.withReasons([build, { ...build, stages }])
  await reasons.stages(stages)
  expect(seen).toEqual([])
})

describe('what administrators see', () => {
  const state = () =>
    runnersState({ db: context.db, reasons, isPaused: () => paused, now: () => 5_000, version: '1.2.3' })

  it('the runners, with what they have', async () => {
    const { stages } = await context.build([{ name: 'a', status: 'running', machine: 'far' }, { name: 'b' }])
    runnerRegistry.addPoll(filter, { address: '192.0.2.1', agent: 'drone-runner/2' })(stages[0]?.id)
    runnerRegistry.accepted(stages[0]?.id ?? 0, 'far')
    runnerRegistry.addPoll({ ...filter, arch: '', os: '' }, { address: '192.0.2.2', agent: 'Go-http-client/1.1' })()
    time += 61_400
    runnerRegistry.addPoll(filter)
    const { runners, queue, total, paused: isPaused } = await state()
    expect(isPaused).toBe(false)
    expect(runners).toMatchObject([
      {
        builtin: false,
        address: '192.0.2.1',
        machines: ['far'],
        version: 'drone-runner/2',
        present: true,
        asked: 4_939,
        busy: 1,
      },
      {
        builtin: false,
        address: '192.0.2.2',
        version: '',
        filter: { type: 'exec' },
        present: false,
        places: 0,
        busy: 0,
        runs: [],
      },
      { builtin: true, address: '', version: '1.2.3', present: true, asked: 5_000, places: 1, busy: 0, runs: [] },
    ])
    expect(runners[0]?.runs.map(({ stage_id: id }) => id)).toEqual([stages[0]?.id])
    expect(runners[1]?.filter).toEqual({ type: 'exec' })
    expect(queue.map(({ stage_id: id, waiting }) => [id, waiting?.reason])).toEqual([
      [stages[0]?.id, undefined],
      [stages[1]?.id, 'place'],
    ])
    expect(total).toBe(2)
  })

  it('the queue as far as people read, and how long it is', async () => {
    await context.build(Array.from({ length: 201 }, (_, index) => ({ name: `s${index}` })))
    paused = true
    const { queue, total, paused: isPaused } = await state()
    expect([queue.length, total, isPaused]).toEqual([200, 201, true])
    expect(new Set(queue.map(({ waiting }) => waiting?.text))).toEqual(new Set(['The queue is paused']))
  })
})
