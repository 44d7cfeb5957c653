import { expect, test } from 'vitest'
import { createLineJoiner } from './line-joiner.ts'

const pieces = 6_000
const piece = 'x'.repeat(1_000)

/** Milliseconds, the best of some, and what was read at last. */
function read(out: string): { time: number; length: number } {
  let [time, length] = [Infinity, 0]
  for (let turn = 0; turn < 3; turn += 1) {
    const before = performance.now()
    const joiner = createLineJoiner()
    // Whether an entry is a line is known from here on.
    joiner.push([{ pos: 0, out: 'first\n', time: 0 }])
    for (let pos = 1; pos <= pieces; pos += 1) joiner.push([{ pos, out, time: 0 }])
    length = joiner.end().at(-1)?.text.length ?? 0
    time = Math.min(time, performance.now() - before)
  }
  return { time, length }
}

test('a line of megabytes in small pieces costs no more than its pieces, and its beginning is kept', () => {
  const one = read(piece)
  expect(one.length).toBe(1024 * 1024)
  expect(one.time).toBeLessThan(20 * read(`${piece}\n`).time)
})
