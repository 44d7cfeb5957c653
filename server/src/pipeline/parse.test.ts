import { describe, expect, it } from 'vitest'
import { ConfigError, parsePipelines, textToSign } from './parse.ts'
import { substitute } from './substitute.ts'

const errorOf = (text: string): string => {
  try {
    parsePipelines(text)
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
  return ''
}
const one = (text: string) => {
  const [doc] = parsePipelines(text).pipelines
  if (!doc) throw new Error('no pipeline')
  return doc
}
const missingKind = 'yaml: missing kind attribute'

describe('documents', () => {
  it('are separated by lines that start with ---, and ended by ...', () => {
    const file = parsePipelines('kind: pipeline\nname: a\n--- # second\nkind: pipeline\nname: b\n...\nnot: [read')
    expect(file.pipelines.map((doc) => doc.name)).toEqual(['a', 'b'])
  })

  it('may begin with a separator', () => {
    expect(one('---\nkind: pipeline\nname: a\n').name).toBe('a')
  })

  it.each([
    ['an empty document at the end', 'kind: pipeline\n---\n'],
    ['two separators in a row', 'kind: pipeline\n---\n---\nkind: pipeline\nname: b\n'],
    ['a comment before the first separator', '# build\n---\nkind: pipeline\n'],
    ['a blank line before the first separator', '\n---\nkind: pipeline\n'],
    ['no kind', 'name: a\nsteps: []\n'],
    ['a kind of null', 'kind: ~\n'],
  ])('need a kind each: %s', (_why, text) => expect(errorOf(text)).toBe(missingKind))

  it('of an empty file are none', () => expect(parsePipelines('').pipelines).toEqual([]))

  it('may have a byte order mark, CRLF, JSON, tags, repeated keys and tabs at the end', () => {
    expect(one('\uFEFFkind: pipeline\r\nname: a\r\n').name).toBe('a')
    expect(one('kind: pipeline\rname: a\rsteps:\r- name: b\r').steps).toMatchObject([{ name: 'b' }])
    expect(one('{"kind": "pipeline", "name": "a", "steps": [{"name": "s", "detach": true}]}').steps[0]?.detach).toBe(
      true,
    )
    expect(one('kind: pipeline\nname: !str a\t\nname: b\n').name).toBe('b')
  })

  it('end at a line of 64 KiB', () => {
    const long = `x: ${'y'.repeat(70_000)}`
    expect(one(`kind: pipeline\nname: a\n${long}\nname: b`).name).toBe('a')
    expect(parsePipelines(long).pipelines).toEqual([])
  })

  it('keep signature and secrets apart', () => {
    const file = parsePipelines(
      '---\nkind: pipeline\nname: a\n---\nkind: secret\nname: s\ndata: abc\n---\nkind: secret\nname: e\nget: {path: p, name: n}\n---\nkind: signature\nhmac: 12ab\n---\nkind: cron\n',
    )
    expect(file.secrets).toEqual([
      { name: 's', data: 'abc' },
      { name: 'e', data: '', get: { path: 'p', name: 'n' } },
    ])
    expect(file.signature).toBe('12ab')
    expect(file.pipelines).toHaveLength(1)
    expect(file.signedText).toBe(
      'kind: pipeline\nname: a\nkind: secret\nname: s\ndata: abc\nkind: secret\nname: e\nget: {path: p, name: n}\nkind: cron\n',
    )
  })

  it('of an unknown kind are pipelines without a type', () => {
    expect(one('kind: Pipeline\ntype: exec\n')).toMatchObject({ kind: 'Pipeline', type: '' })
    expect(one('kind: pipeline\n').type).toBe('docker')
  })

  it('of kind cron and registry are read, and forgotten', () => {
    expect(parsePipelines('kind: cron\n---\nkind: registry\n')).toMatchObject({ pipelines: [], secrets: [] })
    expect(errorOf('kind: registry\nname: [a]\n')).toBe('')
  })

  it.each([
    'kind: template\nload: x.yaml',
    'kind: pipeline\n---\nkind:template',
    'kind:\t template \t\r\nload: x',
    'kind: pipeline\nsteps: |\n  x\nkind: template\n',
  ])('with a line of kind template are refused: %j', (text) =>
    expect(errorOf(text)).toBe('template converter: templates are not supported by this server'),
  )
  it.each(['kind: templates', 'kind: template # x', 'kind: "template"', 'a:\n  kind: template\nkind: x'])(
    'with other lines are not: %j',
    (text) => expect(errorOf(text)).toBe(''),
  )

  it('have no signature where what it is not over could run once variables are filled in', () => {
    const signed = 'kind: pipeline\nname: a\n'
    const hidden = 'u: "a\\\\\\", kind: pipeline, name: b, v: \\\\\\""'
    const signature = `---\n{s: "\${DRONE_REPO:-", kind: signature, hmac: 12, t: "}", ${hidden}}\n`
    const plain = '---\nkind: signature\nhmac: 12\n'
    // Parsed as in the raw file, but after substitution it is another document.
    expect(parsePipelines(`${signature}---\n${signed}`).pipelines.map(({ name }) => name)).toEqual(['a'])
    const filled = substitute(`${signature}---\n${signed}`, { DRONE_REPO: 'acme/web' })
    expect(parsePipelines(filled).pipelines.map(({ name }) => name)).toEqual(['b', 'a'])
    const long = `# ${'${Q}'.repeat(17_000)}\n---\nkind: pipeline\nname: b\n`
    expect(parsePipelines(substitute(signed + plain + long, {})).pipelines.map(({ name }) => name)).toEqual(['a', 'b'])

    expect(parsePipelines(signed + plain).signature).toBe('12')
    expect(parsePipelines(signed + signature)).not.toHaveProperty('signature')
    expect(parsePipelines(signed + signature + plain)).not.toHaveProperty('signature')
    expect(parsePipelines(signed + plain + long)).not.toHaveProperty('signature')
  })

  it('are signed without signatures and separators', () => {
    const text = '---\nkind: pipeline\nname: a\n--- # b\nkind: signature\nhmac: 12\n---\nkind: cron\n...\nx'
    expect(textToSign(text)).toBe('kind: pipeline\nname: a\nkind: cron\n')
    expect(parsePipelines(text).signedText).toBe(textToSign(text))
    expect(textToSign('')).toBe('')
    expect(() => textToSign('name: a: b')).toThrow(ConfigError)
  })
})

describe('values', () => {
  it('are texts as written', () => {
    const doc = one(
      'kind: pipeline\nname: 1.10\nnode: {zone: 010, on: yes}\nplatform: {os: linux, version: 1809}\nsteps:\n- name: 1e3\n  environment: {A: 1.0, B: true, C: {from_secret: s}, D: null, E: "~"}\n  commands: [1, true, "x: y"]\n',
    )
    expect(doc.name).toBe('1.10')
    expect(doc.node).toEqual({ zone: '010', on: 'yes' })
    expect(doc.platform.version).toBe('1809')
    expect(doc.steps[0]).toMatchObject({
      name: '1e3',
      environment: { A: '1.0', B: 'true', C: { from_secret: 's' }, D: '', E: '~' },
      commands: ['1', 'true', 'x: y'],
    })
  })

  it('of flags and numbers', () => {
    expect(one('kind: pipeline\nclone: {disable: yes}\nconcurrency: {limit: 2.5}')).toMatchObject({
      clone: { disable: true },
      concurrency: { limit: 2 },
    })
    expect(errorOf('kind: pipeline\nclone: {disable: "true"}')).toBe(
      'yaml: unmarshal errors:\n  line 2: cannot unmarshal !!str `true` into bool',
    )
  })

  it('of null are absent', () => {
    const doc = one('kind: pipeline\nsteps:\ntrigger:\ndepends_on: ~\nplatform: null\n')
    expect(doc).toMatchObject({ steps: [], trigger: {}, depends_on: [] })
  })

  it('may be anchors and merges of the same document', () => {
    const doc = one(
      'kind: pipeline\nx: &base {commands: [make], environment: {A: a}}\nsteps:\n- {<<: *base, name: one}\n- name: two\n  commands: [own]\n  <<: [*base]\n',
    )
    expect(doc.steps.map(({ name, commands }) => [name, commands])).toEqual([
      ['one', ['make']],
      ['two', ['own']],
    ])
    expect(errorOf('kind: pipeline\nx: &a 1\n---\nkind: pipeline\nname: *a\n')).toContain(
      "yaml: unknown anchor 'a' referenced",
    )
  })

  it('of a closing bracket below its key', () => {
    expect(one('kind: pipeline\nsteps:\n- name: a\n  commands: [\n    "make",\n  ]\n').steps[0]?.commands).toEqual([
      'make',
    ])
  })
})

describe('errors', () => {
  it.each([
    ['commands: make', '!!str `make` into []string'],
    ['commands: [echo a: b]', '!!map into string'],
    ['depends_on: a', '!!str `a` into []string'],
    ['environment: [A=b]', '!!seq into map[string]*yaml.Variable'],
    ['when: [{event: push}]', '!!seq into yaml.Conditions'],
    ['entrypoint: sh', '!!str `sh` into []string'],
    ['name: [a]', '!!seq into string'],
    ['image: {a: b}', '!!map into string'],
  ])('name the line of a wrong type: %s', (line, text) => {
    expect(errorOf(`kind: pipeline\nsteps:\n- ${line}`)).toBe(
      `yaml: unmarshal errors:\n  line 3: cannot unmarshal ${text}`,
    )
  })

  it('come one line each', () => {
    expect(errorOf('kind: pipeline\ntrigger: push\nsteps: {a: b}\n')).toBe(
      'yaml: unmarshal errors:\n  line 2: cannot unmarshal !!str `push` into yaml.Conditions\n  line 3: cannot unmarshal !!map into []*yaml.Container',
    )
  })

  it('prefer a wrong type to a missing kind, and the kinds of all documents to both', () => {
    expect(errorOf('name: [a]')).toContain('cannot unmarshal !!seq into string')
    expect(errorOf('name: [a]\n---\n- x\n')).toContain('cannot unmarshal !!seq into yaml.RawResource')
    expect(errorOf('kind: pipeline\ntrigger: push\ntype: [a]\n')).toBe(
      'yaml: unmarshal errors:\n  line 3: cannot unmarshal !!seq into string',
    )
    expect(errorOf('hello\n')).toContain('cannot unmarshal !!str `hello` into yaml.RawResource')
  })

  it('of the grammar name the line in the document and where that is', () => {
    expect(errorOf('kind: pipeline\nname: a: b')).toBe('yaml: line 2: mapping values are not allowed in this context')
    expect(errorOf('kind: pipeline\n---\nkind: pipeline\nsteps:\n\t- x\n')).toMatch(
      /^yaml: line 3: .* \(in the document after line 2 of the file\)$/,
    )
    expect(errorOf('kind: pipeline\nsteps: [a, b')).toMatch(/^yaml: line 2: /)
    expect(errorOf('kind: pipeline\nsteps:\n\t- x\n')).toBe('yaml: line 3: found character that cannot start any token')
    expect(errorOf('kind: pipeline\nname: a\n]\n')).toMatch(/^yaml: line 3: [a-z -]+$/)
  })

  it('do not come from docker-only or unknown keys of any shape', () => {
    expect(
      one('kind: pipeline\nenvironment: [x]\nservices: []\nunknown: {a: [b]}\nclone: {retries: [1]}').environment,
    ).toEqual({})
  })

  it('come from an old map form of a secret', () => {
    expect(errorOf('kind: secret\nname: s\ndata: {a: b}')).toContain('cannot unmarshal !!map into string')
  })
})

describe('conditions', () => {
  const trigger = (yaml: string) => one(`kind: pipeline\ntrigger:\n  branch: ${yaml}\n`).trigger

  it('are a text, a list, or include and exclude', () => {
    expect(trigger('main')).toEqual({ branch: { include: ['main'], exclude: [] } })
    expect(trigger('[a, b]')).toEqual({ branch: { include: ['a', 'b'], exclude: [] } })
    expect(trigger('[a, ~, null]')).toEqual({ branch: { include: ['a', '', ''], exclude: [] } })
    expect(trigger('{include: [a], exclude: [b]}')).toEqual({ branch: { include: ['a'], exclude: ['b'] } })
  })

  it.each(['{include: master}', '{exclude: master}', '[{a: b}]', '{other: [a]}', '[]', '~'])(
    'are dropped when malformed: %s',
    (yaml) => expect(trigger(yaml)).toEqual({}),
  )
})

/**
 * At full size, against a running server: `builds/event-loop.system.test.ts`,
 * `builds/hostile-config.system.test.ts`.
 */
describe('bad input ends in bounded time and memory', () => {
  it.each([
    ['more than a million characters', 'x: y\n'.repeat(200_001), 'yaml: the file is larger than 1000000 characters'],
    ['many brackets', '[\n'.repeat(20_000), 'yaml: '],
    ['deep maps', '{a: \n'.repeat(10_000), 'yaml: '],
    ['deep lists', '- '.repeat(10_000), 'yaml: '],
    ['1,001 steps', `kind: pipeline\nsteps:\n${'- {}\n'.repeat(1_001)}`, 'yaml: a pipeline has more than 1000 steps'],
    ['1,001 services', `kind: pipeline\nservices:\n${'- {}\n'.repeat(1_001)}`, 'more than 1000 steps'],
  ])('%s', (_why, text, expected) => expect(errorOf(text)).toContain(expected))

  it('but 1,000 steps are fine', () => {
    expect(one(`kind: pipeline\nsteps:\n${'- {}\n'.repeat(1_000)}`).steps).toHaveLength(1_000)
  })

  it('of nesting, a hundred levels at most', () => {
    const nested = (depth: number, open: string, close: string) =>
      `kind: pipeline\na: ${open.repeat(depth)}${close.repeat(depth)}`
    // The map that `a` is a key of is a level, too, and so are the keys in the innermost one.
    for (const [open, close, most] of [
      ['[', ']', 99],
      ['{a: ', '}', 98],
      ['{? ', '}', 99],
    ] as const) {
      expect(errorOf(nested(most, open, close))).toBe('')
      expect(errorOf(nested(most + 1, open, close))).toBe('yaml: exceeded max depth of 100')
    }
    expect(errorOf(`kind: pipeline\n---\n${nested(100, '[', ']')}`)).toBe(
      'yaml: exceeded max depth of 100 (in the document after line 2 of the file)',
    )
  })

  it('patterns with exponential time', () => {
    const pattern = (count: number) => `'${'*a'.repeat(420)}{${Array.from({ length: count }, () => 'b').join()}}'`
    const file = (count: number, branch: string) =>
      `kind: pipeline\ntrigger:\n  branch:\n${`  - ${branch}\n`.repeat(count)}`
    expect(errorOf(file(2, pattern(60)))).toBe('yaml: the patterns in the conditions of the file are too long')
    expect(errorOf(file(1, pattern(60)))).toBe('')
    expect(errorOf(file(1, pattern(60)).replace('branch:', 'branch: {exclude: [').concat(']}'))).not.toBe('')
    expect(errorOf(file(150, 'x'.repeat(900)))).toBe('')
  })

  it('many wrong values', () => {
    const wrong = (count: number) => errorOf(`kind: pipeline\ndepends_on:\n${'- [a]\n'.repeat(count)}`).split('\n')
    expect(wrong(100)).toHaveLength(101)
    expect(wrong(100)[1]).toBe('  line 3: cannot unmarshal !!seq into string')
    expect(wrong(150)).toHaveLength(102)
    expect(wrong(150).at(-1)).toBe('  and 50 more')
  })

  it('anchors that explode @system', () => {
    const wide = `kind: pipeline\nx: &x [${'a,'.repeat(5_000)}]\ns: &s {commands: *x}\nsteps: [${'*s,'.repeat(90)}]\n`
    expect(errorOf(wide)).toBe('yaml: document contains excessive aliasing')
  })

  it('an anchor that contains itself', () => {
    expect(errorOf('kind: pipeline\nplatform: &a\n  <<: *a\n  os: linux\n')).toContain('contains itself')
  })

  it('characters that no database keeps are replaced in names', () => {
    const [pipeline] = parsePipelines(
      'kind: pipeline\nname: "a\\0b"\nsteps: [{name: "\\ud800", commands: [x]}]\n',
    ).pipelines
    expect([pipeline?.name, pipeline?.steps[0]?.name]).toEqual(['a\uFFFDb', '\uFFFD'])
  })

  it('1,000 pipelines are fine', () => {
    const docs = Array.from({ length: 1_000 }, (_, i) => `kind: pipeline\nname: p${i}\n`)
    expect(parsePipelines(docs.join('---\n')).pipelines).toHaveLength(1_000)
  })
})
