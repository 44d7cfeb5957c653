import { describe, expect, it } from 'vitest'
import { parsePipelines } from './parse.ts'
import { planSteps } from './steps.ts'

const input = {
  branch: 'master',
  event: 'push',
  action: '',
  ref: 'refs/heads/master',
  repo: 'acme/web',
  target: '',
  cron: '',
}
const plan = (body: string) =>
  parsePipelines(`kind: pipeline\ntype: exec\n${body}`).pipelines.flatMap((doc) => planSteps(doc, input))
const edges = (body: string) => plan(body).map((step) => [step.number, step.name, step.dependsOn])

describe('planSteps', () => {
  it('plans the recorded file: no number for what `when` leaves out, a policy for the rest', () => {
    const steps = plan(`clone: {disable: true}
steps:
- {name: ok, commands: ["true"]}
- {name: bad, commands: [exit 3]}
- {name: after, commands: [echo never]}
- {name: on-failure, commands: [echo cleanup], when: {status: [failure]}}
- {name: other-branch, commands: [echo never], when: {branch: nowhere}}
- {name: always, commands: [echo always], when: {status: [success, failure]}}
`)
    expect(steps.map(({ number, name, runs }) => [number, name, runs.onSuccess, runs.onFailure])).toEqual([
      [1, 'ok', true, false],
      [2, 'bad', true, false],
      [3, 'after', true, false],
      [4, 'on-failure', false, true],
      [5, 'always', true, true],
    ])
  })

  it('clones first, and always', () => {
    const [clone, first] = plan('steps: [{name: a}]')
    expect(clone).toEqual({
      number: 1,
      name: 'clone',
      isClone: true,
      depth: 0,
      commands: [],
      environment: {},
      dependsOn: [],
      errignore: false,
      detached: false,
      runs: { onSuccess: true, onFailure: true },
    })
    expect(first?.isClone).toBe(false)
  })

  it('runs one after another without depends_on', () => {
    expect(edges('steps: [{name: a}, {name: x, when: {event: tag}}, {name: b}]')).toEqual([
      [1, 'clone', []],
      [2, 'a', ['clone']],
      [3, 'b', ['a']],
    ])
    expect(edges('clone: {disable: true}\nsteps: [{name: a}]')).toEqual([[1, 'a', []]])
  })

  it('is a graph as soon as one has depends_on', () => {
    expect(edges('steps: [{name: a}, {name: b}, {name: c, depends_on: [a, b]}]')).toEqual([
      [1, 'clone', []],
      [2, 'a', ['clone']],
      [3, 'b', ['clone']],
      [4, 'c', ['a', 'b']],
    ])
    expect(edges('clone: {disable: true}\nsteps: [{name: a}, {name: b, depends_on: [a, clone]}]')).toEqual([
      [1, 'a', []],
      [2, 'b', ['a']],
    ])
  })

  it('may wait for the clone', () => {
    expect(edges('steps: [{name: a, depends_on: [clone]}, {name: b, depends_on: [a, clone]}]')).toEqual([
      [1, 'clone', []],
      [2, 'a', ['clone']],
      [3, 'b', ['a', 'clone']],
    ])
  })

  it('checks each skipped step once, however many paths reach it', () => {
    const left = Array.from(
      { length: 60 },
      (_, i) => `{name: s${i + 2}, depends_on: [s${i + 1}, s${i}], when: {event: tag}}`,
    )
    expect(edges(`steps: [{name: s0}, {name: s1}, ${left.join()}, {name: z, depends_on: [s61]}]`).at(-1)).toEqual([
      4,
      'z',
      ['s1', 's0'],
    ])
  })

  it('waits for what a left-out step would have waited for', () => {
    const body = 'steps: [{name: a}, {name: x, depends_on: [a], when: {event: tag}}, {name: b, depends_on: [x, a]}]'
    expect(edges(body)).toEqual([
      [1, 'clone', []],
      [2, 'a', ['clone']],
      [3, 'b', ['a']],
    ])
  })

  it.each([
    ['changed', true, false],
    ['success', true, false],
    ['failure', false, true],
    ['[failure, changed]', false, true],
    ['[success, failure]', true, true],
    ['{exclude: [success, failure]}', true, false],
    ['{exclude: [failure]}', true, false],
  ])('with `status: %s` runs on success: %s, on failure: %s', (status, onSuccess, onFailure) => {
    expect(plan(`steps: [{name: a, when: {status: ${status}}}]`)[1]?.runs).toEqual({ onSuccess, onFailure })
  })

  it('takes its own environment, failure and detach over', () => {
    const [step] = plan(
      'clone: {disable: true}\nenvironment: {A: pipeline, B: pipeline}\nsteps: [{name: a, environment: {B: step}, failure: ignore, detach: true}]',
    )
    expect(step).toMatchObject({ environment: { B: 'step' }, errignore: true, detached: true })
    for (const word of ['Ignore', 'IGNORE'])
      expect(plan(`steps: [{name: a, failure: ${word}}]`)[1]?.errignore).toBe(true)
    expect(plan('steps: [{name: a, failure: fast}]')[1]?.errignore).toBe(false)
  })
})
