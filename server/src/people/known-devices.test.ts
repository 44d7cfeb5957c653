import { beforeEach, expect, test } from 'vitest'
import { createHmac } from 'node:crypto'
import { createKnownDevices, deviceSeconds, type KnownDevices } from './known-devices.ts'

const box = { derive: (text: string) => createHmac('sha256', 'key').update(text).digest('hex') }
let now: number
let devices: KnownDevices
beforeEach(() => {
  now = 1_000_000
  devices = createKnownDevices(box, () => now)
})
const fail = (device: string, times: number): void => {
  for (let count = 0; count < times; count++) devices.failed(device)
}

test('a device is known until its cookie expires, for its own account and unchanged', () => {
  const value = devices.issue(7)
  const name = devices.find(value, 7)
  expect(name).toEqual(expect.any(String))
  expect([devices.find(value, 8), devices.find(`${value}0`, 7), devices.find(undefined, 7)]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
  now += deviceSeconds - 1
  expect(devices.find(value, 7)).toBe(name)
  now += 1
  expect(devices.find(value, 7)).toBeUndefined()
})

test('the fifth wrong password makes a device unknown, for a quarter of an hour after the last', () => {
  const value = devices.issue(7)
  const name = devices.find(value, 7) ?? ''
  fail(name, 4)
  expect(devices.find(value, 7)).toBe(name)
  now += 899
  fail(name, 1)
  expect(devices.find(value, 7)).toBeUndefined()
  now += 899
  expect(devices.find(value, 7)).toBeUndefined()
  now += 1
  expect(devices.find(value, 7)).toBe(name)
})

test('wrong passwords a quarter of an hour apart do not add up, and neither do those of others', () => {
  fail('user 7', 4)
  now += 900
  fail('user 7', 4)
  fail('user 8', 5)
  expect([devices.signedIn(7), devices.signedIn(8)]).toEqual(['user 7', undefined])
})

test('beyond 10,000 devices the least recently used one is discarded', () => {
  fail('user 7', 5)
  for (let count = 1; count < 10_000; count++) devices.failed(`device ${count}`)
  // The lookup makes it the most recently used.
  expect(devices.signedIn(7)).toBeUndefined()
  for (let count = 1; count < 10_000; count++) devices.failed(`later device ${count}`)
  devices.failed('one more')
  expect(devices.signedIn(7)).toBe('user 7')
})
