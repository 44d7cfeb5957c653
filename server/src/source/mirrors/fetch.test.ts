/** Maintenance of a mirror, with real git. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execFileSync } from 'node:child_process'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { testRepository } from '../../testing/test-repository.ts'
import { maintainMirror } from './fetch.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'flightdeck-mirror-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

it('repacks too many packs into one, and keeps every commit', async () => {
  const work = testRepository(join(folder, 'work'))
  const mirror = join(folder, 'mirrors', '1.git')
  mkdirSync(join(folder, 'mirrors'))
  const git = (...args: string[]) => execFileSync('git', ['-C', mirror, ...args], { encoding: 'utf8' }).trim()
  execFileSync('git', ['init', '-q', '--bare', mirror])
  const commits: string[] = []
  for (const text of ['1', '2', '3', '4', '5']) {
    work.commit({ a: text }, `Commit ${text}`)
    git('-c', 'transfer.unpackLimit=1', 'fetch', '-q', work.path, '+HEAD:refs/heads/main')
    commits.push(git('rev-parse', 'refs/heads/main'))
  }
  // As after a force push.
  git('update-ref', 'refs/heads/main', commits[0] ?? '')
  const packs = () => readdirSync(join(mirror, 'objects', 'pack')).filter((name) => name.endsWith('.pack'))
  expect(packs()).toHaveLength(5)
  const configFile = join(folder, 'config')
  writeFileSync(configFile, '')
  await maintainMirror(mirror, { configFile, packs: 10 })
  expect(packs()).toHaveLength(5)
  await maintainMirror(mirror, { configFile, packs: 3 })
  expect(packs().length).toBeLessThan(3)
  for (const commit of commits) expect(git('cat-file', '-t', commit)).toBe('commit')
})
