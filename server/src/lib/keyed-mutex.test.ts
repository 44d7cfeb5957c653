import { expect, test } from 'vitest'
import { createKeyedMutex } from './keyed-mutex.ts'
import { openBench, pipelines } from '../testing/test-bench.ts'

/** A promise and the function that fulfils it. */
function gate() {
  let open = () => {}
  const passed = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open, passed }
}
const turn = () => new Promise((resolve) => setImmediate(resolve))

test('work on one key never overlaps, keeps its order, and survives a failure', async () => {
  const locks = createKeyedMutex()
  const first = gate()
  const said: string[] = []
  const one = locks(1, async () => {
    said.push('one begins')
    await first.passed
    said.push('one ends')
    throw new Error('its own business')
  })
  const two = locks(1, async () => {
    said.push('two begins')
    await turn()
    said.push('two ends')
    return 2
  })
  const three = locks(1, async () => void said.push('three'))
  await turn()
  expect(said).toEqual(['one begins'])
  first.open()
  await expect(one).rejects.toThrow('its own business')
  expect(await two).toBe(2)
  await three
  expect(said).toEqual(['one begins', 'one ends', 'two begins', 'two ends', 'three'])
})

test('a third one waits for the second, also after the first is done', async () => {
  const locks = createKeyedMutex()
  const second = gate()
  const said: string[] = []
  const one = locks(1, async () => void said.push('one'))
  const two = locks(1, async () => {
    await second.passed
    said.push('two')
  })
  await one
  await turn()
  const three = locks(1, async () => void said.push('three'))
  await turn()
  second.open()
  await Promise.all([two, three])
  expect(said).toEqual(['one', 'two', 'three'])
})

test('work on another key does not wait', async () => {
  const locks = createKeyedMutex()
  const first = gate()
  const one = locks(1, () => first.passed)
  expect(await locks(2, async () => 'done')).toBe('done')
  first.open()
  await one
})

test('changes of one build are published in order, also if one of them waits for a file', async () => {
  const bench = await openBench()
  const asked = gate()
  const closing = gate()
  const close = bench.ci.logs.close.bind(bench.ci.logs)
  try {
    await bench.push(bench.commit(pipelines({ default: '' })))
    const [step] = (await bench.take()).steps
    if (!step) throw new Error('no step')
    const running = await bench.runStep(step)
    bench.events.length = 0
    bench.ci.logs.close = async (id) => {
      asked.open()
      await closing.passed
      await close(id)
    }
    // The step's end is stored, and waits for the end of its log; the cancel comes in between.
    const ended = bench.endStep(running)
    await asked.passed
    const cancelled = bench.ci.cancel(bench.repo, 1, bench.user)
    for (let times = 0; times < 20; times++) await turn()
    closing.open()
    await Promise.all([ended, cancelled])
    expect(bench.events.map(({ build }) => build.status)).toEqual(['running', 'killed'])
  } finally {
    closing.open()
    await bench.close()
  }
})
