import { expect, it, vi } from 'vitest'
import { createStartingSemaphore } from './starting-semaphore.ts'

/** Tells in which order they began. */
function bench(starting: ReturnType<typeof createStartingSemaphore>) {
  const begun: string[] = []
  const begin = async (name: string) => {
    const end = await starting.begin()
    begun.push(name)
    return end
  }
  return { begun, begin }
}
/** All that is due has happened. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

it('begins so many together, the next ones in their order as those before them end', async () => {
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
  // And as many again once all are over.
  const again = [await begin('a'), await begin('b')]
  const one = begin('c')
  await settled()
  expect(begun.slice(5)).toEqual(['a', 'b'])
  for (const end of again) end()
  const last = await one
  last()
})

it('releases a stage that continues, and does not count it twice when it ends', async () => {
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
