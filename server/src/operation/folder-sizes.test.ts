import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createFolderSizes } from './folder-sizes.ts'

let data: string
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'flightdeck-sizes-'))
})
afterEach(() => rmSync(data, { recursive: true, force: true }))

const bytesOf = (text: string, folder: string): number =>
  Number(new RegExp(`^flightdeck_folder_bytes\\{folder="${folder}"\\} (\\d+)$`, 'm').exec(text)?.[1])

it('returns the last measurement, and starts a new one after ten minutes', async () => {
  let now = 0
  const sizes = createFolderSizes(data, () => now)
  mkdirSync(join(data, 'logs', '0'), { recursive: true })
  writeFileSync(join(data, 'logs', '0', '1.json'), Buffer.alloc(100_000))
  expect(sizes.text()).toBe('')
  await sizes.settled()
  const before = bytesOf(sizes.text(), 'logs')
  expect(before).toBeGreaterThanOrEqual(100_000)
  expect(sizes.text()).not.toContain('mirrors')

  writeFileSync(join(data, 'logs', '0', '2.json'), Buffer.alloc(200_000))
  now += 9 * 60_000
  expect(bytesOf(sizes.text(), 'logs')).toBe(before)
  await sizes.settled()
  expect(bytesOf(sizes.text(), 'logs')).toBe(before)
  now += 60_000
  sizes.text()
  await sizes.settled()
  expect(bytesOf(sizes.text(), 'logs')).toBeGreaterThanOrEqual(before + 200_000)
})
