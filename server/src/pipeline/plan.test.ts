import { describe, expect, it } from 'vitest'
import type { BuildInput } from './conditions.ts'
import { parsePipelines } from './parse.ts'
import { planBuild } from './plan.ts'

const push: BuildInput = {
  branch: 'master',
  event: 'push',
  action: '',
  ref: 'refs/heads/master',
  repo: 'acme/web',
  target: '',
  cron: '',
}
const plan = (text: string, input: Partial<BuildInput> = {}, gated = false) =>
  planBuild(parsePipelines(text).pipelines, { ...push, ...input }, { gated })
const doc = (name: string, rest = ''): string => `kind: pipeline\ntype: exec\nname: ${name}\n${rest}\n`
const never = 'trigger: {branch: [nowhere]}'

describe('planBuild', () => {
  it('plans the recorded file with a pipeline that does not match', () => {
    const text = [
      doc('lint'),
      doc('unit'),
      doc('docs'),
      doc('never', never),
      doc('ship', 'depends_on: [lint, unit, docs, never]'),
      doc('on-fail', 'depends_on: [ship]\ntrigger: {status: [failure]}'),
    ].join('---\n')
    const stages = plan(text)
    expect(stages.map(({ number, name, status, depends_on }) => [number, name, status, depends_on])).toEqual([
      [1, 'lint', 'pending', undefined],
      [2, 'unit', 'pending', undefined],
      [3, 'docs', 'pending', undefined],
      [4, 'ship', 'waiting_on_dependencies', ['lint', 'unit', 'docs']],
      [5, 'on-fail', 'waiting_on_dependencies', ['ship']],
    ])
    expect(stages[3]).toMatchObject({ on_success: true, on_failure: false })
    expect(stages[4]).toMatchObject({ on_success: false, on_failure: true })
  })

  it('leaves optional keys out and fills in the platform', () => {
    expect(plan('kind: pipeline')[0]).toEqual({
      number: 1,
      name: 'default',
      kind: 'pipeline',
      type: 'docker',
      status: 'pending',
      errignore: false,
      exit_code: 0,
      os: 'linux',
      arch: 'amd64',
      on_success: true,
      on_failure: false,
    })
    expect(
      plan(
        doc(
          'a',
          'platform: {os: windows, arch: arm, variant: v7, version: 1809}\nconcurrency: {limit: 2}\nnode: {zone: a}',
        ),
      ),
    ).toMatchObject([{ os: 'windows', arch: 'arm', variant: 'v7', kernel: '1809', limit: 2, labels: { zone: 'a' } }])
    expect(plan('kind: other')[0]).not.toHaveProperty('type')
  })

  it('blocks everything when gated', () => {
    const stages = plan([doc('a'), doc('b', 'depends_on: [a]')].join('---\n'), {}, true)
    expect(stages.map((stage) => stage.status)).toEqual(['blocked', 'blocked'])
    expect(stages[1]?.depends_on).toEqual(['a'])
  })

  it('replaces left-out pipelines by their own dependencies and keeps repeats', () => {
    const text = [
      doc('a'),
      doc('b'),
      doc('s1', `${never}\ndepends_on: [a]`),
      doc('s2', `${never}\ndepends_on: [s1]`),
      doc('c', 'depends_on: [b, s2, a]'),
      doc('d', `depends_on: [s0, a]`),
    ]
    const stages = plan([doc('s0', never), ...text].join('---\n'))
    expect(stages.map(({ name, depends_on }) => [name, depends_on])).toEqual([
      ['a', undefined],
      ['b', undefined],
      ['c', ['b', 'a', 'a']],
      ['d', ['a']],
    ])
  })

  it('starts at once when all dependencies are left out', () => {
    expect(plan([doc('s', never), doc('a', 'depends_on: [s]')].join('---\n'))).toMatchObject([
      { name: 'a', status: 'pending' },
    ])
  })

  it('forgets what an unnamed pipeline depends on', () => {
    const [, second] = plan('kind: pipeline\nname: a\n---\nkind: pipeline\ndepends_on: [a]\n')
    expect(second).toMatchObject({ name: 'default', status: 'pending' })
    expect(second).not.toHaveProperty('depends_on')
  })

  it('allows a thousand dependencies', () => {
    const needs = (count: number) => plan([doc('a'), doc('b', `depends_on: [${'a,'.repeat(count)}]`)].join('---\n'))
    expect(needs(1_000)[1]?.depends_on).toHaveLength(1_000)
    expect(() => needs(1_001)).toThrow('linter: pipeline a has too many dependencies')
  })

  it('plans nothing when nothing matches', () => expect(plan(doc('a', never))).toEqual([]))

  it('refuses dependencies that multiply', () => {
    const chain = Array.from({ length: 12 }, (_, i) =>
      doc(`s${i}`, `${never}\ndepends_on: [${i ? `s${i - 1}, s${i - 1}` : 'a, a'}]`),
    )
    expect(() => plan([doc('a'), ...chain].join('---\n'))).toThrow('too many dependencies')
  })
})
