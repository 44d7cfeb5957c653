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

/** Many repositories at once: the tests compare the order of builds, not times. */
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

/** Active; what it has now counts as known. */
async function follow(path: string, name: string): Promise<Repo> {
  const names = { uid: `acme/${name}`, namespace: 'acme', name }
  const row = await createRepo(bench.db, { ...names, path, default_branch: 'main', visibility: 'private', now: 1 })
  await recordRefs(bench.db, row.id, path, 1)
  return updateRepo(bench.db, { ...row, active: true, user_id: bench.user.id, config_path: '.drone.yml' })
}

/** Commits of their own time, one second after the other; answers their shas, oldest first. */
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

/** All at once, as a push of a whole mirror leaves them. */
function writeRefs(path: string, refs: readonly (readonly [string, string])[]): void {
  const lines = refs.map(([name, sha]) => `${sha} ${name}\n`).toSorted()
  writeFileSync(join(path, '.git/packed-refs'), `# pack-refs with: peeled \n${lines.join('')}`)
}

function flooded(name: string, count: number) {
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

test('one push beside six floods waits for one check of each, not for all their builds', async () => {
  for (let number = 0; number < 6; number += 1) {
    const { path, flood } = flooded(`flood${number}`, 15)
    await follow(path, `flood${number}`)
    flood()
  }
  const quiet = testRepository(join(folder, 'quiet'))
  quiet.commit({ a: '1' }, 'First')
  await follow(quiet.path, 'quiet')
  quiet.commit({ a: '2' }, 'Second')
  let open = 0
  let max = 0
  /** Builds before its check began; other checks run at the same time. */
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
  // One check starts five builds.
  expect(before).toBeLessThanOrEqual(6 * 5)
  // No more checks run at the same time.
  expect(max).toBeLessThanOrEqual(4)
})

test('a check that takes long ends after one build', async () => {
  for (let number = 0; number < 4; number += 1) {
    const { path, flood } = flooded(`slow${number}`, 5)
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
    // As if git answered each call only at its timeout.
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

test('of ten thousand new branches and tags the newest 50 are built, with a note', async () => {
  const { path, known } = flooded('web', 0)
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
  // The newest is the last, so that it is the latest build.
  expect(of('acme/web2').map(({ after }) => after)).toEqual(shas.slice(50))
  const note = '10,000 branches and tags changed at once; only the newest 50 are built'
  expect(messages).toEqual([`acme/web2: ${note}`])
  expect(new Set(of('acme/web2').map((build) => build.note))).toEqual(new Set([note]))
  // What was left out is known: it starts nothing later.
  const quiet = testRepository(join(folder, 'quiet'))
  quiet.commit({ a: '1' }, 'First')
  await follow(quiet.path, 'quiet')
  quiet.commit({ a: '2' }, 'Second')
  await until(() => expect(of('acme/quiet')).toHaveLength(1))
  expect(of('acme/web2')).toHaveLength(50)
})

test('a flood that is still growing is read once it has settled, and counts as one', async () => {
  const { path } = flooded('web', 0)
  await follow(path, 'web2')
  const shas = commits(path, 120)
  const refs = shas.map((sha, index) => [`refs/heads/b${index}`, sha] as const)
  watch()
  for (const part of [30, 60, 90, 120]) {
    writeRefs(path, refs.slice(0, part))
    // Several checks in between.
    await new Promise((resolve) => setTimeout(resolve, 150))
  }
  await until(() => expect(messages).toHaveLength(1))
  await until(() => expect(built).toHaveLength(50))
  expect(built.map(({ after }) => after)).toEqual(shas.slice(70))
})

test('the first check of a repository stores its refs and builds nothing', async () => {
  const { path, flood } = flooded('web', 60)
  flood()
  const repo = await follow(path, 'web2')
  // As in a folder that was written before anybody looked, or where that was lost.
  await replaceRefs(bench.db, repo.id, null, 1)
  watch()
  await until(async () => expect((await listRefs(bench.db, repo.id)).size).toBe(60 + 2))
  expect(built).toEqual([])
})

test('a folder that was not there at the activation is learnt when it appears', async () => {
  const repo = await follow(join(folder, 'late'), 'late')
  watch()
  const late = testRepository(join(folder, 'late'))
  const first = late.commit({ a: '1' }, 'First')
  await until(async () => expect((await listRefs(bench.db, repo.id)).size).toBeGreaterThan(0))
  const known = await listRefs(bench.db, repo.id)
  const second = late.commit({ a: '2' }, 'Second')
  await until(() => expect(built.map(({ after }) => after)).toContain(second))
  // It may have been seen before its first commit, which then counts as new.
  expect(built.map(({ after }) => after)).toEqual(known.has('refs/heads/main') ? [second] : [first, second])
})

test('a repository that is switched off stops at once, in the middle of its builds', async () => {
  const { path, flood } = flooded('web', 60)
  const repo = await follow(path, 'web2')
  flood()
  const quiet = testRepository(join(folder, 'quiet'))
  quiet.commit({ a: '1' }, 'First')
  await follow(quiet.path, 'quiet')
  let asked = 0
  watch({
    async onHook(given, hook, source) {
      // Between the read of the repository and the build.
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

test('a server that dies right after a build was made does not make it again', async () => {
  const sha = bench.commit(pipelines({ default: '' }))
  let made = 0
  watch({
    async onHook(given, hook, source) {
      await bench.ci.trigger(given.id, hook, source)
      made += 1
      // As far as this server goes.
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

test('pipes and devices among the refs hold nothing up', async () => {
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
