import { expect, test } from 'vitest'
import { countLoopTurns } from '../testing/event-loop-during.ts'
import { chunksOf } from './text-chunks.ts'

const lineFeed = 10
const read = async (bytes: Buffer): Promise<string[]> => {
  const all: string[] = []
  for await (const chunks of chunksOf(bytes, lineFeed)) all.push(...chunks)
  return all
}

test('the chunks make up the text', async () => {
  const lines = Array.from({ length: 50_000 }, (_, index) => `${'ü'.repeat(index % 40)}${index}`)
  for (const text of [lines.join('\n'), `${lines.join('\n')}\n\n`, '', '\n', 'a'])
    expect((await read(Buffer.from(text))).filter(Boolean)).toEqual(text.split('\n').filter(Boolean))
})

test('yields to the event loop between batches, and truncates a very long chunk', async () => {
  const bytes = Buffer.alloc(4 * 1024 * 1024, 'a\n')
  expect(await countLoopTurns(() => read(bytes))).toBeGreaterThan(20)
  const [first = '', second] = await read(Buffer.from(`${'a'.repeat(1024 * 1024)}\nb`))
  expect([first.length < 200_000, second]).toEqual([true, 'b'])
})
