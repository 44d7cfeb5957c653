/** The changes that a mirror reports, with a real bare repository. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createRepo } from '../../store/repos.ts'
import { markerRef, replaceRefs } from '../../store/refs.ts'
import { openStore, type Store } from '../../store/open.ts'
import { testRepository } from '../../testing/test-repository.ts'
import { recordMirrorRefs } from '../refs/record-refs.ts'
import { createMirrors } from './mirrors.ts'

let folder: string
let store: Store
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'flightdeck-mirrors-'))
  store = openStore(':memory:')
})
afterEach(async () => {
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Creates a mirror with these refs, all at one commit. */
async function mirrorWith(refs: readonly string[]) {
  const work = testRepository(join(folder, 'work'))
  const sha = work.commit({ a: '1' }, 'First')
  const facts = { uid: '1', namespace: 'acme', name: 'web', default_branch: 'main', visibility: 'private' } as const
  const { id } = await createRepo(store.db, { ...facts, path: work.path, now: 1 })
  const git = { resolve: () => Promise.reject(new Error('not asked')) }
  const mirrors = createMirrors({ db: store.db, git, dataDir: folder, now: () => 1 })
  const path = mirrors.path(id)
  mkdirSync(dirname(path), { recursive: true })
  execFileSync('git', ['clone', '-q', '--bare', work.path, path])
  const add = (ref: string) => execFileSync('git', ['-C', path, 'update-ref', ref, sha])
  for (const ref of refs) add(ref)
  return { id, sha, mirrors, add }
}
const numbered = (number: number) => `refs/merge-requests/${number}/head`

it('reports merge requests that are newer than the recorded refs', async () => {
  const { id, sha, mirrors, add } = await mirrorWith([numbered(1)])
  await recordMirrorRefs(store.db, id, mirrors.path(id), 1)
  add(numbered(2))
  expect((await mirrors.changes(id)).pulls).toEqual([{ ref: numbered(2), before: '', after: sha }])
})

it('does not report older merge requests as new if an earlier version recorded none', async () => {
  const { id, sha, mirrors, add } = await mirrorWith([numbered(1), numbered(2)])
  const old = '1'.repeat(40)
  const seen = [
    [markerRef, 'seen'],
    ['refs/heads/main', sha],
    [numbered(2), old],
  ] as const
  await replaceRefs(store.db, id, new Map(seen), 1)
  expect(await mirrors.changes(id)).toEqual({
    present: [],
    pulls: [{ ref: numbered(2), before: old, after: sha }],
    removed: [],
  })
  add(numbered(3))
  expect((await mirrors.changes(id)).pulls.map(({ ref }) => ref)).toEqual([numbered(2), numbered(3)])
})
