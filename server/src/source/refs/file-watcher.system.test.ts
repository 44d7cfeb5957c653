import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openStore, type Store } from '../../store/open.ts'
import { createRepo, updateRepo } from '../../store/repos.ts'
import { testRepository } from '../../testing/test-repository.ts'
import { createGit, type Git } from '../git/git.ts'
import { createFileWatcher } from './file-watcher.ts'
import { recordRefs } from './record-refs.ts'
import { watchRefs, type RefWatcher } from './ref-watcher.ts'

/** A polling interval so long that only a file system event can report a change. */
const noPollingMs = 600_000
let folder: string
let git: Git
let store: Store
let built: [string, string][]
let checks = 0
/** How long the checks took. */
let checkMs = 0
let watcher: RefWatcher | undefined
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'flightdeck-file-watcher-'))
  git = await createGit({ dataDir: join(folder, 'data'), own: [] })
  store = openStore(':memory:')
  built = []
  checks = 0
  checkMs = 0
})
afterEach(async () => {
  await watcher?.stop()
  await store.close()
  rmSync(folder, { recursive: true })
})

const until = (check: () => unknown) => vi.waitFor(check, { timeout: 20_000, interval: 20 })
async function follow(path: string, name = 'web'): Promise<void> {
  const facts = { path, default_branch: 'main', visibility: 'private', now: 1 } as const
  const row = await createRepo(store.db, { uid: `acme/${name}`, namespace: 'acme', name, ...facts })
  await recordRefs(store.db, row.id, path, 1)
  await updateRepo(store.db, { ...row, active: true })
}
/** The folders are watched after the first change was built. */
function start(
  more: { maxWatchedFolders?: number; roundMs?: number; recheckMs?: number; minIntervalMs?: number } = {},
): void {
  const counted: Git = {
    ...git,
    session(path) {
      checks += 1
      const session = git.session(path)
      const began = performance.now()
      return {
        ...session,
        end() {
          checkMs += performance.now() - began
          session.end()
        },
      }
    },
  }
  watcher = watchRefs({
    db: store.db,
    git: counted,
    now: () => 1,
    roundMs: noPollingMs,
    recheckMs: noPollingMs,
    onHook: async (_repo, { ref, after }) => void built.push([ref, after]),
    log: (message) => expect(message).toBe(''),
    ...more,
  })
}

test('events report commits, branches in new folders, tags and packed refs', async () => {
  const origin = testRepository(join(folder, 'web'))
  origin.commit({ a: '1' }, 'First')
  await follow(origin.path)
  start()
  const second = origin.commit({ a: '2' }, 'Second')
  await until(() => expect(built).toEqual([['refs/heads/main', second]]))
  for (const name of ['a/b', 'a/c', 'd/e/f']) {
    origin.git('branch', name)
    await until(() => expect(built.at(-1)).toEqual([`refs/heads/${name}`, second]))
  }
  origin.git('tag', 'v1')
  await until(() => expect(built.at(-1)).toEqual(['refs/tags/v1', second]))
  origin.git('update-ref', 'refs/pull/7/head', second)
  await until(() => expect(built.at(-1)).toEqual(['refs/pull/7/head', second]))
  origin.git('pack-refs', '--all')
  const third = origin.commit({ a: '3' }, 'Third')
  await until(() => expect(built.at(-1)).toEqual(['refs/heads/main', third]))
  // As a fetch of very many refs leaves them.
  const packed = join(origin.path, '.git/packed-refs')
  writeFileSync(`${packed}.lock`, `# pack-refs with: peeled fully-peeled sorted \n${third} refs/heads/packed\n`)
  renameSync(`${packed}.lock`, packed)
  await until(() => expect(built.at(-1)).toEqual(['refs/heads/packed', third]))
})

test('a repository that is replaced or restored is found and watched', async () => {
  const origin = testRepository(join(folder, 'web'))
  origin.commit({ a: '1' }, 'First')
  const other = testRepository(join(folder, 'other'))
  const elsewhere = other.commit({ a: '2' }, 'Elsewhere')
  await follow(origin.path)
  start()
  const second = origin.commit({ a: '2' }, 'Second')
  await until(() => expect(built).toHaveLength(1))
  expect(built[0]?.[1]).toBe(second)
  // A bare repository is moved like this; of a work tree, the `.git` folder is watched.
  renameSync(join(origin.path, '.git'), join(folder, 'gone'))
  renameSync(join(other.path, '.git'), join(origin.path, '.git'))
  await until(() => expect(built.at(-1)).toEqual(['refs/heads/main', elsewhere]))
  const last = origin.commit({ a: '3' }, 'Last')
  await until(() => expect(built.at(-1)).toEqual(['refs/heads/main', last]))
})

test('polling finds changes of a repository that is not watched', async () => {
  const origin = testRepository(join(folder, 'web'))
  origin.commit({ a: '1' }, 'First')
  await follow(origin.path)
  start({ maxWatchedFolders: 0, roundMs: 60 })
  const second = origin.commit({ a: '2' }, 'Second')
  await until(() => expect(built).toEqual([['refs/heads/main', second]]))
})

test('a recheck does not delay a push', async () => {
  const origin = testRepository(join(folder, 'web'))
  const first = origin.commit({ a: '1' }, 'First')
  const second = origin.commit({ a: '2' }, 'Second')
  origin.git('update-ref', 'refs/heads/main', first)
  await follow(origin.path)
  // The recheck follows the first check at once. A check that counts for throttling would delay the
  // push forever.
  start({ recheckMs: 20, minIntervalMs: noPollingMs })
  await until(() => expect(checks).toBeGreaterThan(2))
  origin.git('update-ref', 'refs/heads/main', second)
  await until(() => expect(built).toEqual([['refs/heads/main', second]]))
})

test('a repository that becomes active is watched after a refresh', async () => {
  start()
  const origin = testRepository(join(folder, 'web'))
  origin.commit({ a: '1' }, 'First')
  await follow(origin.path)
  watcher?.refresh()
  const second = origin.commit({ a: '2' }, 'Second')
  await until(() => expect(built).toEqual([['refs/heads/main', second]]))
})

test('thousands of moves of a ref cause few checks, and the last move is built', async () => {
  const origin = testRepository(join(folder, 'web'))
  const first = origin.commit({ a: '1' }, 'First')
  const second = origin.commit({ a: '2' }, 'Second')
  await follow(origin.path)
  // A repository with too many events in a second is polled. How many there are depends on the
  // disk.
  start({ roundMs: 1_000 })
  const third = origin.commit({ a: '3' }, 'Third')
  await until(() => expect(built).toHaveLength(1))
  const [began, before] = [performance.now(), checks]
  const moves = Array.from({ length: 2_000 }, (_, index) => `update refs/heads/main ${[first, second][index % 2]}\n`)
  for (let from = 0; from < moves.length; from += 100) {
    const input = moves.slice(from, from + 100).map((move) => `start\n${move}prepare\ncommit\n`)
    // Without fsync, because the test would otherwise measure thousands of disk waits.
    // Asynchronous, so that this process keeps running like a server.
    const moving = spawn('git', ['-C', origin.path, '-c', 'core.fsync=none', 'update-ref', '--stdin'], {
      stdio: ['pipe', 'ignore', 'inherit'],
    })
    moving.stdin.end(input.join(''))
    const [code] = (await once(moving, 'close')) as [number]
    expect(code).toBe(0)
  }
  origin.git('update-ref', 'refs/heads/main', third)
  origin.git('update-ref', 'refs/heads/end', third)
  await until(() => expect(built).toContainEqual(['refs/heads/end', third]))
  const seconds = (performance.now() - began) / 1000
  expect(checks - before).toBeLessThanOrEqual(8 * seconds + 10)
}, 60_000)

test('a repository with very many refs that constantly moves one is not constantly read', async () => {
  const origin = testRepository(join(folder, 'web'))
  const shas = [origin.commit({ a: '1' }, 'First'), origin.commit({ a: '2' }, 'Second')]
  const heads = join(origin.path, '.git/refs/heads')
  for (let index = 0; index < 8_000; index += 1) writeFileSync(join(heads, `b${index}`), `${shas[0]}\n`)
  await follow(origin.path)
  start()
  origin.git('branch', 'begin')
  await until(() => expect(built).toHaveLength(1))
  const before = { checks, checkMs }
  const began = performance.now()
  for (let index = 0; checks - before.checks < 3; index += 1) {
    writeFileSync(join(heads, 'main.lock'), `${shas[index % 2]}\n`)
    renameSync(join(heads, 'main.lock'), join(heads, 'main'))
    await delay(20)
  }
  expect((checkMs - before.checkMs) / (performance.now() - began)).toBeLessThan(0.4)
}, 60_000)

test('the number of watched folders is limited; recently changed repositories replace idle ones', () => {
  const item = (name: string) => {
    const path = join(folder, name)
    for (const each of ['refs/heads', 'refs/tags']) mkdirSync(join(path, each), { recursive: true })
    return {
      paths: [join(path, 'HEAD'), join(path, 'packed-refs'), ...['refs', 'refs/heads'].map((each) => join(path, each))],
    }
  }
  const [a, b, c] = [item('a'), item('b'), item('c')]
  const unwatched: object[] = []
  const watcher = createFileWatcher<object>({
    onChange: () => {},
    onLost: (each) => unwatched.push(each),
    maxFolders: 6,
  })
  const set = (each: { paths: string[] }, changed: boolean) => watcher.watch(each, each.paths, changed)
  const seen = () => [a, b, c].map((each) => watcher.has(each))
  expect([set(a, false), set(b, false), set(c, false)]).toEqual([true, true, false])
  expect(seen()).toEqual([true, true, false])
  expect(set(c, true)).toBe(true)
  expect(seen()).toEqual([false, true, true])
  // This repository must now be polled.
  expect(unwatched).toEqual([a])
  watcher.stop()
  expect(seen()).toEqual([false, false, false])
})
