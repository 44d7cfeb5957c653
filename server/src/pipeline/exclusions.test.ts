import { describe, expect, it } from 'vitest'
import type { BuildInput } from './conditions.ts'
import { listExcluded, exclusionReason } from './exclusions.ts'
import { parsePipelines } from './parse.ts'
import { listSkippedPipelines, planBuild } from './plan.ts'

const input: BuildInput = {
  branch: 'feature/x',
  event: 'push',
  action: '',
  ref: 'refs/heads/feature/x',
  repo: 'acme/web',
  target: '',
  cron: '',
}
const condition = (include: string[], exclude: string[] = []) => ({ include, exclude })

describe('why a condition skips something', () => {
  it.each<[string, Parameters<typeof exclusionReason>[0], string | undefined]>([
    ['nothing', {}, undefined],
    ['a pattern that fits', { branch: condition(['feature/*']) }, undefined],
    ['another branch', { branch: condition(['main']) }, 'branch is not main'],
    ['other branches', { branch: condition(['main', 'stable', 'v*']) }, 'branch is not main, stable or v*'],
    ['an excluded branch', { branch: condition([], ['feature/*']) }, 'branch is feature/x'],
    ['an empty value that is excluded', { target: condition([], ['*']) }, 'target is *'],
    ['another event', { event: condition(['tag']) }, 'event is not tag'],
    ['the first of two', { event: condition(['tag']), branch: condition(['main']) }, 'branch is not main'],
    ['a policy, which decides later', { status: condition(['failure']) }, undefined],
    ['what only the runner knows', { instance: condition(['elsewhere']) }, undefined],
  ])('%s', (_name, conditions, text) => {
    expect(exclusionReason(conditions, input)).toBe(text)
  })

  it('is short, whatever is pushed', () => {
    const long = 'x'.repeat(10_000)
    const text = exclusionReason({ branch: condition(Array.from({ length: 1_000 }, () => long)) }, input) ?? ''
    expect(text.length).toBeLessThan(400)
    expect(text).toContain('or 995 more')
    const all = Array.from({ length: 1_000 }, () => ({ name: long, conditions: { branch: condition(['main']) } }))
    const found = listExcluded(all, input)
    expect(found).toHaveLength(50)
    expect(found[0]?.name.length).toBeLessThan(70)
  })
})

it('lists the pipelines without a stage, and of each stage the steps', () => {
  const { pipelines } = parsePipelines(
    'kind: pipeline\ntype: exec\nname: a\nsteps:\n- name: one\n- name: two\n  when: {event: promote}\n' +
      '---\nkind: pipeline\ntype: exec\nname: b\ntrigger: {branch: main}\nsteps:\n- name: one\n',
  )
  expect(listSkippedPipelines(pipelines, input)).toEqual([{ name: 'b', text: 'branch is not main' }])
  const [stage, ...rest] = planBuild(pipelines, input, { gated: false })
  expect(rest).toEqual([])
  expect(stage?.left_out).toEqual([{ name: 'two', text: 'event is not promote' }])
})
