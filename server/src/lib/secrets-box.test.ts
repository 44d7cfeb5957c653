import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openSecretsBox } from './secrets-box.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'flightdeck-box-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

it('reads again what it wrote, also after a new start', () => {
  const sealed = openSecretsBox(folder).encrypt('pässword\n')
  expect(sealed).not.toContain('password')
  expect(openSecretsBox(folder).decrypt(sealed)).toBe('pässword\n')
  expect(statSync(join(folder, 'secrets-key')).mode & 0o777).toBe(0o600)
})

it('never writes the same text twice in the same way', () => {
  const box = openSecretsBox(folder)
  expect(box.encrypt('x')).not.toBe(box.encrypt('x'))
})

it('refuses what was changed', () => {
  const box = openSecretsBox(folder)
  const bytes = Buffer.from(box.encrypt('text'), 'base64')
  bytes[14] = (bytes[14] ?? 0) ^ 1
  expect(() => box.decrypt(bytes.toString('base64'))).toThrow()
})

it('reports a damaged key file', () => {
  writeFileSync(join(folder, 'secrets-key'), 'short')
  expect(() => openSecretsBox(folder)).toThrow('secrets-key is damaged')
})

it('uses the key that is given, and makes no file then', () => {
  const [one, other] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
  const sealed = openSecretsBox(folder, one).encrypt('text')
  expect(openSecretsBox(folder, one).decrypt(sealed)).toBe('text')
  expect(() => openSecretsBox(folder, other).decrypt(sealed)).toThrow()
  expect(existsSync(join(folder, 'secrets-key'))).toBe(false)
})
