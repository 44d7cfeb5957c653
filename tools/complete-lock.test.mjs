import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { complete, lockEntryOf } from './complete-lock.mjs'
import { root } from './lib/project.mjs'

test('an entry has the platform in its name', () => {
  expect(lockEntryOf('@rolldown/binding-linux-arm64-musl', '1.2.3', true)).toEqual({
    version: '1.2.3',
    cpu: ['arm64'],
    dev: true,
    optional: true,
    os: ['linux'],
  })
  expect(lockEntryOf('fsevents-like', '1.0.0', false)).toBeUndefined()
})

test('existing entries, also inside another package, are kept', () => {
  const packages = {
    'node_modules/a': { optionalDependencies: { 'a-linux-x64': '1.0.0', 'a-win32-x64': '1.0.0' } },
    'node_modules/a/node_modules/a-linux-x64': { version: '1.0.0' },
  }
  expect(complete(packages)).toEqual(['a-win32-x64'])
})

test('the lock file names the packages of every platform', () => {
  expect(complete(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages)).toEqual([])
})
