import { describe, expect, it } from 'vitest'
import { minCost } from '../testing/min-cost.ts'
import { compileMask, Masker, type MaskedSecret } from './mask.ts'

const secrets = [
  { name: 'Password', data: 'hunter2' },
  { name: 'LONG', data: 'hunter2-and-more' },
  { name: 'key', data: '-----BEGIN-----\n  abcdef\nx\n-----END-----\n' },
]
const mask = (...chunks: string[]): string => {
  const masker = new Masker(secrets)
  return chunks.map((chunk) => masker.push(chunk)).join('') + masker.flush()
}

describe('Masker', () => {
  it('replaces secrets by their names', () => {
    expect(mask('password is hunter2, again hunter2hunter2\n')).toBe(
      'password is [secret:password], again [secret:password][secret:password]\n',
    )
  })
  it('prefers the longest', () => expect(mask('hunter2-and-more')).toBe('[secret:long]'))

  it('finds a secret however it is split', () => {
    const text = 'a hunter2 b hunter2-and-more c -----BEGIN-----\n  abcdef\nx\n-----END-----\n'
    const expected = mask(text)
    expect(expected).toBe('a [secret:password] b [secret:long] c [secret:key]')
    for (let at = 0; at <= text.length; at += 1) expect(mask(text.slice(0, at), text.slice(at))).toBe(expected)
    expect(mask(...text)).toBe(expected)
  })

  it('hides each line of a secret, but not single characters', () => {
    expect(mask('indented: abcdef, x')).toBe('indented: [secret:key], x')
  })

  it('hides what is left of a secret in an environment, which holds no NUL', () => {
    const masker = new Masker([{ name: 's', data: 'one\0two' }])
    expect(masker.push('onetwo one\0two') + masker.flush()).toBe('[secret:s] [secret:s]')
  })

  it('hides the lines of a secret also where they end with a carriage return alone', () => {
    const masker = new Masker([{ name: 's', data: 'first\rsecond\r\nthird' }])
    expect(masker.push('first/second/third') + masker.flush()).toBe('[secret:s]/[secret:s]/[secret:s]')
  })

  it('hides from two characters on', () => {
    const masker = new Masker([{ name: 's', data: 'ab' }])
    expect(masker.push('xab!') + masker.flush()).toBe('x[secret:s]!')
  })

  it('holds nothing back for secrets that are not hidden', () => {
    expect(new Masker([{ name: 's', data: 'x' }]).push('ax')).toBe('ax')
  })

  it('hides a secret without the space that ends it, and names the first of two that are the same', () => {
    const masker = new Masker([
      { name: 'A', data: '  word \n' },
      { name: 'B', data: 'word' },
    ])
    expect(masker.push('[  word] [word]') + masker.flush()).toBe('[[secret:a]] [[secret:a]]')
  })

  it('shows at once what cannot continue as a secret', () => {
    const masker = new Masker([{ name: 's', data: 'abc' }])
    expect(masker.push('abc')).toBe('[secret:s]')
    expect(masker.push('abx')).toBe('abx')
    expect(masker.push('xa')).toBe('x')
    expect(masker.push('xa')).toBe('ax')
    expect(masker.flush()).toBe('a')
    expect(masker.flush()).toBe('')
  })

  it('distinguishes secrets with the same second character', () => {
    const masker = new Masker([{ name: 's', data: 'ab' }])
    expect(masker.push('bb ba cb \u0000b') + masker.flush()).toBe('bb ba cb \u0000b')
  })

  it('shows the beginning of a secret that does not continue', () => {
    const masker = new Masker(secrets)
    expect(masker.push('one hun')).toBe('one ')
    expect(masker.push('dred\n')).toBe('hundred\n')
    expect(masker.push('hunter')).toBe('')
    expect(masker.flush()).toBe('hunter')
  })

  it('finds a secret that begins inside a false start', () => {
    const masker = new Masker([{ name: 's', data: 'aab' }])
    expect(masker.push('aa') + masker.push('aab') + masker.flush()).toBe('aa[secret:s]')
  })

  it('searches for thousands of lines as quickly as for one', () => {
    const data = Array.from({ length: 10_000 }, (_, index) => `x${index}`).join('\n')
    const masker = new Masker([{ name: 'all', data }])
    const text = 'xyz\n'.repeat(10_000)
    expect(masker.push(text) + masker.push('x9999') + masker.flush()).toBe(`${text}[secret:all]`)
  })

  it('passes everything on without secrets, and ignores empty ones', () => {
    const masker = new Masker([
      { name: 'e', data: '' },
      { name: 'c', data: 'x' },
    ])
    expect(masker.push('x marks')).toBe('x marks')
  })
})

/** What each place of the text begins, asked of every value: slow, and plain to see. */
function maskSlowly(values: readonly MaskedSecret[], text: string): string {
  const longestFirst = values.toSorted((a, b) => b.data.length - a.data.length)
  let shown = ''
  for (let at = 0; at < text.length;) {
    const found = longestFirst.find(({ data }) => text.startsWith(data, at))
    shown += found ? `[secret:${found.name}]` : text.charAt(at)
    at += found ? found.data.length : 1
  }
  return shown
}

/** A small generator with a seed, so that a failure can be repeated. */
function numbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

it('hides the same as a search for every value at every place, however values overlap and chunks are cut', () => {
  for (let seed = 1; seed <= 2_000; seed += 1) {
    const next = numbers(seed)
    const word = (length: number) => Array.from({ length }, () => 'ab'.charAt(next(2)) || 'a').join('')
    const values = new Set(Array.from({ length: 1 + next(6) }, () => word(2 + next(7))))
    const named = [...values].map((data, index) => ({ name: `s${index}`, data }))
    const text = word(next(60))
    const masker = new Masker(named)
    let shown = ''
    for (let at = 0; at < text.length;) {
      const length = 1 + next(9)
      shown += masker.push(text.slice(at, at + length))
      at += length
    }
    expect([seed, shown + masker.flush()]).toEqual([seed, maskSlowly(named, text)])
  }
})

it.each([
  [
    'lines that are the beginnings of each other',
    Array.from({ length: 1_349 }, (_, i) => 'a'.repeat(i + 1)).join('\n'),
    'a',
  ],
  ['a long value that begins with a short one many times over', `${'ab'.repeat(30_000)}X\nab`, 'ab'],
  ['a long value that fails at its end', `${'a'.repeat(60_000)}X`, 'a'],
])('takes time in proportion to the text: %s @system', (_what, data, piece) => {
  const mask = compileMask([{ name: 's', data }])
  const run = (length: number, chunkLength: number) => {
    const masker = new Masker(mask)
    const chunk = piece.repeat(chunkLength / piece.length)
    for (let at = 0; at < length; at += chunkLength) masker.push(chunk)
    masker.flush()
  }
  run(65_536, 4_096)
  // Sixteen times the text: at most four times the price of each character. Anything that is not
  // linear costs hundreds of times more.
  const small = minCost(() => run(65_536, 4_096))
  expect(minCost(() => run(16 * 65_536, 4_096)) / small).toBeLessThan(64)
  expect(minCost(() => run(65_536, 2)) / small).toBeLessThan(64)
})
