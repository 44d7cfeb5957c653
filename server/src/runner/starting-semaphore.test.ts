import { expect, it, vi } from 'vitest'
import { createStartingSemaphore } from './starting-semaphore.ts'

/** Records the order in which stages start. */
function bench(starting: ReturnType<typeof createStartingSemaphore>) {
  const begun: string[] = []
  const begin = async (name: string) => {
    const end = await starting.begin()
    begun.push(name)
    return end
  }
  return { begun, begin }
}
/** Resolves when all due callbacks have run. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

it('starts up to the limit at once, and the next ones in order as earlier ones end', async () => {
  const { begun, begin } = bench(createStartingSemaphore(2, 60_000))
  const first = await begin('first')
  const second = await begin('second')
  const later = ['third', 'fourth', 'fifth'].map(begin)
  await settled()
  expect(begun).toEqual(['first', 'second'])
  second()
  second()
  await settled()
  expect(begun).toEqual(['first', 'second', 'third'])
  first()
  for (const end of [await later[0], await later[1]]) end?.()
  const fifth = await later[2]
  fifth?.()
  expect(begun).toEqual(['first', 'second', 'third', 'fourth', 'fifth'])
  // The full number can start again after all have ended.
  const again = [await begin('a'), await begin('b')]
  const one = begin('c')
  await settled()
  expect(begun.slice(5)).toEqual(['a', 'b'])
  for (const end of again) end()
  const last = await one
  last()
})

it('stops counting a stage that runs longer, and does not release it twice when it ends', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const { begun, begin } = bench(createStartingSemaphore(1, 100))
    const long = await begin('long')
    const next = begin('next')
    vi.advanceTimersByTime(99)
    await settled()
    expect(begun).toEqual(['long'])
    vi.advanceTimersByTime(1)
    const end = await next
    long()
    const third = begin('third')
    await settled()
    expect(begun).toEqual(['long', 'next'])
    end()
    const last = await third
    last()
  } finally {
    vi.useRealTimers()
  }
})
