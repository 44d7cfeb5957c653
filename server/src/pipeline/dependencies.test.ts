import { describe, expect, it } from 'vitest'
import { lint } from './lint.ts'
import { parsePipelines } from './parse.ts'
import { planBuild } from './plan.ts'
import { planSteps } from './steps.ts'

const input = {
  branch: 'main',
  event: 'push',
  action: '',
  ref: 'refs/heads/main',
  repo: 'a/b',
  target: '',
  cron: '',
} as const
const range = (count: number) => Array.from({ length: count }, (_, index) => index)
const pipeline = (name: string, rest: string) => `---\nkind: pipeline\ntype: exec\nname: ${name}\n${rest}\n`
const list = (names: readonly string[]) => `[${names.join(', ')}]`
/** Each of them depends on those before it, `width` at most. */
const file = (count: number, width: number, name = (index: number) => `p${index}`) =>
  range(count)
    .map((index) => {
      const needs = range(Math.min(index, width)).map((back) => name(index - back - 1))
      return pipeline(name(index), `depends_on: ${list(needs)}`)
    })
    .join('')
const linted = (text: string) => {
  const { pipelines } = parsePipelines(text)
  lint(pipelines)
  return pipelines
}

describe('the dependencies of a build', () => {
  it('may be thousands', () => {
    expect(planBuild(linted(file(300, 30)), input, { gated: false })).toHaveLength(300)
  })
  it('are refused when pipelines name more than 10,000 @system', () => {
    expect(() => linted(file(1_000, 90))).toThrow('linter: the pipelines of the file have more than 10000 dependencies')
  })
  it('are refused when their names are longer than 500,000 characters', () => {
    const long = (index: number) => `${'x'.repeat(2_000)}${index}`
    expect(() => linted(file(30, 30, long))).toThrow('longer than 500000 characters')
  })
  it('are refused when pipelines that are left out multiply them', () => {
    const never = 'trigger: {branch: [nowhere]}'
    const names = range(400).map((index) => `p${index}`)
    const first = names.map((name) => pipeline(name, '')).join('')
    const left = pipeline('left', `${never}\ndepends_on: ${list(names)}`)
    const last = range(100)
      .map((index) => pipeline(`q${index}`, 'depends_on: [left]'))
      .join('')
    expect(() => planBuild(linted(first + left + last), input, { gated: false })).toThrow(
      'linter: the pipelines of this build have more than 10000 dependencies in all',
    )
  })
  it('are refused when the steps of a pipeline name more than 10,000 @system', () => {
    const steps = range(200).map(
      (index) => `- {name: s${index}, depends_on: ${list(range(index).map((at) => `s${at}`))}}`,
    )
    expect(() => linted(pipeline('a', `steps:\n${steps.join('\n')}`))).toThrow(
      'linter: the steps of pipeline "a" have more than 10000 dependencies in all',
    )
  })
  it('are refused when steps that are left out multiply them', () => {
    const names = range(400).map((index) => `s${index}`)
    const steps = [
      ...names.map((name) => `- {name: ${name}}`),
      `- {name: left, when: {branch: [nowhere]}, depends_on: ${list(names)}}`,
      ...range(100).map((index) => `- {name: t${index}, depends_on: [left]}`),
    ]
    const [doc] = linted(pipeline('a', `steps:\n${steps.join('\n')}`))
    if (!doc) throw new Error('no pipeline')
    expect(() => planSteps(doc, input)).toThrow('the steps of pipeline "a" have more than 10000 dependencies in all')
  })
})
