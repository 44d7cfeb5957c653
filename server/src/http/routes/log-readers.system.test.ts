import type { Step } from '@flightdeck/api'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { pipelines } from '../../testing/test-bench.ts'
import { createTestApp, type TestApp } from '../../testing/test-app.ts'

vi.setConfig({ testTimeout: 60_000 })

let app: TestApp
let step: Step
beforeEach(async () => {
  app = await createTestApp({ pingMs: 600_000 })
  app.bench.commit(pipelines({ default: '' }))
  await app.bench.startBuild()
  const stage = await app.bench.take()
  step = await app.bench.runStep(stage.steps[0] ?? expect.fail('no step'))
})
afterEach(async () => {
  expect(app.failures).toEqual([])
  await app.close()
})

const write = async (from: number, to: number, text = 'a line of the log') => {
  for (let at = from; at < to; at += 500) {
    const lines = Array.from({ length: Math.min(500, to - at) }, (_, index) => at + index)
    await app.bench.ci.runners.appendLog(
      step.id,
      lines.map((pos) => ({ pos, out: `${text} ${pos}\n`, time: 0 })),
    )
  }
}
const open = async () => {
  const response = await app.request('/api/stream/acme/web/1/1/1', { as: 'rae' })
  return response.body?.getReader() ?? expect.fail('no body')
}
/** The numbers of all lines until the stream ends. */
async function positions(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<number[]> {
  const decoder = new TextDecoder()
  let text = ''
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    text += decoder.decode(piece.value, { stream: true })
  }
  expect(text.endsWith('event: error\ndata: eof\n\n')).toBe(true)
  return [...text.matchAll(/^data: \{"pos":(\d+),/gm)].map(([, pos]) => Number(pos))
}
const upTo = (count: number) => Array.from({ length: count }, (_, pos) => pos)

it('a reader that joins after 20,000 lines gets all of them, and those that follow', async () => {
  await write(0, 20_000)
  const late = positions(await open())
  await write(20_000, 20_500)
  await app.bench.endStep(step)
  expect(await late).toEqual(upTo(20_500))
})

it('a slow reader loses no lines, delays no others, and gets the rest from the file', async () => {
  const slow = await open()
  const quick = positions(await open())
  // 40 MB: far beyond what waits in memory for one reader.
  const long = 'x'.repeat(4_000)
  await write(0, 10_000, long)
  await app.bench.endStep(step)
  expect(await quick).toEqual(upTo(10_000))
  expect(await positions(slow)).toEqual(upTo(10_000))
})
