import { expect, it } from 'vitest'
import type { BuildEventMessage } from '../interfaces/events.ts'
import { createOutbox } from './outbox.ts'

const message = (buildId: number, json: string): BuildEventMessage => ({
  repoId: 1,
  buildId,
  slug: 'a/b',
  visibility: 'public',
  json,
})

function bench() {
  const listeners = new Set<(message: BuildEventMessage) => void>()
  const gone = new AbortController()
  let reserved = 0
  const events = {
    publish: () => Promise.resolve(),
    stop: () => Promise.resolve(),
    subscribers: () => listeners.size,
    subscribe(listener: (message: BuildEventMessage) => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
  const box = createOutbox(events, { reserve: () => void (reserved += 1) }, gone.signal, { missed: false })
  const next = async () => (await box.messages[Symbol.asyncIterator]().next()).value as BuildEventMessage | undefined
  return {
    box,
    gone,
    listeners,
    next,
    reserved: () => reserved,
    tell: (buildId: number, json: string) => {
      for (const listener of listeners) listener(message(buildId, json))
    },
  }
}

it('keeps of each build its latest state, in the order of these states', async () => {
  const { tell, next, reserved } = bench()
  for (let version = 1; version <= 5_000; version++) tell(1, `one ${version}`)
  tell(2, 'two 1')
  tell(1, 'one, last')
  expect(reserved()).toBe(2)
  expect([(await next())?.json, (await next())?.json]).toEqual(['two 1', 'one, last'])
  tell(1, 'one, later')
  expect([(await next())?.json, reserved()]).toEqual(['one, later', 3])
})

it('hands on at once to whoever waits, and ends when he goes', async () => {
  const { tell, next, gone, box, listeners } = bench()
  const waiting = next()
  tell(3, 'x')
  expect((await waiting)?.json).toBe('x')
  const last = next()
  gone.abort()
  expect(await last).toBeUndefined()
  box.leave()
  expect(listeners.size).toBe(0)
})
