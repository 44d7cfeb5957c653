import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { testRepository } from '../../testing/test-repository.ts'
import { listRefFiles, readRefs } from './read.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'flightdeck-read-refs-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

test('a link in the place of the branches leads nowhere', async () => {
  const origin = testRepository(join(folder, 'web'))
  const sha = origin.commit({ a: '1' }, 'First')
  origin.git('tag', 'v1')
  const commonDir = join(origin.path, '.git')
  expect([...(await readRefs(commonDir)).keys()].toSorted()).toEqual(['refs/heads/main', 'refs/tags/v1'])

  mkdirSync(join(folder, 'elsewhere', 'deep'), { recursive: true })
  writeFileSync(join(folder, 'elsewhere', 'deep', 'file'), `${sha}\n`)
  renameSync(join(commonDir, 'refs/heads'), join(folder, 'heads'))
  symlinkSync(join(folder, 'elsewhere'), join(commonDir, 'refs/heads'))
  expect([...(await readRefs(commonDir)).keys()]).toEqual(['refs/tags/v1'])
  expect((await listRefFiles(commonDir)).watched).toEqual(
    ['packed-refs', 'refs', 'refs/tags'].map((name) => join(commonDir, name)),
  )
})
