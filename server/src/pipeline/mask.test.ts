import { describe, expect, it } from 'vitest'
import { Masker } from './mask.ts'

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

  it('shows at once what cannot go on as a secret', () => {
    const masker = new Masker([{ name: 's', data: 'abc' }])
    expect(masker.push('abc')).toBe('[secret:s]')
    expect(masker.push('abx')).toBe('abx')
    expect(masker.push('xa')).toBe('x')
    expect(masker.push('xa')).toBe('ax')
    expect(masker.flush()).toBe('a')
    expect(masker.flush()).toBe('')
  })

  it('tells secrets with the same second character apart', () => {
    const masker = new Masker([{ name: 's', data: 'ab' }])
    expect(masker.push('bb ba cb \u0000b') + masker.flush()).toBe('bb ba cb \u0000b')
  })

  it('shows the beginning of a secret that does not go on', () => {
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

  it('looks for thousands of lines as quickly as for one', () => {
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
