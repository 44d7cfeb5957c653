import { expect, it } from 'vitest'
import { logJson, logLine, oneLine } from './log-line.ts'

it('is one line, whatever it contains', () => {
  const evil = 'a\nGET /forged 200\r\u001B[31mred\u009B2J\u2028\u202Eabc\u0000\u200B'
  const line = oneLine(evil)
  expect(line).toBe('a\\x0aGET /forged 200\\x0d\\x1b[31mred\\x9b2J\\u{2028}\\u{202e}abc\\x00\\u{200b}')
  expect(oneLine('Grüße, 世界 🎉')).toBe('Grüße, 世界 🎉')
})

it('is cut', () => {
  const line = logLine('x'.repeat(1_000_000))
  expect(line.length).toBeLessThan(1_100)
  expect(line).toContain('(1000000 characters)')
  expect(logLine('y', new Error('z'.repeat(1_000_000))).length).toBeLessThan(20_000)
})

it('has the source of an error, and takes no part of its message for one', () => {
  const error = new TypeError('broken\n    at forged (/etc/passwd:1:1)')
  const lines = logLine('a call failed', error).split('\n')
  expect(lines[0]).toBe('a call failed: TypeError: broken\\x0a    at forged (/etc/passwd:1:1)')
  expect(lines[1]).toContain('log-line.test.ts')
  expect(lines.slice(1).join('\n')).not.toContain('forged')
  expect(logLine('odd', 'a\nb')).toBe('odd: a\\x0ab')
})

it('is one JSON object per line, whatever the input', () => {
  const time = new Date('2026-01-02T03:04:05.678Z')
  const id = '00000000-1111-2222-3333-444444444444'
  const error = new Error('line\none')
  const text = logJson(`GET /a\n"b failed (request ${id})`, error, time)
  expect(text).not.toContain('\n')
  expect(JSON.parse(text)).toMatchObject({
    time: '2026-01-02T03:04:05.678Z',
    level: 'error',
    message: `GET /a\\x0a"b failed (request ${id})`,
    request_id: id,
    error: 'Error: line\\x0aone',
  })
  expect(JSON.parse(logJson('well', undefined, time))).toEqual({
    time: '2026-01-02T03:04:05.678Z',
    level: 'info',
    message: 'well',
  })
})
