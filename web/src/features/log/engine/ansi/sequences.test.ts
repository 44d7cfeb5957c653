/** Where sequences start and end according to ECMA-48, and which of them a log applies. */
import { describe, expect, test } from 'vitest'
import { parseLine, plainText } from './line.ts'
import { flag, plainStyle, type Style } from './style.ts'

const e = '\u001b'
const bel = '\u0007'
const plain = (text: string, style: Partial<Style> = {}, href?: string) => ({
  text,
  style: { ...plainStyle, ...style },
  href,
})
const link = (address: string, text: string) => `${e}]8;;${address}${bel}${text}`

describe('sequences are removed, and nothing else', () => {
  test.each([
    ['a CSI with the first final byte', `${e}[1@`],
    ['a CSI with the last final byte', `${e}[1~`],
    ['a CSI with the first intermediate byte', `${e}[1 q`],
    ['a CSI with the last intermediate byte', `${e}[1/q`],
    ['a CSI of the private kind', `${e}[?1049h`],
    ['an eight-bit CSI', '\u009b31m'],
    ['the first escape with a final byte', `${e}0`],
    ['the last escape with a final byte', `${e}~`],
    ['a reset', `${e}c`],
    ['an escape with the first intermediate byte', `${e} F`],
    ['an escape with the last intermediate byte', `${e}/H`],
    ['an escape with two intermediate bytes', `${e}$(D`],
    ['a device control string', `${e}Pbody${e}\\`],
    ['a start of string', `${e}Xbody${e}\\`],
    ['a privacy message', `${e}^body${e}\\`],
    ['an application command', `${e}_body${e}\\`],
    ['a string ended by the eight-bit terminator', `${e}]0;title\u009c`],
    ['an eight-bit device control string', '\u0090body\u009c'],
    ['an eight-bit start of string', '\u0098body\u009c'],
    ['an eight-bit system command', `\u009d0;title${bel}`],
    ['an eight-bit privacy message', '\u009ebody\u009c'],
    ['an eight-bit application command', `\u009fbody${e}\\`],
    ['another eight-bit control', '\u0080'],
    ['a bell', bel],
    ['a delete', '\u007f'],
  ])('%s', (_name, sequence) => expect(plainText(`a${sequence}b`)).toBe('ab'))

  test.each([
    ['no final byte of a CSI', `${e}[1é`, 'é'],
    ['no final byte of an escape', `${e}é`, 'é'],
    ['no final byte behind an intermediate one', `${e}(é`, 'é'],
    ['no control character any more', '\u00a0', '\u00a0'],
    ['a tab', '\t', '\t'],
  ])('%s stays', (_name, text, kept) => expect(plainText(`a${text}b`)).toBe(`a${kept}b`))

  test.each([e, `${e}[`, `${e}[3`, `${e}[3 `, `${e}(`, `${e}]0;t`, `${e}Pq`, `${e}]0;t${e}`, '\u009b', '\u0090x'])(
    'one that has no end: %j',
    (tail) => expect(plainText(`a${tail}`)).toBe('a'),
  )

  test('an escape inside a string ends it', () => {
    expect(parseLine(`${e}]0;title${e}[31mred`).segments).toEqual([plain('red', { fg: 1 })])
  })

  test('nothing but control characters is an empty line', () => {
    expect(plainText(bel)).toBe('')
    expect(parseLine(`\r${e}[m`).segments).toEqual([])
  })

  test.each([`${e}[?31m`, `${e}[>31m`, `${e}[=31m`, `${e}[<31m`, `${e}[31 m`, '\u009b31m'])(
    '%j is no colour',
    (sequence) => {
      expect(parseLine(`${sequence}x`).segments).toEqual([plain('x')])
    },
  )
})

describe('colours', () => {
  test.each<[string, Partial<Style>]>([
    ['30', { fg: 0 }],
    ['37', { fg: 7 }],
    ['40', { bg: 0 }],
    ['47', { bg: 7 }],
    ['90', { fg: 8 }],
    ['97', { fg: 15 }],
    ['100', { bg: 8 }],
    ['107', { bg: 15 }],
    ['31;44;49', { fg: 1 }],
    ['31;44;39', { bg: 4 }],
    ['29', {}],
    ['89', {}],
    ['98', {}],
    ['99', {}],
    ['108', {}],
    ['38;5;255', { fg: 255 }],
    ['38;5;256', {}],
    ['38;2;1;2', {}],
    ['38;9;1', { flags: flag.bold }],
    ['58;5;1;3', { flags: flag.italic }],
    ['1;21;24', { flags: flag.bold }],
    ['1;2;22', {}],
    ['3;9;23', { flags: flag.strike }],
    ['3;9;29', { flags: flag.italic }],
    ['7;8;27', { flags: flag.hidden }],
    ['7;8;28', { flags: flag.inverse }],
    ['1;;3', { flags: flag.italic }],
  ])('SGR %s', (parameters, style) => {
    expect(parseLine(`${e}[${parameters}mx`).segments).toEqual([plain('x', style)])
  })

  test('text of one style is one segment, also after overwriting', () => {
    expect(parseLine(`a${e}[31m${e}[39mb`).segments).toEqual([plain('ab')])
    expect(parseLine('abc\rX').segments).toEqual([plain('Xbc')])
    expect(parseLine(`abcd\r${e}[31mX${e}[39mY`).segments).toEqual([plain('X', { fg: 1 }), plain('Ycd')])
  })
})

describe('links', () => {
  test('a URL can be hidden behind text only with OSC 8', () => {
    const here = plain('x', {}, 'http://a.example/')
    expect(parseLine(`see ${link('http://a.example/', 'x')}`).segments).toEqual([plain('see '), here])
    expect(parseLine(`${e}]9;;http://a.example/${bel}x`).segments).toEqual([plain('x')])
    expect(parseLine(`${e}]88;;http://a.example/${bel}x`).segments).toEqual([plain('x')])
  })

  test('an invalid sequence leaves the link unchanged', () => {
    const line = `${link('http://a.example/', 'x')}${e}]8;http://b.example/${bel}y`
    expect(parseLine(line).segments).toEqual([plain('xy', {}, 'http://a.example/')])
  })

  test('adjacent links stay separate, even after overwriting', () => {
    const links = `${link('http://a.example/', 'x')}${link('http://b.example/', 'y')}`
    const expected = [plain('x', {}, 'http://a.example/'), plain('y', {}, 'http://b.example/')]
    expect(parseLine(links).segments).toEqual(expected)
    expect(parseLine(`--\r${links}`).segments).toEqual(expected)
  })

  test('the text of a link does not open a different URL', () => {
    expect(parseLine(link('http://a.example/', 'http://b.example/')).segments).toEqual([
      plain('http://b.example/', {}, 'http://a.example/'),
    ])
  })

  test('plain links can be anywhere between colors', () => {
    const line = `ab${e}[1mcd http://a.example/ ef http://b.ex${e}[0mample/ gh${e}[1m http://c.example/`
    const bold = { flags: flag.bold }
    expect(parseLine(line).segments).toEqual([
      plain('ab'),
      plain('cd ', bold),
      plain('http://a.example/', bold, 'http://a.example/'),
      plain(' ef ', bold),
      plain('http://b.ex', bold, 'http://b.example/'),
      plain('ample/', {}, 'http://b.example/'),
      plain(' gh'),
      plain(' ', bold),
      plain('http://c.example/', bold, 'http://c.example/'),
    ])
  })

  test.each([
    'javascript:alert(1)//http://a.example/',
    'javascript:alert(1)//mailto:a@b.c',
    `http://a.example/${'x'.repeat(4096)}`,
    'http://[',
    'http://',
  ])('%s is none', (address) => {
    expect(parseLine(link(address, 'x')).segments).toEqual([plain('x')])
  })

  test('the longest one', () => {
    const address = `http://a.example/${'x'.repeat(4096 - 17)}`
    expect(parseLine(link(address, 'x')).segments).toEqual([plain('x', {}, address)])
  })
})

describe('the cursor', () => {
  test.each([
    ['a tab goes to the next eighth column', 'ab\rcd\tX', 'cd      X'],
    ['a tab from an eighth column goes on to the next', `x\r${'y'.repeat(8)}\tX`, `${'y'.repeat(8)}        X`],
    ['a bell does not move it', `abc${bel}X\rY`, 'YbcX'],
    ['a place on the screen is not obeyed', `ab${e}[1;1HX\rY`, 'YbX'],
    ['erased up to here, then further', `abcdef${e}[4D${e}[1K${e}[2C${e}[1K`, '     f'],
    ['erased up to here, then less far', `abcdef${e}[2D${e}[1K${e}[2D${e}[1K`, '     f'],
    ['written on what was erased', `abcdef${e}[2D${e}[1K\rX`, 'X    f'],
  ])('%s', (_name, line, expected) => expect(plainText(line)).toBe(expected))

  test('the total number of blanks is limited', () => {
    expect(plainText(`a\r${e}[9000Cx${e}[9000Cy`)).toBe(`a${' '.repeat(4096)}xy`)
    const long = 'a'.repeat(3000)
    expect(plainText(`${long}${e}[1Cx${e}[4000Cy`)).toBe(`${long} x${' '.repeat(4000)}y`)
  })
})
