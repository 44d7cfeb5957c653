/**
 * For tests: the shared context of the CI, with a real database in memory and real log files.
 * Builds and commits are plain data without git processes, so it takes some milliseconds instead of
 * the `bench`'s hundred.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Build, Repo, RepoWithBuild, Stage, Status, Step, User } from '@flightdeck/api'
import { createEventBus } from '../builds/event-bus.ts'
import { createConfigTexts } from '../builds/pipeline-config-cache.ts'
import { loadBuild, type CiContext } from '../builds/context.ts'
import { createKeyedMutex } from '../lib/keyed-mutex.ts'
import { createBuildClocks } from '../builds/build-clocks.ts'
import { startClock } from '../lib/monotonic-time.ts'
import { createLogClosers } from '../builds/delayed-log-close.ts'
import { createQueue } from '../builds/stage-queue.ts'
import { createRunnerRegistry } from '../builds/waiting/runner-registry.ts'
import { createReasons } from '../builds/waiting/waiting-reasons.ts'
import { createWatchers } from '../builds/build-watchers.ts'
import type { GitReader } from '../interfaces/git.ts'
import { createLogStore } from '../logs/logs.ts'
import { createBuild } from '../store/builds.ts'
import { openStore } from '../store/open.ts'
import { createRepo, findRepo, updateRepo } from '../store/repos.ts'
import { createStages, listStages, type NewStage } from '../store/stages.ts'
import { createSteps } from '../store/steps.ts'
import { createUser } from '../store/users.ts'
import { createWrites } from '../store/writes.ts'
import { pipelineFiles } from './pipeline-files.ts'
import { buildRow } from './build-row.ts'
import { stageRow } from './stage-row.ts'

/** Replaces a repository: linear commits, oldest first, each with its pipeline file. */
const createHistory = () => {
  const commits: { sha: string; file: string | null; message: string }[] = []
  const refs = new Map<string, string>()
  const find = (sha: string) => commits.find((commit) => commit.sha === sha)
  const git: GitReader = {
    resolve: async (_path, name) => refs.get(name) ?? find(name)?.sha ?? null,
    readFile: async (_path, sha, file) => (file === '.drone.yml' ? (find(sha)?.file ?? null) : null),
    isAncestor: async (_path, sha, head) =>
      commits.findIndex((one) => one.sha === sha) <= commits.findIndex((one) => one.sha === head),
    async commit(_path, sha) {
      const { message } = find(sha) ?? { message: '' }
      return { sha, parent: '', message, author: { name: 'Ada', email: 'ada@example.com' }, time: 7 }
    },
    changes: async () => ({ parents: [], files: [], total: 0 }),
    sources: {
      between: async () => null,
      differentFiles: async () => null,
      find: async () => null,
      endingIn: async () => [],
      authors: async () => null,
      listAfter: async () => ({ shas: new Set(), all: false }),
    },
  }
  return {
    git,
    refs,
    /** Adds a commit and moves `main` to it. */
    commit(file: string | null, message = 'change'): string {
      const sha = String(commits.length + 1).padStart(40, '0')
      commits.push({ sha, file, message })
      refs.set('refs/heads/main', sha)
      return sha
    },
  }
}

export type StageFacts = Partial<Omit<NewStage, 'steps'>> & { name: string; steps?: Partial<Step>[] }

export const openContext = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'flightdeck-context-'))
  const store = openStore(':memory:')
  const { db } = store
  /** Unix seconds; `passed`: monotonic milliseconds, if they should differ. */
  const clock: { now: number; passed?: number } = { now: 1_700_000_000 }
  const events: RepoWithBuild[] = []
  /** Messages about writes. */
  const messages: string[] = []
  const bus = createEventBus({ pauseMs: () => 0 })
  bus.subscribe((message) => events.push(JSON.parse(message.json) as RepoWithBuild))
  const writes = createWrites((message) => messages.push(message))
  const logs = createLogStore({ folder: join(folder, 'logs'), writes })
  const history = createHistory()
  const queue = createQueue(db)
  const runnerRegistry = createRunnerRegistry(() => {})
  const reasons = createReasons({ db, runnerRegistry, isPaused: () => queue.isPaused() })
  const ci: CiContext = {
    db,
    events: bus,
    logs,
    git: history.git,
    files: pipelineFiles,
    queue,
    runnerRegistry,
    reasons,
    writes,
    durable: () => store.durable(),
    configs: createConfigTexts(),
    watchers: createWatchers(),
    locks: createKeyedMutex(),
    now: () => clock.now,
    clocks: createBuildClocks(
      () => clock.now,
      () =>
        startClock(
          () => clock.now * 1000,
          () => clock.passed ?? clock.now * 1000,
        ),
    ),
  }
  const closers = createLogClosers(logs, writes)
  const user: User = await createUser(db, { login: 'ann', admin: true, created: 1 })
  const repo: Repo = await createRepo(db, {
    uid: 'acme/web',
    namespace: 'acme',
    name: 'web',
    path: '/nowhere',
    default_branch: 'main',
    visibility: 'private',
    now: 1,
  }).then((created) =>
    updateRepo(db, { ...created, user_id: user.id, active: true, link: 'http://ci.example.com/link/acme/web' }),
  )
  let number = 0

  return {
    ci,
    closers,
    folder,
    clock,
    db,
    events,
    history,
    messages,
    repo,
    user,
    async changeRepo(changes: Partial<Repo>): Promise<Repo> {
      return updateRepo(db, { ...((await findRepo(db, repo.id)) ?? repo), ...changes })
    },
    /** Stores a build with these stages and fields. */
    async build(stages: readonly StageFacts[], facts: Partial<Build> = {}): Promise<Build & { stages: Stage[] }> {
      number += 1
      const names = { ref: 'refs/heads/main', source: 'main', target: 'main' }
      const times = { created: clock.now, updated: clock.now }
      const build = await createBuild(
        db,
        buildRow({ repo_id: repo.id, number, status: 'pending', ...names, ...times, ...facts }),
      )
      const buildRef = { repo_id: repo.id, build_id: build.id }
      const rows = stages.map(({ steps: _steps, ...stage }, index) =>
        stageRow({ ...buildRef, number: index + 1, ...stage }),
      )
      await createStages(db, rows)
      for (const [index, { id }] of (await listStages(db, build.id)).entries()) {
        const steps = (stages[index]?.steps ?? []).map((step, at) => {
          const plain = { number: at + 1, name: `step ${at + 1}`, status: 'pending', exit_code: 0 } as const
          return { ...plain, ...step, step_id: id }
        })
        await createSteps(db, steps)
      }
      const loaded = await loadBuild(db, build.id)
      return { ...loaded.build, stages: loaded.stages }
    },
    async read(id: number): Promise<Build & { stages: Stage[] }> {
      const { build, stages } = await loadBuild(db, id)
      return { ...build, stages }
    },
    /** Status of the build, then of each stage. */
    async statuses(id: number): Promise<Status[]> {
      const { build, stages } = await loadBuild(db, id)
      return [build.status, ...stages.map(({ status }) => status)]
    },
    /** Whether the step has a complete, readable log. */
    async isSaved(stepId: number): Promise<boolean> {
      const log = await logs.read(stepId)
      await log?.body.cancel()
      return log !== null
    },
    async close(): Promise<void> {
      queue.close()
      writes.stopRetries()
      await bus.stop()
      await closers.stop()
      await writes.stop()
      await logs.stop()
      await store.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
export type TestContext = Awaited<ReturnType<typeof openContext>>
