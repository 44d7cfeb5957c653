/**
 * YAML forms that a real server accepts although the standard's grammar is stricter, and the
 * messages for refused ones.
 */
import { describe, expect, it } from 'vitest'
import { parsePipelines } from './parse.ts'

const step = (text: string) => parsePipelines(`kind: pipeline\nsteps:\n${text}`).pipelines[0]?.steps[0]
const name = (text: string) => parsePipelines(`kind: pipeline\n${text}`).pipelines[0]?.name
const refusal = (text: string): string => {
  try {
    parsePipelines(text)
    return ''
  } catch (error) {
    return error instanceof Error ? error.message : ''
  }
}

describe('brackets may be anywhere', () => {
  it.each([
    ['closed below the key', '  - name: a\n    commands: [\n      make,\n      test\n    ]\n'],
    ['closed left of the key', '  - name: a\n    commands: [\n      make,\n      test\n  ]\n'],
    ['closed at the start of the line', '  - name: a\n    commands: [\n      make,\n      test\n]\n'],
    ['continued left of the key', '  - name: a\n    commands: [make,\n test ]\n'],
    ['with comments and empty lines', '  - name: a\n    commands: [ # one\n make,\n\n# two\ntest\n] # three\n'],
    ['with what follows', '  - name: a\n    commands: [\nmake, test\n]\n  - name: b\n'],
  ])('%s', (_what, text) => {
    expect(step(text)).toMatchObject({ name: 'a', commands: ['make', 'test'] })
  })
  it('and so may braces, within each other', () => {
    const [doc] = parsePipelines(
      'kind: pipeline\ntrigger:\n    ref: {\n  include: [\na,\n b\n],\n   exclude: [c]\n }\n    event: push\n',
    ).pipelines
    expect(doc?.trigger).toEqual({
      ref: { include: ['a', 'b'], exclude: ['c'] },
      event: { include: ['push'], exclude: [] },
    })
  })
})

describe('quoted texts may continue anywhere', () => {
  it.each([
    ['at the column of the key', 'name: "one\ntwo"\n'],
    ['in single quotes', "name: 'one\ntwo'\n"],
    ['right of it', 'name: "one\n  two"\n'],
  ])('%s', (_what, text) => expect(name(text)).toBe('one two'))
  it('left of the key, and in brackets', () => {
    expect(step('  - name: "one\n two"\n    commands: ["x\ny",\n\'z\n\n z\']\n')).toMatchObject({
      name: 'one two',
      commands: ['x y', 'z\nz'],
    })
  })
  it('and what follows keeps its position', () => {
    expect(
      step('  - name: "one\n two"\n    commands:\n    - |\n      a\n       b\n    - c\n    environment:\n      A: b\n'),
    ).toMatchObject({ name: 'one two', commands: ['a\n b\n', 'c'], environment: { A: 'b' } })
  })
  it('but not over the end of the document', () => {
    expect(refusal('kind: pipeline\nname: "one\n---\nkind: pipeline\nname: two"\n')).toContain('missing closing "quote')
  })
})

it('a file that is neither is refused at the place that the standard names', () => {
  expect(refusal('kind: pipeline\nsteps: [a,\nname: b\nmore: c\n')).toContain('yaml: line 3: ')
  expect(refusal('kind: pipeline\nname: "x\ntype: exec\n')).toContain('yaml: line 3: ')
})

describe('in words', () => {
  it.each([
    ['0.8', 'pipeline:\n  build:\n    image: node\n', 'yaml: the Drone 0.8 format is not supported'],
    [
      '0.8 beside a kind',
      'kind: pipeline\npipeline:  \r\n  build: {}\n',
      'yaml: the Drone 0.8 format is not supported',
    ],
    [
      '0.8 with a workspace first',
      'workspace:\n  base: /go\npipeline:\n  a: {}\n',
      'yaml: the Drone 0.8 format is not supported',
    ],
    [
      'a conflict',
      'kind: pipeline\n<<<<<<< HEAD\nname: a\n=======\nname: b\n>>>>>>> c\n',
      'yaml: line 2 of the file: there is an unresolved merge conflict',
    ],
    [
      'a conflict at once',
      '<<<<<<< HEAD\nkind: pipeline\n=======\nkind: pipeline\n>>>>>>> c\n',
      'yaml: line 1 of the file: there is an unresolved merge conflict',
    ],
    [
      'the end of a conflict',
      'kind: pipeline\nname: b\n>>>>>>> c\n',
      'yaml: line 3 of the file: there is an unresolved merge conflict',
    ],
    [
      'a conflict in a step',
      'kind: pipeline\nsteps:\n- name: a\n<<<<<<< HEAD\n  image: x\n=======\n  image: y\n>>>>>>> c\n',
      'yaml: line 4 of the file: there is an unresolved merge conflict',
    ],
    [
      'no key for the list',
      'kind: pipeline\nname: a\n\n- name: b\n  commands: [c]\n',
      'yaml: line 3: unexpected list: a key such as `steps:` is missing before it',
    ],
    [
      'a list within a text',
      'kind: pipeline\nname: a\n  - name: b\n    commands: [c]\n',
      'unexpected list: a key such as `steps:` is missing before it',
    ],
    ['a star', 'kind: pipeline\ntrigger:\n  branch: [*]\n', 'yaml: line 3: a value that starts with * must be quoted'],
    [
      'a star alone',
      'kind: pipeline\ntrigger:\n  branch: *\n',
      'yaml: line 3: a value that starts with * must be quoted',
    ],
    [
      'two stars',
      'kind: pipeline\ntrigger:\n  ref: **/x\n',
      "yaml: unknown anchor '*/x' referenced (a value that starts with * must be quoted)",
    ],
  ])('%s', (_what, text, words) => expect(refusal(text)).toContain(words))

  it('and only where it is meant', () => {
    expect(name('name: a\nsteps:\n- name: b\n  commands:\n  - |\n    pipeline:\n    <<<<<<< x\n')).toBe('a')
    expect(refusal('kind: pipeline\npipeline: # old\n')).toBe('')
    const inContext = 'mapping values are not allowed in this context'
    expect(refusal('kind: pipeline\nname: a: b\n')).toBe(`yaml: line 2: ${inContext}`)
    // A list elsewhere, a line that only looks like a list, and text that git would not write.
    expect(refusal('kind: pipeline\nsteps:\n- name: a\n\nname: b: c\n')).toBe(`yaml: line 5: ${inContext}`)
    expect(refusal('kind: pipeline\nname: a: b - c\n')).toBe(`yaml: line 2: ${inContext}`)
    expect(refusal('kind: pipeline\nname: a: b\nx: >\n  > x\n> \n')).not.toContain('conflict')
    expect(refusal('kind: pipeline\nname: a: b\n  <<<<<<< HEAD\n')).not.toContain('conflict')
  })
})

describe('an apostrophe may be escaped in double quotes', () => {
  it.each([
    [String.raw`"it\'s"`, "it's"],
    [String.raw`"\'"`, "'"],
    [String.raw`"a\\\'b"`, String.raw`a\'b`],
    [String.raw`"a\\b"`, String.raw`a\b`],
    [String.raw`"x\n\'y"`, "x\n'y"],
  ])('%s', (text, value) => {
    expect(step(`  - name: ${text}\n`)?.name).toBe(value)
    expect(step(`  - {name: a, commands: [${text}]}\n`)?.commands).toEqual([value])
  })
  it('and stays as it is where there are none', () => {
    const shell = String.raw`"it\'s"`
    expect(step(`  - name: a\n    commands:\n    - |\n      ${shell}\n    - echo ${shell}\n`)?.commands).toEqual([
      `${shell}\n`,
      `echo ${shell}`,
    ])
  })
  it('and lines are counted right behind it', () => {
    expect(refusal(`kind: pipeline\nname: ${String.raw`"it\'s"`}\nsteps: {a: b}\n`)).toContain('line 3')
  })
})

describe('tags', () => {
  it.each([
    ['!!binary bWFrZSB0ZXN0', 'make test'],
    ['!!binary "bWFrZSB0ZXN0"', 'make test'],
    ['!!binary |\n      bWFrZSB0\n      ZXN0\n', 'make test'],
    ['!!binary w6k=', 'é'],
    ['!!binary ""', ''],
    ['!!int 5', '5'],
    ['!!str 1.10', '1.10'],
    ['!!float 1.10', '1.10'],
    ['!!bool true', 'true'],
  ])('%s', (text, value) => {
    expect(step(`  - name: a\n    commands:\n    - ${text}\n`)?.commands).toEqual([value])
  })
  it.each(['a', 'b%%=', 'bWFr===='])('refuses what is not base64: %s', (text) => {
    expect(refusal(`kind: pipeline\nname: !!binary ${text}\n`)).toBe(
      'yaml: !!binary value contains invalid base64 data',
    )
  })
})
