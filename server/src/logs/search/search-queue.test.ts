import { expect, test } from 'vitest'
import type { Searcher } from '../../interfaces/logs.ts'
import { createSearchQueue } from './search-queue.ts'

const open = () => createSearchQueue({ concurrency: 2, maxWaiting: 3, maxGuests: 5 })
const guest = (number: number): Searcher => ({ name: `guest ${number}`, isGuest: true })
const person = (name: string): Searcher => ({ name, isGuest: false })
const stays = new AbortController().signal
/** What has been entered by now. */
const order = () => {
  const begun: string[] = []
  return { begun, note: (name: string) => (leave: unknown) => (leave ? begun.push(name) : undefined) }
}
const settled = () => new Promise(setImmediate)

test('guests of any number of addresses leave a slot to signed-in people', async () => {
  const line = open()
  const { begun, note } = order()
  for (const one of [1, 2, 3]) void line.enter(guest(one), stays).then(note(`guest ${one}`))
  void line.enter(person('ann'), stays).then(note('ann'))
  await settled()
  expect(begun).toEqual(['guest 1', 'ann'])
})

test('signed-in people come before waiting guests', async () => {
  const line = open()
  const { begun, note } = order()
  const leave = await line.enter(person('ann'), stays)
  const other = await line.enter(person('bob'), stays)
  void line.enter(guest(1), stays).then(note('guest'))
  void line.enter(person('cem'), stays).then(note('cem'))
  leave?.()
  await settled()
  expect(begun).toEqual(['cem'])
  other?.()
  await settled()
  expect(begun).toEqual(['cem', 'guest'])
})

test('of guests a bounded number waits', async () => {
  const line = open()
  for (const one of [0, 1, 2, 3, 4, 5]) void line.enter(guest(one), stays)
  await expect(line.enter(guest(6), stays)).rejects.toMatchObject({ status: 429 })
  await expect(line.enter(person('ann'), stays)).resolves.toBeTypeOf('function')
})
