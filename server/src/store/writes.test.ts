import { expect, test } from 'vitest'
import { createWrites, isPassing } from './writes.ts'

const full = () => Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
const sqlite = (errcode: number) => Object.assign(new Error('sqlite'), { code: 'ERR_SQLITE_ERROR', errcode })

test('recognizes temporary errors: full, busy, failing and read-only disks, but no bugs', () => {
  for (const code of ['ENOSPC', 'EDQUOT', 'EIO', 'EROFS'])
    expect(isPassing(Object.assign(new Error(code), { code }))).toBe(true)
  // SQLITE_BUSY, SQLITE_BUSY_SNAPSHOT, SQLITE_IOERR_WRITE, SQLITE_FULL, SQLITE_READONLY; then
  // SQLITE_CONSTRAINT, SQLITE_MISUSE.
  expect([5, 517, 778, 13, 8, 19, 21].map((errcode) => isPassing(sqlite(errcode)))).toEqual([
    true,
    true,
    true,
    true,
    true,
    false,
    false,
  ])
  expect(isPassing(Object.assign(new Error('gone'), { code: 'ENOENT' }))).toBe(false)
  expect(isPassing(new Error('no code'))).toBe(false)
})

test('retries until the write succeeds, logs once, and throws permanent errors', async () => {
  const said: string[] = []
  const writes = createWrites((message) => said.push(message))
  let attempts = 0
  const work = async () => {
    attempts += 1
    if (attempts < 4) throw full()
    return 'written'
  }
  expect(await writes.retryWithBackoff('it', work)).toBe('written')
  expect(said).toEqual(['it could not be written; retrying: no space left on device', 'it was written on attempt 4'])
  await expect(writes.retryWithBackoff('it', () => Promise.reject(new Error('a mistake')))).rejects.toThrow('a mistake')
})

test('retries end at their timeout, by their signal, and soon after the server stops', async () => {
  const writes = createWrites(() => {}, 100)
  const never = () => Promise.reject(full())
  await expect(writes.retryWithBackoff('it', never, { timeoutMs: 1 })).rejects.toThrow('no space')
  const ending = new AbortController()
  const signalled = writes.retryWithBackoff('it', never, { signal: ending.signal })
  ending.abort()
  await expect(signalled).rejects.toThrow('no space')
  // Without its own end, it would be retried forever.
  const endless = writes.retryWithBackoff('it', never)
  endless.catch(() => {})
  writes.later('another', never)
  await writes.stop()
  await expect(endless).rejects.toThrow('no space')
})
