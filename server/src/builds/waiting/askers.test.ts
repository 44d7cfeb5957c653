/** Who is taken for a runner that is there, and with how many places. */
import { beforeEach, expect, it } from 'vitest'
import type { LiveStage } from '../../store/queue.ts'
import { createAskers, groupsOf, type Askers } from './askers.ts'

const filter = { kind: 'pipeline', type: 'exec', os: 'linux', arch: 'amd64' }
const stage = (id: number, machine = 'm'): LiveStage => ({
  ...filter,
  id,
  build_id: 1,
  repo_id: 1,
  name: 'a',
  status: machine ? 'running' : 'pending',
  machine,
  variant: '',
  kernel: '',
  labels: {},
  limit: 0,
  throttle: 0,
})
let time = 0
let changes = 0
let askers: Askers
beforeEach(() => {
  time = 1_000_000
  changes = 0
  askers = createAskers(
    () => (changes += 1),
    () => time,
  )
})
const groups = (...stages: LiveStage[]) =>
  groupsOf(askers.list(new Map(stages.map((one) => [one.id, one]))), stages).map(({ places, busy }) => [places, busy])

it('each place asks by itself; one that has a stage asks no more', () => {
  const [first] = [askers.asks(filter), askers.asks(filter)]
  expect(groups()).toEqual([[2, 0]])
  first?.(7)
  expect(groups(stage(7))).toEqual([[2, 1]])
})

it('a runner that only waits asks every 40 s; after a minute it is gone', () => {
  askers.asks(filter)()
  time += 59_000
  expect(groups()).toEqual([[1, 0]])
  time += 2_000
  expect(groups()).toEqual([])
})

it('a runner that is full is there as long as it works', () => {
  askers.asks(filter)(7)
  time += 3_600_000
  expect(groups(stage(7))).toEqual([[1, 1]])
  expect(groups()).toEqual([])
})

it('a runner that was full before the server was started is known by what it has', () => {
  expect(groups(stage(7), stage(8))).toEqual([[2, 2]])
  askers.asks(filter)
  expect(groups(stage(7), stage(8))).toEqual([[3, 2]])
})

it('a stage that was handed to another is the other’s', () => {
  askers.asks(filter, { address: 'a', agent: '' })(7)
  askers.asks(filter, { address: 'b', agent: '' })(7)
  const known = askers.list(new Map([[7, stage(7)]]))
  expect(known.map(({ address, holds }) => [address, holds])).toEqual([
    ['a', []],
    ['b', [7]],
  ])
})

it('asking again changes nothing for others; the first time and more places do', () => {
  askers.asks(filter)()
  expect(changes).toBeGreaterThan(0)
  changes = 0
  for (let again = 0; again < 10; again += 1) askers.asks(filter)()
  expect(changes).toBe(0)
  askers.asks(filter)
  askers.asks(filter)
  expect(changes).toBe(1)
})
