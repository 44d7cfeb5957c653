/** Which changed reasons are published, and how often. */
import type { Waiting } from '@flightdeck/api'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openBench, pipelines, type Bench } from '../../testing/test-bench.ts'
import { createWaitingCheck, startWaitingClock } from './waiting-notifier.ts'
import type { WaitingBuild, QueueSnapshot } from './waiting-reasons.ts'
import { noRunner, paused, queuePosition } from './reason-texts.ts'

describe('the check', () => {
  let builds: Map<number, WaitingBuild>
  let told: number[]
  let time: number
  let check: () => Promise<void>
  beforeEach(() => {
    builds = new Map()
    told = []
    time = 0
    const look = async () => ({ reasons: new Map(), builds, runners: [] })
    const notify = async (id: number) => void told.push(id)
    check = createWaitingCheck({ readSnapshot: look, publish: notify }, () => time)
  })
  const set = (id: number, ...reasons: Waiting[]) => builds.set(id, { repoId: 1, waiting: reasons[0], reasons })
  const afterwards = async (milliseconds = 500): Promise<number[]> => {
    told = []
    time += milliseconds
    await check()
    return told
  }

  it('sends a changed reason, once', async () => {
    set(1, noRunner({ type: 'docker' }))
    set(2, noRunner({ type: 'docker' }))
    expect(await afterwards()).toEqual([1, 2])
    expect(await afterwards()).toEqual([])
    set(2, paused())
    expect(await afterwards()).toEqual([2])
    builds.delete(1)
    expect(await afterwards()).toEqual([])
  })

  it('sends again what was different for a moment, as a reader may have seen it', async () => {
    let seen: (look: QueueSnapshot) => void = () => {}
    const look = async () => ({ reasons: new Map(), builds, runners: [] })
    const notify = async (id: number) => void told.push(id)
    check = createWaitingCheck(
      { readSnapshot: look, publish: notify, onSnapshot: (listener) => (seen = listener) },
      () => time,
    )
    set(1, noRunner({ type: 'docker' }))
    expect(await afterwards()).toEqual([1])
    set(1, paused())
    seen(await look())
    set(1, noRunner({ type: 'docker' }))
    expect(await afterwards()).toEqual([1])
    seen(await look())
    expect(await afterwards()).toEqual([])
  })

  it('does not check while nothing waits and nothing is new, and sends what comes then', async () => {
    let idle = false
    let looks = 0
    const look = async () => {
      looks += 1
      return { reasons: new Map(), builds, runners: [] }
    }
    const notify = async (id: number) => void told.push(id)
    check = createWaitingCheck({ readSnapshot: look, publish: notify, isIdle: () => idle }, () => time)
    set(1, paused())
    expect(await afterwards()).toEqual([1])
    builds.clear()
    idle = true
    expect(await afterwards()).toEqual([])
    expect(looks).toBe(1)
    set(1, paused())
    idle = false
    expect(await afterwards()).toEqual([1])
    expect(looks).toBe(2)
  })

  it('names the repository; sends nothing for stages that do not wait', async () => {
    const places: number[][] = []
    builds.set(3, { repoId: 9, waiting: undefined, reasons: [] })
    builds.set(4, { repoId: 9, waiting: paused(), reasons: [paused()] })
    const look = async () => ({ reasons: new Map(), builds, runners: [] })
    check = createWaitingCheck(
      { readSnapshot: look, publish: async (id, repo) => void places.push([id, repo]) },
      () => time,
    )
    await check()
    expect(places).toEqual([[4, 9]])
  })

  it('sends a stage that waits again for the same reason', async () => {
    set(1, paused())
    expect(await afterwards()).toEqual([1])
    builds.set(1, { repoId: 1, waiting: undefined, reasons: [] })
    expect(await afterwards()).toEqual([])
    set(1, paused())
    expect(await afterwards()).toEqual([1])
    builds.delete(1)
    expect(await afterwards()).toEqual([])
    set(1, paused())
    expect(await afterwards()).toEqual([1])
  })

  it('sends each stage of a build, in order', async () => {
    set(1, paused(), noRunner({ type: 'docker' }))
    expect(await afterwards()).toEqual([1])
    set(1, noRunner({ type: 'docker' }), paused())
    expect(await afterwards()).toEqual([1])
    set(1, noRunner({ type: 'docker' }))
    expect(await afterwards()).toEqual([1])
  })

  it('takes a stage that ran in between for unchanged', async () => {
    let seen: (look: QueueSnapshot) => void = () => {}
    const look = async () => ({ reasons: new Map(), builds, runners: [] })
    const notify = async (id: number) => void told.push(id)
    check = createWaitingCheck(
      { readSnapshot: look, publish: notify, onSnapshot: (listener) => (seen = listener) },
      () => time,
    )
    set(1, paused())
    expect(await afterwards()).toEqual([1])
    // It ran briefly; a page that saw that is notified by the build's own event.
    builds.set(1, { repoId: 1, waiting: undefined, reasons: [] })
    seen(await look())
    set(1, paused())
    expect(await afterwards()).toEqual([])
  })

  it('sends a new queue position 2 s after the last message, the longest ago first', async () => {
    const move = (id: number, position: number) => set(id, queuePosition(position, 9, 2, 2))
    move(1, 1)
    expect(await afterwards()).toEqual([1])
    move(2, 2)
    expect(await afterwards(1_000)).toEqual([2])
    move(1, 3)
    move(2, 4)
    expect(await afterwards(999)).toEqual([])
    expect(await afterwards(1)).toEqual([1])
    move(1, 5)
    expect(await afterwards(1_000)).toEqual([2])
    builds.clear()
    for (let id = 30; id > 0; id--) move(id, id)
    await afterwards()
    for (let id = 30; id > 0; id--) move(id, id + 1)
    expect(await afterwards(2_000)).toHaveLength(20)
    expect(await afterwards(100)).toHaveLength(10)
  })

  it('sends a thousand changed reasons in a few batches, each once', async () => {
    for (let id = 1; id <= 1_000; id += 1) set(id, paused())
    const goes: number[][] = []
    for (let go = 0; go < 12; go += 1) goes.push(await afterwards())
    expect(Math.max(...goes.map((go) => go.length))).toBeLessThanOrEqual(100)
    expect(goes.flat().toSorted((a, b) => a - b)).toEqual([...builds.keys()])
  })

  it('sends new queue positions in turn, a few at a time and none twice in 2 s', async () => {
    const move = (by: number) => {
      for (let id = 1; id <= 100; id += 1) set(id, queuePosition(id + by, 100 + by, 2, 2))
    }
    move(0)
    expect(await afterwards()).toHaveLength(100)
    const times = new Map<number, number[]>()
    for (let go = 1; go <= 40; go += 1) {
      move(go)
      const some = await afterwards()
      expect(some.length).toBeLessThanOrEqual(20)
      for (const id of some) times.set(id, [...(times.get(id) ?? []), time])
    }
    expect(times.size).toBe(100)
    for (const [first = 0, second = Infinity] of times.values()) expect(second - first).toBeGreaterThanOrEqual(2_000)
    // No stage is skipped.
    expect(Math.max(...[...times.values()].map((all) => all.length))).toBeLessThanOrEqual(
      Math.min(...[...times.values()].map((all) => all.length)) + 1,
    )
  })
})

describe('the clock', () => {
  const settled = async () => {
    for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve))
  }
  const pass = async (milliseconds: number) => {
    vi.advanceTimersByTime(milliseconds)
    await settled()
  }
  let looks = 0
  let answer: () => Promise<QueueSnapshot>
  let clock: { stop(): Promise<void> }
  const begin = (everyMs?: number) => {
    const look = async () => {
      looks += 1
      return answer()
    }
    clock = startWaitingClock({
      readSnapshot: look,
      publish: async () => {},
      ...(everyMs !== undefined && { everyMs }),
    })
  }
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    looks = 0
    answer = async () => ({ reasons: new Map(), builds: new Map(), runners: [] })
  })
  afterEach(async () => {
    await clock.stop()
    vi.useRealTimers()
    vi.restoreAllMocks()
  })

  it('checks twice a second until it is stopped', async () => {
    begin()
    await pass(499)
    expect(looks).toBe(0)
    await pass(1)
    await pass(500)
    expect(looks).toBe(2)
    await clock.stop()
    await pass(5_000)
    expect(looks).toBe(2)
  })

  it('runs one check at a time', async () => {
    let open: (look: QueueSnapshot) => void = () => {}
    answer = () => new Promise((resolve) => (open = resolve))
    begin(10)
    await pass(10)
    await pass(100)
    expect(looks).toBe(1)
    open({ reasons: new Map(), builds: new Map(), runners: [] })
    await settled()
    await pass(10)
    expect(looks).toBe(2)
    open({ reasons: new Map(), builds: new Map(), runners: [] })
  })

  it('says once that it fails, again after it went well, and waits for the last check', async () => {
    const said = vi.spyOn(console, 'error').mockReturnValue()
    const good = answer
    const bad = async () => Promise.reject(new Error('locked'))
    begin(10)
    for (const [next, times] of [
      [bad, 1],
      [bad, 1],
      [good, 1],
      [bad, 2],
      [good, 2],
    ] as const) {
      answer = next
      await pass(10)
      expect(said).toHaveBeenCalledTimes(times)
    }
    let open: (look: QueueSnapshot) => void = () => {}
    answer = () => new Promise((resolve) => (open = resolve))
    await pass(10)
    let isStopped = false
    const stopped = clock.stop().then(() => (isStopped = true))
    await settled()
    expect(isStopped).toBe(false)
    open(await good())
    await stopped
    expect(said).toHaveBeenCalledTimes(2)
  })
})

describe('the server', () => {
  let bench: Bench
  beforeEach(async () => {
    bench = await openBench()
  })
  afterEach(() => bench.close())

  it('notifies open pages of a paused and a resumed queue @system', async () => {
    await bench.push(bench.commit(pipelines({ first: '' })))
    bench.ci.startClocks()
    const last = () => bench.events.at(-1)?.build
    const texts = () => [last()?.waiting?.text, last()?.stages?.[0]?.waiting?.text]
    const nobody = 'Waiting for a runner of type exec for linux/amd64; none is connected'
    await vi.waitFor(() => expect(texts()).toEqual([nobody, nobody]), 10_000)
    bench.ci.pauseQueue()
    await vi.waitFor(() => expect(texts()).toEqual(['The queue is paused', 'The queue is paused']), 10_000)
    bench.ci.resumeQueue()
    await vi.waitFor(() => expect(texts()).toEqual([nobody, nobody]), 10_000)
    await bench.take()
    expect(texts()).toEqual([undefined, undefined])
  })
})
