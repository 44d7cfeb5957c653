import { expect, it } from 'vitest'
import { createFaults } from './unhandled-errors.ts'

it('counts all errors, and logs a hundred per minute', () => {
  let now = 0
  const logged: [string, unknown][] = []
  const faults = createFaults(
    (message, error) => logged.push([message, error]),
    () => now,
  )
  const error = new Error('x')
  faults.add('a rejection', error)
  expect([faults.count(), logged]).toEqual([1, [['a rejection', error]]])
  for (let mistake = 0; mistake < 1_000; mistake++) faults.add('x', mistake)
  expect([faults.count(), logged.length]).toEqual([1_001, 101])
  now = 60_000
  faults.add('later', error)
  expect([faults.count(), logged.at(-1)]).toEqual([1_002, ['later', error]])
})
