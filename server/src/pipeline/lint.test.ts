import { describe, expect, it } from 'vitest'
import { lint, lintExec } from './lint.ts'
import { parsePipelines } from './parse.ts'

const lintText = (text: string): void => lint(parsePipelines(text).pipelines)
const pipelines = (...bodies: string[]): string =>
  bodies.map((body) => `kind: pipeline\ntype: exec\n${body}\n`).join('---\n')
const lintSteps = (body: string): void => {
  for (const doc of parsePipelines(`kind: pipeline\ntype: exec\n${body}`).pipelines) lintExec(doc)
}

describe('lint', () => {
  it('accepts dependencies on earlier pipelines', () => {
    expect(() =>
      lintText(pipelines('name: a', 'name: b\ndepends_on: [a]', 'name: c\ndepends_on: [a, b]')),
    ).not.toThrow()
  })
  it('refuses the same name twice, unnamed ones and unknown kinds included', () => {
    expect(() => lintText(pipelines('name: a', 'name: a'))).toThrow('linter: duplicate pipeline names')
    expect(() => lintText(pipelines('', 'name: default'))).toThrow('linter: duplicate pipeline names')
    expect(() => lintText('kind: other\nname: a\n---\nkind: pipeline\nname: a')).toThrow(
      'linter: duplicate pipeline names',
    )
  })
  it('refuses unknown dependencies and names them', () => {
    expect(() => lintText(pipelines('name: a\ndepends_on: [nope]', 'name: b'))).toThrow(
      /^linter: invalid or unknown pipeline dependency: "a" depends on "nope", but no pipeline has this name$/,
    )
  })
  it('refuses dependency cycles: one side is always defined later', () => {
    expect(() => lintText(pipelines('name: a\ndepends_on: [b]', 'name: b\ndepends_on: [a]'))).toThrow(
      /^linter: invalid or unknown pipeline dependency: "a" depends on "b", but a pipeline can only depend on pipelines defined before it/,
    )
    expect(() => lintText(pipelines('name: a\ndepends_on: [a]'))).toThrow(
      'linter: pipeline cannot have a dependency on itself',
    )
  })
  it('knows docker platforms only', () => {
    expect(() => lintText('kind: pipeline\nplatform: {os: plan9}')).toThrow('linter: unsupported os: plan9')
    expect(() => lintText('kind: pipeline\nplatform: {arch: mips}')).toThrow('linter: unsupported architecture: mips')
    for (const platform of [
      'os: linux',
      'os: windows',
      'arch: arm',
      'arch: arm64',
      'arch: amd64',
      'arch: ppc64le',
      'arch: s390x',
    ]) {
      expect(() => lintText(`kind: pipeline\nplatform: {${platform}}`)).not.toThrow()
    }
    expect(() => lintText('kind: pipeline\ntype: exec\nplatform: {os: plan9}')).not.toThrow()
    expect(() => lintText('kind: other\nplatform: {os: plan9}')).not.toThrow()
  })
})

describe('lintExec', () => {
  it('accepts a graph, forward references and a dependency on clone', () => {
    expect(() => lintSteps('steps: [{name: a, depends_on: [b]}, {name: b, depends_on: [clone]}]')).not.toThrow()
  })
  it.each([
    ['steps: [{name: a, image: alpine}]', 'Linter: cannot define images for an exec pipeline'],
    ['steps: [{commands: [make]}]', 'Linter: invalid or missing step name'],
    ['steps: [~]', 'Linter: invalid or missing step name'],
    ['steps: [{name: a}, {name: a}]', 'Linter: duplicate step names: a'],
    ['steps: [{name: clone}]', 'Linter: duplicate step names: clone'],
    ['steps: [{name: a, depends_on: [x]}]', 'Linter: unknown step dependency detected: a references x'],
    ['steps: [{name: a, depends_on: [a]}]', 'Linter: step dependencies form a circle: a -> a'],
    [
      'steps: [{name: a}, {name: b, depends_on: [a]}, {name: c, depends_on: [a, b, d]}, {name: d, depends_on: [c]}]',
      'Linter: step dependencies form a circle: c -> d -> c',
    ],
    [
      'steps: [{name: z, depends_on: [a]}, {name: a, depends_on: [b]}, {name: b, depends_on: [a]}]',
      'Linter: step dependencies form a circle: a -> b -> a',
    ],
  ])('refuses %s', (body, text) => expect(() => lintSteps(body)).toThrow(text))
  it('checks each step once, however many paths reach it', () => {
    const steps = Array.from({ length: 60 }, (_, i) =>
      i < 2 ? `{name: s${i}}` : `{name: s${i}, depends_on: [s${i - 1}, s${i - 2}]}`,
    )
    expect(() => lintSteps(`steps: [${steps.toReversed().join()}]`)).not.toThrow()
  })
  it('lets a step be called clone when cloning is disabled', () => {
    expect(() => lintSteps('clone: {disable: true}\nsteps: [{name: clone}]')).not.toThrow()
  })
})
