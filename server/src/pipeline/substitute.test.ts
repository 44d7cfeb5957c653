import { describe, expect, it } from 'vitest'
import { substitute } from './substitute.ts'

const variables = {
  v: 'hello-World',
  upper: 'HELLO',
  emoji: '😀é',
  tag: 'v1.2.3',
  path: 'a/b/c',
  empty: '',
  lines: 'one\ntwo',
  w: 'wide',
}

it.each([
  ['${v}', 'hello-World'],
  ['a${v}b${w}c', 'ahello-Worldbwidec'],
  ['[${unset}]', '[]'],
  ['${#v}', '11'],
  ['${v^}', 'Hello-World'],
  ['${v^^}', 'HELLO-WORLD'],
  ['${tag,}', 'v1.2.3'],
  ['${v,,}', 'hello-world'],
  ['${v:6}', 'World'],
  ['${v:0:5}', 'hello'],
  ['${v: -5:2}', 'Wo'],
  ['${v:99}', ''],
  ['${unset:0:8}', ''],
  ['${w:2:99}', 'de'],
  ['${tag#v}', '1.2.3'],
  ['${path#*/}', 'b/c'],
  ['${path##*/}', 'c'],
  ['${path%/*}', 'a/b'],
  ['${path%%/*}', 'a'],
  ['${v/l/L}', 'heLlo-World'],
  ['${v//l/L}', 'heLLo-WorLd'],
  ['${v//l}', 'heo-Word'],
  ['${v/#hello/bye}', 'bye-World'],
  ['${v/%World/Moon}', 'hello-Moon'],
  ['${v/%hello/x}', 'hello-World'],
  ['${unset=d}', 'd'],
  ['${unset:=d}', 'd'],
  ['${empty:-d}', 'd'],
  ['${v:-d}', 'hello-World'],
  ['${unset:-${w}!}', 'wide!'],
  ['${unset:-a$b}', 'a$b'],
  ['${unset:-x{}}', 'x{}'],
  ['${unset:-${w}${v}}', 'widehello-World'],
  ['${upper,}', 'hELLO'],
  ['${empty^}${unset,}', ''],
  ['${#emoji}', '2'],
  ['${emoji:1}', 'é'],
  ['${v: -99:5}', 'hello'],
  ['${v: -3:9}', 'rld'],
  ['${v: 1 : 2 }', 'el'],
  ['${v:2:0}', ''],
  ['${v:2:-1}', ''],
  // No numbers, no cut.
  ['${w:}', 'wide'],
  ['${w:x}', 'wide'],
  ['${w:1.5}', 'wide'],
  ['${w: :2}', 'wide'],
  ['${w:1: }', 'wide'],
  ['${v:-x{}}', 'hello-World}'],
  ['${w:1:}', 'wide'],
  ['${w:1:x}', 'wide'],
  ['${w:1:1.5}', 'wide'],
  ['${w/i/I}', 'wIde'],
  ['${w/x/y}', 'wide'],
  ['${w//x/y}', 'wide'],
  ['${w//}', 'wide'],
  ['${w/#/y}', 'wide'],
  ['${v/#World/x}', 'hello-World'],
  ['${v/l/${w}}', 'hewidelo-World'],
  // A slash in a pattern is escaped: the cases are of envsubst, the library of Drone's runners.
  ['${path/\\//-}', 'a-b/c'],
  ['${path//\\//-}', 'a-b-c'],
  ['${path/a\\//}', 'b/c'],
  ['${path/#a\\//x\\/}', 'x/b/c'],
  ['${path/${path%/*}/${path##*/}}', 'c/c'],
])('%s → %s', (text, expected) => {
  expect(substitute(text, variables)).toBe(expected)
})

it.each([
  ['$${v}', '${v}'],
  ['echo $$ $v', 'echo $ $v'],
  ['sed s/\\\\./x/', 'sed s/\\./x/'],
  ['s\\/x', 's/x'],
  ['\\n stays', '\\n stays'],
  ['$$v}', '$v}'],
  ['$$$$', '$$'],
])('escapes: %s → %s', (text, expected) => expect(substitute(text, variables)).toBe(expected))

it.each([
  '${a[@]}',
  '${v:+x}',
  '${v:?x}',
  '${1}',
  '${@}',
  '${!v}',
  '${v',
  '${}',
  '$v',
  '${#v:1}',
  '${v ',
  '${v\n}',
  '${-v}',
  '${1v}',
  '${v@#h}',
  '${v@Q}',
  '${-=v}',
  '${unset:-a\nb}',
])('leaves %s to the shell', (text) => expect(substitute(text, variables)).toBe(text))

it('quotes values of several lines', () => {
  expect(substitute('a: ${lines}', variables)).toBe('a: "one\\ntwo"')
})

it('takes an expression of up to 999 characters', () => {
  const expression = `\${unset:-${'d'.repeat(992)}}`
  expect(substitute(expression, {})).toBe('d'.repeat(992))
  const longer = expression.replace('-', '-d')
  expect(substitute(longer, {})).toBe(longer)
})

it('does not read values or prototypes', () => {
  expect(substitute('${x}', { x: '${v}$$', v: 'no' })).toBe('${v}$$')
  expect(substitute('${constructor}', {})).toBe('')
})

describe('is bounded', () => {
  it('in size, however the text grows', () => {
    const x = 'y'.repeat(10_000)
    expect(substitute('${x}'.repeat(100), { x })).toHaveLength(1_000_000)
    expect(() => substitute(`${'${x}'.repeat(100)}.`, { x })).toThrow('substitution: the result is too large')
    expect(substitute('${x//y/aa}', { x: 'y'.repeat(500_000) })).toHaveLength(1_000_000)
    expect(() => substitute('${x//y/aa}', { x: `${'y'.repeat(500_000)}z` })).toThrow('too large')
    const nested = '${x//y/${x//y/${x//y/${x}}}}'
    expect(() => substitute(nested, { x: 'y'.repeat(2_000) })).toThrow('too large')
  })

  it('in time: an open expression costs as many characters as one may have', () => {
    const open = '${'.repeat(20)
    expect(substitute(open, {}, 20 * 1_001)).toBe(open)
    expect(() => substitute(open, {}, 20 * 1_001 - 1)).toThrow('take too long')
    expect(substitute('${x}'.repeat(20), {}, 20 * 4)).toBe('')
    expect(substitute('$$'.repeat(20), {}, 0)).toBe('$'.repeat(20))
    expect(() => substitute('${x}'.repeat(20), {}, 20 * 4 - 1)).toThrow('take too long')
  })

  it('in time: a pattern costs what it may be tried against, a plain text next to nothing', () => {
    const x = 'a'.repeat(2_000)
    const trims = (pattern: string) => `\${x#${pattern}}`.repeat(10)
    expect(() => substitute(trims(`${'b'.repeat(199)}*`), { x }, 4_000_000)).toThrow('take too long')
    expect(substitute(trims('b'.repeat(200)), { x }, 4_000_000)).toHaveLength(20_000)
    expect(substitute('${x:-*}${x/#*/b}', { x }, 20)).toHaveLength(4_000)
    expect(() => substitute(trims(`${'b'.repeat(199)}*`).repeat(4), { x })).toThrow('take too long')
    // Would take seconds each if the pattern were matched from every start position.
    const slow = '${x##*a*a*a*a*a*a*a*b} ${x%%*a*a*a*a*a*a*a*b}'
    expect(substitute(slow, { x: 'a'.repeat(200) })).toBe(`${'a'.repeat(200)} ${'a'.repeat(200)}`)
  })
})
