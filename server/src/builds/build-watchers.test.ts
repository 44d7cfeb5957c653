import { expect, test } from 'vitest'
import { createWatchers } from './build-watchers.ts'

const never = () => new AbortController().signal

test('all watchers of a build are notified of its end, and no others', async () => {
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

test('a watcher that left is not notified, the others are', async () => {
  const watchers = createWatchers()
  const gone = new AbortController()
  const both = Promise.all([watchers.wait(1, gone.signal), watchers.wait(1, never())])
  gone.abort()
  watchers.release(1)
  expect(await both).toEqual([false, true])
})

test('a watcher that is already aborted does not wait', async () => {
  expect(await createWatchers().wait(1, AbortSignal.abort())).toBe(false)
})

test('an end is sent to current watchers, not to later ones', async () => {
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
