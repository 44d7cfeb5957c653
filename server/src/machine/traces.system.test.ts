import { execFileSync } from 'node:child_process'
import { chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { removeTraces } from './traces.ts'

vi.setConfig({ testTimeout: 60_000 })
/** Ids that nothing else has; another file of tests has others. */
const [first, second, stranger] = [1_999_000_011, 1_999_000_012, 1_999_000_014]

let folder: string
beforeEach(() => {
  folder = mkdtempSync('/tmp/flightdeck-traces-')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** As a step of that account would. */
const leave = (uid: number, script: string) =>
  execFileSync('/bin/sh', ['-c', script], { uid, gid: uid, cwd: '/', env: { PATH: '/usr/bin:/bin', AT: folder } })

test('what accounts left goes, and nothing of anybody else', async ({ skip }) => {
  skip(process.geteuid?.() !== 0, 'only root starts processes as another account')
  execFileSync('chmod', ['1777', folder])
  const deep = join(folder, 'deep/deeper')
  mkdirSync(deep, { recursive: true })
  writeFileSync(join(deep, 'ours'), 'stays')
  chownSync(deep, first, first)
  leave(first, 'umask 077; mkdir -p "$AT/one/two" && echo x > "$AT/one/two/three" && ln -s "$AT/deep" "$AT/link"')
  leave(second, 'i=0; while [ $i -lt 300 ]; do : > "$AT/file $i"; i=$((i + 1)); done')
  leave(stranger, 'echo x > "$AT/of a stranger"')
  await removeTraces([second, first], [folder])
  const left = execFileSync('find', [folder, '-printf', '%P\n'], { encoding: 'utf8' })
  // The folder that holds a file of ours cannot go.
  expect(left.split('\n').filter(Boolean).toSorted()).toEqual([
    'deep',
    'deep/deeper',
    'deep/deeper/ours',
    'of a stranger',
  ])
})
