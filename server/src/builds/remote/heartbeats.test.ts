/** Which heartbeats count for which stage (docs/api §7.2: a runner has no permanent connection). */
import { beforeEach, expect, it } from 'vitest'
import { createHeartbeats, type Heartbeats } from './heartbeats.ts'

const stage = (id: number, build = 1) => ({ id, build_id: build })
let time = 0
let presence: Heartbeats
beforeEach(() => {
  time = 1_000
  presence = createHeartbeats(() => time)
})
/** As milliseconds passed. */
const after = (milliseconds: number): void => void (time += milliseconds)

it('an unknown stage has its first heartbeat now; each call about it is one', () => {
  expect(presence.silenceMs(stage(1))).toBe(0)
  after(70)
  expect(presence.silenceMs(stage(1))).toBe(70)
  presence.record(stage(1), 'a')
  after(5)
  presence.record(stage(2), 'a')
  after(5)
  expect([1, 2].map((id) => presence.silenceMs(stage(id)))).toEqual([10, 5])
})

it('a watch counts as long as it is open, and from its end on', () => {
  presence.record(stage(1), 'a')
  after(10)
  const end = presence.watching(1, 'a')
  after(1_000)
  expect(presence.silenceMs(stage(1))).toBe(0)
  end()
  after(30)
  expect(presence.silenceMs(stage(1))).toBe(30)
  presence.record(stage(1), 'a')
  expect(presence.silenceMs(stage(1))).toBe(0)
})

it('of two watches of an address one is enough', () => {
  presence.record(stage(1), 'a')
  const [first, second] = [presence.watching(1, 'a'), presence.watching(1, 'a')]
  first()
  after(100)
  expect(presence.silenceMs(stage(1))).toBe(0)
  second()
  after(100)
  expect(presence.silenceMs(stage(1))).toBe(100)
})

it('a watch counts for the stages of its address, and for all of the build where the address is new', () => {
  presence.record(stage(1), 'a')
  presence.record(stage(2), 'b')
  presence.record(stage(3, 2), 'c')
  presence.watching(1, 'a')
  after(50)
  expect([stage(1), stage(2), stage(3, 2)].map((one) => presence.silenceMs(one))).toEqual([0, 50, 50])
  // Known, but in another build.
  presence.watching(1, 'c')
  expect([stage(1), stage(2), stage(3, 2)].map((one) => presence.silenceMs(one))).toEqual([0, 0, 50])
})

it('a forgotten stage starts fresh; an open watch and those of kept builds stay', () => {
  presence.record(stage(1), 'a')
  presence.record(stage(2, 2), 'b')
  presence.watching(1, 'x')()
  const end = presence.watching(2, 'y')
  after(40)
  presence.forgetOthers([stage(1)])
  expect(presence.silenceMs(stage(1))).toBe(40)
  presence.watching(1, 'x')()
  presence.forgetOthers([stage(1)])
  after(10)
  expect(presence.silenceMs(stage(1))).toBe(10)
  expect(presence.silenceMs(stage(2, 2))).toBe(0)
  after(10)
  expect(presence.silenceMs(stage(2, 2))).toBe(0)
  end()
  presence.forgetOthers([])
  expect([stage(1), stage(2, 2)].map((one) => presence.silenceMs(one))).toEqual([0, 0])
  after(10)
  expect([stage(1), stage(2, 2)].map((one) => presence.silenceMs(one))).toEqual([10, 10])
})

it('while the server was down, no runner counts as silent', () => {
  presence.record(stage(1), 'a')
  presence.record(stage(2), 'b')
  after(100)
  presence.excuseAll()
  after(1)
  expect([1, 2].map((id) => presence.silenceMs(stage(id)))).toEqual([1, 1])
})
