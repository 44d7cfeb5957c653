/**
 * How values are read: by the rules of Drone's parser (YAML 1.1, docs/api §6.1), with its words for
 * what has the wrong type.
 */
import { describe, expect, it } from 'vitest'
import { parsePipelines } from './parse.ts'

const pipeline = (body: string) => {
  const [doc] = parsePipelines(`kind: pipeline\n${body}\n`).pipelines
  if (!doc) throw new Error('no pipeline')
  return doc
}
const refusal = (body: string): string => {
  try {
    pipeline(body)
    return ''
  } catch (error) {
    return error instanceof Error
      ? error.message.replace('yaml: unmarshal errors:\n  line 2: cannot unmarshal ', '')
      : ''
  }
}

describe('a flag', () => {
  const disabled = (value: string) => pipeline(`clone: {disable: ${value}}`).clone.disable
  it.each(['true', 'True', 'TRUE', 'yes', 'Yes', 'YES', 'on', 'On', 'ON', 'y', 'Y'])('is set by %s', (value) =>
    expect(disabled(value)).toBe(true),
  )
  it.each(['false', 'False', 'no', 'NO', 'off', 'Off', 'n', 'N', '~', ''])('is not set by "%s"', (value) =>
    expect(disabled(value)).toBe(false),
  )
  it.each([
    ['tRUE', '!!str `tRUE` into bool'],
    ['yess', '!!str `yess` into bool'],
    ['"no"', '!!str `no` into bool'],
    ["'yes'", '!!str `yes` into bool'],
    ['1', '!!int `1` into bool'],
    ['[true]', '!!seq into bool'],
    ['{a: b}', '!!map into bool'],
  ])('is not %s', (value, words) => expect(refusal(`clone: {disable: ${value}}`)).toBe(words))
})

describe('a number', () => {
  const limit = (value: string) => pipeline(`concurrency: {limit: ${value}}`).concurrency.limit
  it.each([
    ['2', 2],
    ['+2', 2],
    ['-2', -2],
    ['2.9', 2],
    ['-2.9', -2],
    ['1e1', 10],
    ['1E+1', 10],
    ['.5e1', 5],
    ['2.', 2],
    ['1_000', 1_000],
    ['0x1F', 31],
    ['017', 15],
    ['-0_17', -15],
    ['08', 8],
    ['0x1_f', 31],
    ['0o17', 15],
    ['0b101', 5],
    ['~', 0],
    ['', 0],
  ])('may be written %s', (value, expected) => expect(limit(value)).toBe(expected))
  it.each([
    ['two', '!!str `two` into int'],
    ['"2"', '!!str `2` into int'],
    ["'2'", '!!str `2` into int'],
    ['_2', '!!str `_2` into int'],
    ['2a', '!!str `2a` into int'],
    ['a2', '!!str `a2` into int'],
    ['1.2.3', '!!str `1.2.3` into int'],
    ['.', '!!str `.` into int'],
    ['e1', '!!str `e1` into int'],
    ['0xg', '!!str `0xg` into int'],
    ['yes', '!!bool `yes` into int'],
    ['1e300', '!!float `1e300` into int'],
    ['[2]', '!!seq into int'],
    ['{a: 2}', '!!map into int'],
  ])('is not %s', (value, words) => expect(refusal(`concurrency: {limit: ${value}}`)).toBe(words))
})

describe('what has the wrong type is named', () => {
  it.each([
    ['make', '!!str `make`'],
    ['5', '!!int `5`'],
    ['1_0', '!!int `1_0`'],
    ['1_', '!!int `1_`'],
    ['0x1f', '!!int `0x1f`'],
    ['1.5', '!!float `1.5`'],
    ['true', '!!bool `true`'],
    ['off', '!!bool `off`'],
    ['"5"', '!!str `5`'],
    ['"yes"', '!!str `yes`'],
    ['abcdefghij', '!!str `abcdefghij`'],
    ['abcdefghijk', '!!str `abcdefg...`'],
    ['{a: b}', '!!map'],
  ])('%s', (value, words) => expect(refusal(`depends_on: ${value}`)).toBe(`${words} into []string`))
})

describe('each key has its type', () => {
  const string = '!!seq into string'
  it.each([
    ['name: [a]', string],
    ['type: [a]', string],
    ['version: [a]', string],
    ['node: x', '!!str `x` into map[string]string'],
    ['node: {a: [b]}', string],
    ['platform: x', '!!str `x` into yaml.Platform'],
    ['platform: {os: [a]}', string],
    ['platform: {arch: [a]}', string],
    ['platform: {variant: [a]}', string],
    ['platform: {version: [a]}', string],
    ['concurrency: x', '!!str `x` into yaml.Concurrency'],
    ['clone: x', '!!str `x` into yaml.Clone'],
    ['clone: {depth: x}', '!!str `x` into int'],
    ['clone: {skip_verify: x}', '!!str `x` into bool'],
    ['workspace: x', '!!str `x` into yaml.Workspace'],
    ['workspace: {base: [a]}', string],
    ['workspace: {path: [a]}', string],
    ['image_pull_secrets: x', '!!str `x` into []string'],
    ['image_pull_secrets: [[a]]', string],
    ['volumes: x', '!!str `x` into []*yaml.Volume'],
    ['volumes: [x]', '!!str `x` into yaml.Volume'],
    ['trigger: [push]', '!!seq into yaml.Conditions'],
    ['steps: x', '!!str `x` into []*yaml.Container'],
    ['steps: [x]', '!!str `x` into yaml.Container'],
    ['services: [x]', '!!str `x` into yaml.Container'],
  ])('of a pipeline: %s', (line, words) => expect(refusal(line)).toBe(words))

  const steps = [
    ...['name', 'image', 'failure', 'network_mode', 'pull', 'shell', 'user', 'working_dir'].map((key) => [
      `${key}: [a]`,
      string,
    ]),
    ...['commands', 'depends_on', 'command', 'dns', 'dns_search', 'entrypoint', 'extra_hosts'].map((key) => [
      `${key}: x`,
      '!!str `x` into []string',
    ]),
    ['detach: x', '!!str `x` into bool'],
    ['privileged: x', '!!str `x` into bool'],
    ['environment: x', '!!str `x` into map[string]*yaml.Variable'],
    ['environment: {A: [b]}', '!!seq into yaml.Variable'],
    ['environment: {A: {from_secret: [b]}}', string],
    ['settings: x', '!!str `x` into map[string]*yaml.Parameter'],
    ['resources: x', '!!str `x` into yaml.Resources'],
    ['ports: x', '!!str `x` into []*yaml.Port'],
    ['devices: x', '!!str `x` into []*yaml.VolumeDevice'],
    ['devices: [x]', '!!str `x` into yaml.VolumeDevice'],
    ['volumes: x', '!!str `x` into []*yaml.VolumeMount'],
    ['volumes: [x]', '!!str `x` into yaml.VolumeMount'],
    ['when: x', '!!str `x` into yaml.Conditions'],
  ]
  it.each(steps)('of a step: %s', (line, words) => {
    expect(refusal(`steps: [{${line}}]`)).toBe(words)
    expect(refusal(`services: [{${line}}]`)).toBe(words)
  })

  it.each(['yaml.RawResource', 'yaml.SecretGet'])('of other documents: %s', (type) => {
    const text = type === 'yaml.SecretGet' ? 'kind: secret\nget: x\n' : '[a]\n'
    expect(() => parsePipelines(text)).toThrow(`into ${type}`)
  })
})

describe('variables', () => {
  it('of a step are texts, names of secrets, or values in their long form', () => {
    const [step] = pipeline(
      'steps: [{environment: {A: a, N: ~, S: {from_secret: s}, V: {value: v}, E: {other: x}}}]',
    ).steps
    expect(step?.environment).toEqual({ A: 'a', N: '', S: { from_secret: 's' }, V: 'v', E: '' })
    expect(pipeline('steps: [{name: a}]').steps[0]?.environment).toEqual({})
  })
  it('of the pipeline are not checked, but dropped if they are neither text nor secret', () => {
    expect(
      pipeline('environment: {A: a, N: ~, S: {from_secret: s}, L: [x], M: {a: b}, D: {from_secret: [x]}}').environment,
    ).toEqual({ A: 'a', N: '', S: { from_secret: 's' } })
    expect(pipeline('environment: x').environment).toEqual({})
    expect(pipeline('name: a').environment).toEqual({})
  })
})

describe('maps', () => {
  it('forget keys that are no texts', () => {
    expect(pipeline('node: {[x]: y, a: b, ? {c: d} : e}').node).toEqual({ a: 'b' })
  })
  it('merge: own keys win, then the first of a list', () => {
    expect(pipeline('x: &x {a: x, b: x}\ny: &y {b: y, c: y}\nnode: {c: own, <<: [*x, *y]}').node).toEqual({
      a: 'x',
      b: 'x',
      c: 'own',
    })
    expect(pipeline('x: &x {a: x}\ny: &y {<<: *x, b: y}\nnode: {<<: *y}').node).toEqual({ a: 'x', b: 'y' })
    expect(Object.keys(pipeline('x: &x {a: x}\nnode: {b: own, <<: *x}').node)).toEqual(['a', 'b'])
  })
  it('merge maps only, and by the bare key only', () => {
    for (const value of ['x', '[x]', '[{a: b}, x]', '~']) {
      expect(refusal(`node: {<<: ${value}}`)).toBe('yaml: map merge requires map or sequence of maps as the value')
    }
    expect(pipeline('node: {"<<": x}').node).toEqual({ '<<': 'x' })
  })
  it('of null are empty', () => expect(pipeline('node: ~').node).toEqual({}))
})
