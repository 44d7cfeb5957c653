/** What is told of reasons that change by themselves, and how often (issue 13, point 5: "it changes live"). */
import type { Waiting } from '@flightdeck/api'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openBench, pipelines, type Bench } from '../../testing/test-bench.ts'
import { createWaitingCheck } from './clock.ts'
import type { BuildLook, QueueLook } from './reasons.ts'
import { noRunner, paused, place } from './words.ts'

describe('the check', () => {
  let builds: Map<number, BuildLook>
  let told: number[]
  let time: number
  let check: () => Promise<void>
  beforeEach(() => {
    builds = new Map()
    told = []
    time = 0
    const look = async () => ({ reasons: new Map(), builds, askers: [] })
    const tell = async (id: number) => void told.push(id)
    check = createWaitingCheck({ look, tell }, () => time)
  })
  const set = (id: number, ...reasons: Waiting[]) => builds.set(id, { repoId: 1, waiting: reasons[0], reasons })
  const afterwards = async (milliseconds = 500): Promise<number[]> => {
    told = []
    time += milliseconds
    await check()
    return told
  }

  it('tells what waits for something else now, once', async () => {
    set(1, noRunner({ type: 'docker' }))
    set(2, noRunner({ type: 'docker' }))
    expect(await afterwards()).toEqual([1, 2])
    expect(await afterwards()).toEqual([])
    set(2, paused())
    expect(await afterwards()).toEqual([2])
    builds.delete(1)
    expect(await afterwards()).toEqual([])
  })

  it('tells again what was otherwise for a moment, which somebody may have read', async () => {
    let seen: (look: QueueLook) => void = () => {}
    const look = async () => ({ reasons: new Map(), builds, askers: [] })
    const tell = async (id: number) => void told.push(id)
    check = createWaitingCheck({ look, tell, onLook: (listener) => (seen = listener) }, () => time)
    set(1, noRunner({ type: 'docker' }))
    expect(await afterwards()).toEqual([1])
    set(1, paused())
    seen(await look())
    set(1, noRunner({ type: 'docker' }))
    expect(await afterwards()).toEqual([1])
    seen(await look())
    expect(await afterwards()).toEqual([])
  })

  it('tells a thousand that wait for something else in a few goes, each once', async () => {
    for (let id = 1; id <= 1_000; id += 1) set(id, paused())
    const goes: number[][] = []
    for (let go = 0; go < 12; go += 1) goes.push(await afterwards())
    expect(Math.max(...goes.map((go) => go.length))).toBeLessThanOrEqual(100)
    expect(goes.flat().toSorted((a, b) => a - b)).toEqual([...builds.keys()])
  })

  it('tells those who have only moved up in their turn, a few at a time and nobody twice in 2 s', async () => {
    const move = (by: number) => {
      for (let id = 1; id <= 100; id += 1) set(id, place(id + by, 100 + by, 2, 2))
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
    // Nobody is passed over.
    expect(Math.max(...[...times.values()].map((all) => all.length))).toBeLessThanOrEqual(
      Math.min(...[...times.values()].map((all) => all.length)) + 1,
    )
  })
})

describe('the server', () => {
  let bench: Bench
  beforeEach(async () => {
    bench = await openBench()
  })
  afterEach(() => bench.close())

  it('tells open pages that the queue was paused, and that it goes on', async () => {
    await bench.push(bench.commit(pipelines({ first: '' })))
    bench.ci.startClocks()
    const last = () => bench.events.at(-1)?.build
    const texts = () => [last()?.waiting?.text, last()?.stages?.[0]?.waiting?.text]
    const nobody = 'Needs a runner of type exec for linux/amd64: none has asked in the last minute'
    await vi.waitFor(() => expect(texts()).toEqual([nobody, nobody]), 10_000)
    bench.ci.pauseQueue()
    await vi.waitFor(() => expect(texts()).toEqual(['The queue is paused', 'The queue is paused']), 10_000)
    bench.ci.resumeQueue()
    await vi.waitFor(() => expect(texts()).toEqual([nobody, nobody]), 10_000)
    await bench.take()
    expect(texts()).toEqual([undefined, undefined])
  })
})
