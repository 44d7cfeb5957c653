import { afterEach, expect, test, vi } from 'vitest'
import { configureLog, logError, logLevels, writeLog, type LogLevel } from './log.ts'

afterEach(() => configureLog('info'))

test.each([
  ['error', ['error']],
  ['warn', ['error', 'warn']],
  ['info', ['error', 'warn', 'info']],
  ['debug', ['error', 'warn', 'info', 'debug']],
] satisfies [LogLevel, LogLevel[]][])('from %s on', (level, expected) => {
  const seen: string[] = []
  configureLog(level, (of) => seen.push(of))
  for (const one of logLevels) writeLog(one, 'text')
  expect(seen).toEqual(expected)
})

test('an error comes with what caused it', () => {
  const to = vi.fn()
  configureLog('error', to)
  const cause = new Error('disk full')
  logError('Could not write', cause)
  expect(to).toHaveBeenCalledExactlyOnceWith('error', 'Could not write', cause)
})
