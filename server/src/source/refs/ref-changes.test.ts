import { expect, test } from 'vitest'
import { countLoopTurns } from '../../testing/event-loop-during.ts'
import { compareRefs } from './ref-changes.ts'

test('returns new, moved and removed refs', async () => {
  const seen = new Map(Object.entries({ a: '1', b: '1', c: '1' }))
  const present = new Map(Object.entries({ a: '1', b: '2', d: '3' }))
  expect(await compareRefs(seen, present)).toEqual({
    present: [
      { ref: 'b', before: '1', after: '2' },
      { ref: 'd', before: '', after: '3' },
    ],
    removed: ['c'],
  })
})

test('yields to the event loop while comparing many refs', async () => {
  const many = new Map(Array.from({ length: 100_000 }, (_, index) => [`refs/heads/b${index}`, '1']))
  const none = new Map<string, string>()
  expect(await countLoopTurns(() => compareRefs(none, many))).toBeGreaterThan(10)
  expect(await countLoopTurns(() => compareRefs(many, none))).toBeGreaterThan(10)
})
