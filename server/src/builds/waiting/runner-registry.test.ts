/** Which runners count as present, and with how many slots. */
import { beforeEach, expect, it } from 'vitest'
import type { LiveStage } from '../../store/queue.ts'
import { createRunnerRegistry, groupsOf, type RunnerRegistry } from './runner-registry.ts'

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
let runnerRegistry: RunnerRegistry
beforeEach(() => {
  time = 1_000_000
  changes = 0
  runnerRegistry = createRunnerRegistry(
    () => (changes += 1),
    () => time,
  )
})
const groups = (...stages: LiveStage[]) =>
  groupsOf(runnerRegistry.list(new Map(stages.map((one) => [one.id, one]))), stages).map(({ slots, busy }) => [
    slots,
    busy,
  ])

it('each slot polls on its own; one that has a stage stops polling', () => {
  const [first] = [runnerRegistry.addPoll(filter), runnerRegistry.addPoll(filter)]
  expect(groups()).toEqual([[2, 0]])
  first?.(7)
  expect(groups(stage(7))).toEqual([[2, 1]])
})

it('a runner that only waits asks every 40 s; after a minute it is gone', () => {
  runnerRegistry.addPoll(filter)()
  time += 59_000
  expect(groups()).toEqual([[1, 0]])
  time += 2_000
  expect(groups()).toEqual([])
})

it('a busy runner is listed as long as it works', () => {
  runnerRegistry.addPoll(filter)(7)
  time += 3_600_000
  expect(groups(stage(7))).toEqual([[1, 1]])
  expect(groups()).toEqual([])
})

it('a runner that was full before the server was started is known by what it has', () => {
  expect(groups(stage(7), stage(8))).toEqual([[2, 2]])
  runnerRegistry.addPoll(filter)
  expect(groups(stage(7), stage(8))).toEqual([[3, 2]])
})

it('a stage that was handed to another is the other’s', () => {
  runnerRegistry.addPoll(filter, { address: 'a', agent: '' })(7)
  runnerRegistry.addPoll(filter, { address: 'b', agent: '' })(7)
  const known = runnerRegistry.list(new Map([[7, stage(7)]]))
  expect(known.map(({ address, holds }) => [address, holds])).toEqual([
    ['a', []],
    ['b', [7]],
  ])
})

it('asking again changes nothing for others; the first time and more slots do', () => {
  runnerRegistry.addPoll(filter)()
  expect(changes).toBeGreaterThan(0)
  changes = 0
  for (let again = 0; again < 10; again += 1) runnerRegistry.addPoll(filter)()
  expect(changes).toBe(0)
  runnerRegistry.addPoll(filter)
  runnerRegistry.addPoll(filter)
  expect(changes).toBe(1)
})

const all = (...stages: LiveStage[]) => runnerRegistry.list(new Map(stages.map((one) => [one.id, one])))
const from = (address: string) => ({ address, agent: '' })

it('lists each runner with name, type, filters and last contact', () => {
  const left = runnerRegistry.addPoll(filter, { address: '192.0.2.1', agent: 'drone-runner/1' })
  time += 500
  runnerRegistry.addPoll({ ...filter, type: 'docker' })
  expect(all()).toEqual([
    { address: '192.0.2.1', agent: 'drone-runner/1', filter, machines: [], silenceMs: 0, slots: 1, holds: [] },
    { address: '', agent: '', filter: { ...filter, type: 'docker' }, machines: [], silenceMs: 0, slots: 1, holds: [] },
  ])
  left()
  time += 700
  expect(all()[0]).toMatchObject({ silenceMs: 700, slots: 1, holds: [] })
})

it('knows the names that it gave, the last one first and each once', () => {
  const take = (id: number, machine: string) => {
    runnerRegistry.addPoll(filter)(id)
    runnerRegistry.accepted(id, machine)
  }
  for (const [id, machine] of ['a', 'b', 'b', 'a'].entries()) take(id + 1, machine)
  expect(all()[0]?.machines).toEqual(['a', 'b'])
  for (let id = 10; id < 40; id++) take(id, `m${id}`)
  expect(all()[0]?.machines).toEqual(Array.from({ length: 20 }, (_, index) => `m${39 - index}`))
  // No runner got it.
  runnerRegistry.accepted(99, 'z')
  expect(all()[0]?.machines[0]).toBe('m39')
})

it('the name is that of the runner that has the stage', () => {
  runnerRegistry.addPoll(filter, from('a'))(1)
  runnerRegistry.addPoll(filter, from('b'))(2)
  runnerRegistry.accepted(2, 'second')
  expect(all(stage(1), stage(2)).map(({ machines, holds }) => [machines, holds])).toEqual([
    [[], [1]],
    [['second'], [2]],
  ])
})

it('a stage that is not accepted within 10 s is released; an accepted one stays', () => {
  runnerRegistry.addPoll(filter)(1)
  runnerRegistry.addPoll(filter)(2)
  time += 10_000
  expect(all(stage(1, ''), stage(2))[0]?.holds).toEqual([1, 2])
  time += 1
  expect(all(stage(1, ''), stage(2))[0]?.holds).toEqual([2])
})

it('a stage that is over frees its place before the runner asks again', () => {
  runnerRegistry.addPoll(filter, from('a'))(1)
  runnerRegistry.addPoll(filter, from('b'))(2)
  runnerRegistry.over(1)
  expect(all(stage(1), stage(2)).map(({ holds }) => holds)).toEqual([[], [2]])
})

it('as many slots as it showed at once within the last minute', () => {
  const slots = () => all().map((one) => one.slots)
  const leave = [runnerRegistry.addPoll(filter), runnerRegistry.addPoll(filter), runnerRegistry.addPoll(filter)]
  for (const left of leave) left()
  expect(slots()).toEqual([3])
  time += 59_999
  const again = runnerRegistry.addPoll(filter)
  expect(slots()).toEqual([3])
  time += 1
  expect(slots()).toEqual([1])
  again()
  expect(slots()).toEqual([1])
  time += 60_000
  expect(slots()).toEqual([0])
})

it('what it holds and what it asks for are slots together, and are remembered as such', () => {
  const first = runnerRegistry.addPoll(filter)
  const second = runnerRegistry.addPoll(filter)
  first(1)
  expect(all(stage(1)).map(({ slots }) => slots)).toEqual([2])
  second(2)
  runnerRegistry.over(1)
  runnerRegistry.over(2)
  expect(all().map(({ slots }) => slots)).toEqual([2])
})

it('is listed for exactly a minute; then it counts as a new one', () => {
  runnerRegistry.addPoll(filter)()
  changes = 0
  time += 59_999
  expect(groups()).toEqual([[1, 0]])
  time += 1
  expect(groups()).toEqual([])
  runnerRegistry.addPoll(filter)()
  expect(changes).toBeGreaterThan(0)
  changes = 0
  time += 59_999
  runnerRegistry.addPoll(filter)()
  expect(changes).toBe(0)
})

it('of 201 the least recently seen is forgotten, but none that polls or works', () => {
  const addresses = () => all(stage(7)).map(({ address }) => address)
  runnerRegistry.addPoll(filter, from('asks'))
  runnerRegistry.addPoll(filter, from('works'))(7)
  for (let index = 0; index < 198; index++) runnerRegistry.addPoll(filter, from(`${index}`))()
  expect(addresses()).toHaveLength(200)
  // Asks again: now `1` is the oldest.
  runnerRegistry.addPoll(filter, from('0'))()
  runnerRegistry.addPoll(filter, from('new'))()
  expect(addresses()).toHaveLength(200)
  expect(addresses()).toEqual(expect.arrayContaining(['asks', 'works', '0', '2', 'new']))
  expect(addresses()).not.toContain('1')
})

it('runners with the same filters are one group; one that is gone and holds nothing is in none', () => {
  runnerRegistry.addPoll(filter, from('a'))
  runnerRegistry.addPoll(filter, from('b'))(3)
  runnerRegistry.addPoll({ ...filter, arch: 'arm64' }, from('c'))()
  time += 60_000
  runnerRegistry.addPoll({ ...filter, type: 'docker' }, from('d'))
  const live = [stage(3)]
  expect(groupsOf(all(...live), live)).toEqual([
    { filter, slots: 2, busy: 1 },
    { filter: { ...filter, type: 'docker' }, slots: 1, busy: 0 },
  ])
})

it('a running stage that was assigned before a restart counts as a runner of its type', () => {
  const arm = { ...stage(5), arch: 'arm64' }
  runnerRegistry.addPoll(filter)
  expect(groupsOf(all(arm), [arm, stage(6, '')])).toEqual([
    { filter, slots: 1, busy: 0 },
    { filter: { ...filter, arch: 'arm64', variant: '', kernel: '', labels: {} }, slots: 1, busy: 1 },
  ])
})
