import { expect, it } from 'vitest'
import { substitute } from './substitute.ts'

const variables = { v: 'hello-World', tag: 'v1.2.3', path: 'a/b/c', empty: '', lines: 'one\ntwo', w: 'wide' }

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
])('%s → %s', (text, expected) => {
  expect(substitute(text, variables)).toBe(expected)
})

it.each([
  ['$${v}', '${v}'],
  ['echo $$ $v', 'echo $ $v'],
  ['sed s/\\\\./x/', 'sed s/\\./x/'],
  ['s\\/x', 's/x'],
  ['\\n stays', '\\n stays'],
])('escapes: %s → %s', (text, expected) => expect(substitute(text, variables)).toBe(expected))

it.each(['${a[@]}', '${v:+x}', '${v:?x}', '${1}', '${@}', '${!v}', '${v', '${}', '$v', '${#v:1}'])(
  'leaves %s to the shell',
  (text) => expect(substitute(text, variables)).toBe(text),
)

it('quotes values of several lines', () => {
  expect(substitute('a: ${lines}', variables)).toBe('a: "one\\ntwo"')
})

it('does not look into values or prototypes', () => {
  expect(substitute('${x}', { x: '${v}$$', v: 'no' })).toBe('${v}$$')
  expect(substitute('${constructor}', {})).toBe('')
})

it('is bounded', () => {
  expect(() => substitute('${x}'.repeat(2_000), { x: 'y'.repeat(10_000) })).toThrow('too large')
  const nested = '${x//y/${x//y/${x//y/${x}}}}'
  expect(() => substitute(nested, { x: 'y'.repeat(2_000) })).toThrow('too large')
  expect(substitute('${'.repeat(20_000), {})).toBe('${'.repeat(20_000))
  expect(() => substitute('${'.repeat(400_000), {})).toThrow('take too long')
  // Seconds for each of them, if a pattern were tried against each beginning of the value anew.
  const trims = '${x##*a*a*a*a*a*a*a*b} ${x%%*a*a*a*a*a*a*a*b}'
  expect(substitute(trims, { x: 'a'.repeat(1_000) })).toBe(`${'a'.repeat(1_000)} ${'a'.repeat(1_000)}`)
  const long = `\${x##${'*a'.repeat(99)}b}`
  expect(() => substitute(long.repeat(500), { x: 'a'.repeat(1_000) })).toThrow('take too long')
})
