import { describe, expect, it } from 'vitest'
import { ignoredIn } from './docker-only.ts'
import { parsePipelines } from './parse.ts'

const ignored = (body: string) =>
  parsePipelines(`kind: pipeline\ntype: exec\n${body}\n`).pipelines.flatMap((doc) => ignoredIn(doc))

describe('what only docker knows', () => {
  it.each<[string, string, string[]]>([
    ['nothing', 'steps: [{name: a, commands: [echo]}]', []],
    ['services', 'services: [{name: db, image: postgres}]', ['services']],
    ['volumes', 'volumes: [{name: cache, temp: {}}]', ['volumes']],
    ['the workspace', 'workspace: {path: /go}', ['workspace']],
    ['of the clone step', 'clone: {depth: 10, retries: 2, disable: false}', ['retries of clone']],
    [
      'of steps',
      'steps: [{name: a, privileged: true, volumes: [{name: c, path: /c}]}, {name: b, settings: {x: y}}]',
      ['volumes of a', 'privileged of a', 'settings of b'],
    ],
    ['of a step without a name', 'steps: [{pull: always}]', ['pull of a step']],
    [
      'by an anchor and by a merge',
      'x: &x {privileged: true}\ny: &y [{name: c, path: /c}]\nsteps: [{<<: *x, name: a}, {name: b, volumes: *y}]',
      ['privileged of a', 'volumes of b'],
    ],
    ['not what asks for nothing', 'services: []\nvolumes: ~\nsteps: [{name: a, privileged: false, pull: ""}]', []],
  ])('%s', (_name, body, expected) => expect(ignored(body)).toEqual(expected))

  it('is bounded, however much there is', () => {
    const name = 'n'.repeat(10_000)
    const steps = Array.from({ length: 50 }, () => `- {name: ${name}, privileged: true, user: root}`).join('\n')
    const words = ignored(`steps:\n${steps}`)
    expect(words).toHaveLength(21)
    expect(words.at(-1)).toBe('80 more')
    expect(words.join('').length).toBeLessThan(2_000)
  })

  it('costs no error more than before', () => {
    expect(() => ignored('services: 5\nsteps: [{name: a, privileged: [x]}]')).toThrow(
      /^yaml: unmarshal errors:(\n {2}line \d+: [^\n]+){2}$/,
    )
  })
})
