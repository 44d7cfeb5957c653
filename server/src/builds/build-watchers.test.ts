import { expect, test } from 'vitest'
import { createWatchers } from './build-watchers.ts'

const never = () => new AbortController().signal

test('all who wait for a build are told of its end, and nobody else', async () => {
  const watchers = createWatchers()
  const gone = new AbortController()
  const told: string[] = []
  const wait = async (name: string, build: number, signal = never()) => {
    told.push(`${name} ${await watchers.wait(build, signal)}`)
  }
  const first = [wait('one', 1), wait('two', 1)]
  const other = wait('other', 2, gone.signal)
  watchers.release(1)
  watchers.release(3)
  await Promise.all(first)
  expect(told).toEqual(['one true', 'two true'])
  gone.abort()
  await other
  expect(told.at(-1)).toBe('other false')
})

test('who has gone is not told, those who wait beside him are', async () => {
  const watchers = createWatchers()
  const gone = new AbortController()
  const both = Promise.all([watchers.wait(1, gone.signal), watchers.wait(1, never())])
  gone.abort()
  watchers.release(1)
  expect(await both).toEqual([false, true])
})

test('who has gone before does not wait', async () => {
  expect(await createWatchers().wait(1, AbortSignal.abort())).toBe(false)
})

test('an end is told to those who wait for it, not to those who come later', async () => {
  const watchers = createWatchers()
  watchers.release(1)
  const gone = new AbortController()
  const late = watchers.wait(1, gone.signal)
  gone.abort()
  expect(await late).toBe(false)
  const again = watchers.wait(1, never())
  watchers.release(1)
  expect(await again).toBe(true)
})

test('nothing of him stays at a signal that lives on', async () => {
  const watchers = createWatchers()
  const { signal } = new AbortController()
  let listeners = 0
  const counted: Pick<AbortSignal, 'aborted' | 'addEventListener' | 'removeEventListener'> = {
    aborted: false,
    addEventListener: (...args: Parameters<AbortSignal['addEventListener']>) => {
      if (args[0] === 'abort') listeners++
      signal.addEventListener(...args)
    },
    removeEventListener: (...args: Parameters<AbortSignal['removeEventListener']>) => {
      if (args[0] === 'abort') listeners--
      signal.removeEventListener(...args)
    },
  }
  const waiting = watchers.wait(1, counted as AbortSignal)
  expect(listeners).toBe(1)
  watchers.release(1)
  await waiting
  expect(listeners).toBe(0)
})
