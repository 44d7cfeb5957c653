import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Build, Repo } from '@flightdeck/api'
import { listRefs, replaceRefs } from '../../store/refs.ts'
import { createRepo, findRepoBySlug, updateRepo } from '../../store/repos.ts'
import { listBuilds } from '../../store/builds.ts'
import { required } from '../../builds/context.ts'
import { createGit, type Git } from '../git/git.ts'
import { testRepository } from '../../testing/test-repository.ts'
import { watchRefs, type RefWatcher, type RefWatcherOptions } from './ref-watcher.ts'
import { openBench, pipelines, type Bench } from '../../testing/test-bench.ts'
import { recordRefs } from './record-refs.ts'

/** Many repositories at once. The tests compare the order of builds, not times. */
let bench: Bench
let git: Git
let folder: string
let watchers: RefWatcher[]
let built: { slug: string; ref: string; after: string; note?: string | undefined }[]
let messages: string[]
beforeEach(async () => {
  bench = await openBench()
  folder = mkdtempSync(join(tmpdir(), 'flightdeck-fair-'))
  git = await createGit({ dataDir: join(folder, 'data'), own: [] })
  watchers = []
  built = []
  messages = []
})
afterEach(async () => {
  for (const watcher of watchers) await watcher.stop()
  await bench.close()
  rmSync(folder, { recursive: true })
})

function watch(more: Partial<RefWatcherOptions> = {}): RefWatcher {
  const watcher = watchRefs({
    db: bench.db,
    git,
    now: () => bench.clock.now,
    roundMs: 60,
    onHook: async ({ slug }, { ref, after, note }) => void built.push({ slug, ref, after, note }),
    log: (message) => messages.push(message),
    ...more,
  })
  watchers.push(watcher)
  return watcher
}

/** Activates a repository; its current refs start no builds. */
async function follow(path: string, name: string): Promise<Repo> {
  const names = { uid: `acme/${name}`, namespace: 'acme', name }
  const row = await createRepo(bench.db, { ...names, path, default_branch: 'main', visibility: 'private', now: 1 })
  await recordRefs(bench.db, row.id, path, 1)
  return updateRepo(bench.db, { ...row, active: true, user_id: bench.user.id, config_path: '.drone.yml' })
}

/** Creates commits with times one second apart; returns their shas, oldest first. */
function commits(path: string, count: number): string[] {
  const input = Array.from({ length: count }, (_, index) => {
    const message = `commit ${index}`
    const head = `commit refs/import\nmark :${index + 1}\ncommitter Ada <ada@example.com> ${1_700_000_000 + index} +0000\n`
    return `${head}data ${message.length}\n${message}\n`
  }).join('\n')
  const marks = join(folder, 'marks')
  execFileSync('git', ['-C', path, 'fast-import', '--quiet', `--export-marks=${marks}`], { input })
  const shas = execFileSync('git', ['-C', path, 'log', '--reverse', '--format=%H', 'refs/import']).toString().trim()
  return shas.split('\n')
}

/** Writes many refs at once, as a push of a whole mirror does. */
function writeRefs(path: string, refs: readonly (readonly [string, string])[]): void {
  const lines = refs.map(([name, sha]) => `${sha} ${name}\n`).toSorted()
  writeFileSync(join(path, '.git/packed-refs'), `# pack-refs with: peeled \n${lines.join('')}`)
}

function createBusyRepository(name: string, count: number) {
  const origin = testRepository(join(folder, name))
  const known = origin.commit({ '.drone.yml': pipelines({ default: '' }) }, 'First')
  return {
    path: origin.path,
    flood: (): string[] => {
      const shas = commits(origin.path, count)
      writeRefs(
        origin.path,
        shas.map((sha, index) => [`refs/heads/b${String(index).padStart(6, '0')}`, sha] as const),
      )
      return shas
    },
    known,
  }
}

const of = (slug: string) => built.filter((build) => build.slug === slug)
const until = (check: () => unknown) => vi.waitFor(check, { timeout: 20_000, interval: 20 })

test('a push waits for one check of each of six busy repositories, not for all their builds', async () => {
  for (let number = 0; number < 6; number += 1) {
    const { path, flood } = createBusyRepository(`flood${number}`, 15)
    await follow(path, `flood${number}`)
    flood()
  }
  const quiet = testRepository(join(folder, 'quiet'))
  quiet.commit({ a: '1' }, 'First')
  await follow(quiet.path, 'quiet')
  quiet.commit({ a: '2' }, 'Second')
  let open = 0
  let max = 0
  /** The number of builds before its check started; other checks run at the same time. */
  let before: number | undefined
  const counted: Git = {
    ...git,
    session(path) {
      open += 1
      max = Math.max(max, open)
      if (path === quiet.path) before ??= built.length
      const session = git.session(path)
      return {
        ...session,
        end() {
          open -= 1
          session.end()
        },
      }
    },
  }
  watch({ git: counted })
  await until(() => expect(built).toHaveLength(6 * 15 + 1))
  // One check starts at most five builds.
  expect(before).toBeLessThanOrEqual(6 * 5)
  // No more checks run at the same time.
  expect(max).toBeLessThanOrEqual(4)
})

test('a slow check ends after one build', async () => {
  for (let number = 0; number < 4; number += 1) {
    const { path, flood } = createBusyRepository(`slow${number}`, 5)
    await follow(path, `slow${number}`)
    flood()
  }
  const quiet = testRepository(join(folder, 'quiet'))
  quiet.commit({ a: '1' }, 'First')
  await follow(quiet.path, 'quiet')
  quiet.commit({ a: '2' }, 'Second')
  let release = () => {}
  const pushed = new Promise<void>((resolve) => (release = resolve))
  const count = new Map<string, number>()
  watch({
    // As if each call of git lasted until its timeout.
    maxCheckMs: 0,
    async onHook({ slug }, { ref, after }) {
      const before = count.get(slug) ?? 0
      count.set(slug, before + 1)
      // A second build in the same check would wait forever.
      if (before > 0) await pushed
      built.push({ slug, ref, after })
      if (slug === 'acme/quiet') release()
    },
  })
  try {
    await until(() => expect(of('acme/quiet')).toHaveLength(1))
  } finally {
    release()
  }
  await until(() => expect(built).toHaveLength(4 * 5 + 1))
})

test('builds the newest 50 of ten thousand new branches and tags, with a note', async () => {
  const { path, known } = createBusyRepository('web', 0)
  const repo = await follow(path, 'web2')
  const shas = commits(path, 100)
  const refs = Array.from({ length: 5_000 }, (_, index): [string, string][] => [
    [`refs/heads/b${index}`, index < 60 ? (shas[99 - index] ?? '') : (shas[0] ?? '')],
    [`refs/tags/t${index}`, shas[0] ?? ''],
  ]).flat()
  writeRefs(path, [...refs, ['refs/heads/main', known]])
  watch()
  await until(() => expect(of('acme/web2')).toHaveLength(50))
  await until(async () => expect((await listRefs(bench.db, repo.id)).size).toBe(10_000 + 2))
  // The newest commit is built last, so that its build is the latest.
  expect(of('acme/web2').map(({ after }) => after)).toEqual(shas.slice(50))
  const note = '10,000 branches and tags changed at once; only the newest 50 are built'
  expect(messages).toEqual([`acme/web2: ${note}`])
  expect(new Set(of('acme/web2').map((build) => build.note))).toEqual(new Set([note]))
  // The refs that were skipped start no builds later.
  const quiet = testRepository(join(folder, 'quiet'))
  quiet.commit({ a: '1' }, 'First')
  await follow(quiet.path, 'quiet')
  quiet.commit({ a: '2' }, 'Second')
  await until(() => expect(of('acme/quiet')).toHaveLength(1))
  expect(of('acme/web2')).toHaveLength(50)
})

test('changes that are still arriving are read together after they have stopped', async () => {
  const { path } = createBusyRepository('web', 0)
  await follow(path, 'web2')
  const shas = commits(path, 120)
  const refs = shas.map((sha, index) => [`refs/heads/b${index}`, sha] as const)
  watch()
  for (const part of [30, 60, 90, 120]) {
    writeRefs(path, refs.slice(0, part))
    // Leaves time for several checks.
    await new Promise((resolve) => setTimeout(resolve, 150))
  }
  await until(() => expect(messages).toHaveLength(1))
  await until(() => expect(built).toHaveLength(50))
  expect(built.map(({ after }) => after)).toEqual(shas.slice(70))
})

test('the first check of a repository stores its refs and builds nothing', async () => {
  const { path, flood } = createBusyRepository('web', 60)
  flood()
  const repo = await follow(path, 'web2')
  // As in a folder that existed before the server, or after the stored refs were lost.
  await replaceRefs(bench.db, repo.id, null, 1)
  watch()
  await until(async () => expect((await listRefs(bench.db, repo.id)).size).toBe(60 + 2))
  expect(built).toEqual([])
})

test('a folder that appears after the activation has its refs recorded then', async () => {
  const repo = await follow(join(folder, 'late'), 'late')
  watch()
  const late = testRepository(join(folder, 'late'))
  const first = late.commit({ a: '1' }, 'First')
  await until(async () => expect((await listRefs(bench.db, repo.id)).size).toBeGreaterThan(0))
  const known = await listRefs(bench.db, repo.id)
  const second = late.commit({ a: '2' }, 'Second')
  await until(() => expect(built.map(({ after }) => after)).toContain(second))
  // The folder may have been checked before its first commit, which then counts as new.
  expect(built.map(({ after }) => after)).toEqual(known.has('refs/heads/main') ? [second] : [first, second])
})

test('a repository that is disabled stops at once, between its builds', async () => {
  const { path, flood } = createBusyRepository('web', 60)
  const repo = await follow(path, 'web2')
  flood()
  const quiet = testRepository(join(folder, 'quiet'))
  quiet.commit({ a: '1' }, 'First')
  await follow(quiet.path, 'quiet')
  let asked = 0
  watch({
    async onHook(given, hook, source) {
      // Disable the repository after it was read and before the build.
      if (given.slug === repo.slug && (asked += 1) === 7) await bench.ci.disable(given)
      return bench.ci.trigger(given.id, hook, source)
    },
  })
  await until(() => expect(asked).toBe(7))
  quiet.commit({ '.drone.yml': pipelines({ default: '' }) }, 'Second')
  const other = required(await findRepoBySlug(bench.db, 'acme/quiet'))
  await until(async () => expect(await buildsOf(other)).toHaveLength(1))
  expect(asked).toBe(7)
  expect(await buildsOf(repo)).toHaveLength(6)
  expect((await listRefs(bench.db, repo.id)).size).toBe(0)
})

test('a server that crashes right after creating a build does not create it again', async () => {
  const sha = bench.commit(pipelines({ default: '' }))
  let made = 0
  watch({
    async onHook(given, hook, source) {
      await bench.ci.trigger(given.id, hook, source)
      made += 1
      // The server gets no further than this.
      return new Promise(() => {})
    },
  })
  await until(() => expect(made).toBe(1))
  watchers = []
  watch({ onHook: (given, hook, source) => bench.ci.trigger(given.id, hook, source) })
  bench.source.git('branch', 'other')
  await until(async () => {
    const known = await listRefs(bench.db, bench.repo.id)
    expect([known.get('refs/heads/main'), known.get('refs/heads/other')]).toEqual([sha, sha])
  })
  const refs = (await buildsOf(bench.repo)).map(({ ref }) => ref)
  expect(refs).toEqual(['refs/heads/other', 'refs/heads/main'])
})

test('pipes and devices among the refs block nothing', async () => {
  const hostile = testRepository(join(folder, 'hostile'))
  hostile.commit({ a: '1' }, 'First')
  await follow(hostile.path, 'hostile')
  execFileSync('mkfifo', [join(hostile.path, '.git/refs/heads/pipe')])
  execFileSync('ln', ['-s', '/dev/zero', join(hostile.path, '.git/refs/heads/endless')])
  const second = hostile.commit({ a: '2' }, 'Second')
  watch()
  await until(() => expect(built.map(({ after }) => after)).toEqual([second]))
})

const buildsOf = (repo: Repo): Promise<Build[]> => listBuilds(bench.db, repo.id, { page: 1, perPage: 1000 })
