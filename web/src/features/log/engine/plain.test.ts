import { expect, test } from 'vitest'
import { corpus } from '../testing/ansi-corpus.ts'
import { plainText } from './ansi/index.ts'
import { LogModel } from './model.ts'
import { PlainCopy } from './plain.ts'

const modelOf = (lines: readonly string[]): LogModel => {
  const model = new LogModel()
  model.add(lines.map((line, pos) => ({ pos, out: `${line}\n`, time: 0 })))
  return model
}
const expected = (model: LogModel, from: number, to: number): string =>
  Array.from({ length: to - from }, (_, index) => plainText(model.text(from + index))).join('\n')

const samples = [
  ...corpus.flatMap((sample) => sample.input),
  '',
  'ü 写 \u0085 tab\tand more',
  '\u001b[31mred\u001b[0m and plain \u001b[1;38;5;120mbold\u001b[m',
  '\u001b[31m',
  'ends in the middle \u001b[3',
  `${'x'.repeat(3_000_000)}\u001b[32mlong\u001b[0m`,
  '',
]

test('is the visible text of each line, whatever it contains', async () => {
  const model = modelOf(samples)
  const copy = new PlainCopy(model, 0, model.lines)
  expect(copy.step(Infinity)).toBe(true)
  expect((await copy.blob().text()) === expected(model, 0, model.lines)).toBe(true)
})

test('is created in slices, also for a part of the log', async () => {
  const model = modelOf(Array.from({ length: 60_000 }, (_, line) => `\u001b[32mok\u001b[0m ${line} ${'y'.repeat(60)}`))
  const copy = new PlainCopy(model, 100, 50_100)
  let slices = 1
  while (!copy.step(performance.now() + 0.5)) slices++
  expect(slices).toBeGreaterThan(2)
  expect((await copy.blob().text()) === expected(model, 100, 50_100)).toBe(true)
})

test('is empty without lines', async () => {
  const copy = new PlainCopy(modelOf([]), 0, 0)
  expect(copy.step(0)).toBe(true)
  expect(copy.blob().size).toBe(0)
})
