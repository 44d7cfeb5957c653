/**
 * For tests: the embedded CI on a real database, real git and real log files, with a runner driven
 * by hand.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Build, Repo, RepoWithBuild, Stage, Status, Step, User } from '@flightdeck/api'
import type { KyselyPlugin } from 'kysely'
import { findBuildByNumber } from '../store/builds.ts'
import { openStore } from '../store/open.ts'
import { findRepoBySlug } from '../store/repos.ts'
import { createUser } from '../store/users.ts'
import { createEventBus } from '../builds/event-bus.ts'
import { loadBuild, required } from '../builds/context.ts'
import { searchScript } from './bundles.ts'
import { pipelineFiles as files } from './pipeline-files.ts'
import { testRepository } from './test-repository.ts'
import { createGit } from '../source/git/git.ts'
import { createLogStore } from '../logs/logs.ts'
import { createRepositories } from '../source/repositories/repositories.ts'
import { createCi, type EmbeddedCi } from '../builds/service.ts'
import type { Hook } from '../interfaces/hook.ts'
import { createWrites } from '../store/writes.ts'

const exec = { kind: 'pipeline', type: 'exec' }
export const never = new AbortController().signal

/** Pipelines of one step; `more` is put below each name. */
export const pipelines = (docs: Record<string, string>): string =>
  Object.entries(docs)
    .map(
      ([name, more]) =>
        `---\nkind: pipeline\ntype: exec\nname: ${name}\n${more}\nsteps:\n- name: step\n  commands: [echo ${name}]\n`,
    )
    .join('')

export interface BenchOptions {
  /** Sees every query. */
  plugin?: KyselyPlugin
  /** Changes of one build within this time are merged into one event. */
  mergeMs?: number
}

/** An empty migrated database: migrating one takes longer than most tests. */
let emptyDatabase: Buffer | undefined

async function makeDatabase(): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'flightdeck-empty-'))
  await openStore(join(folder, 'db.sqlite')).close()
  const bytes = readFileSync(join(folder, 'db.sqlite'))
  rmSync(folder, { recursive: true })
  return bytes
}

export const openBench = async ({ plugin, mergeMs = 0 }: BenchOptions = {}) => {
  const dir = await mkdtemp(join(tmpdir(), 'flightdeck-ci-'))
  const openDatabase = () => {
    const opened = openStore(join(dir, 'db.sqlite'))
    return plugin ? { ...opened, db: opened.db.withPlugin(plugin) } : opened
  }
  emptyDatabase ??= await makeDatabase()
  writeFileSync(join(dir, 'db.sqlite'), emptyDatabase)
  let store = openDatabase()
  const clock = { now: 1_700_000_000 }
  const events: RepoWithBuild[] = []
  const messages: string[] = []
  const source = testRepository(join(dir, 'repos', 'acme', 'web'))
  const git = await createGit({ dataDir: dir, own: [source.path] })

  const make = (): EmbeddedCi => {
    const bus = createEventBus({ pauseMs: () => mergeMs })
    bus.subscribe((message) => events.push(JSON.parse(message.json) as RepoWithBuild))
    const { db } = store
    const now = () => clock.now
    const writes = createWrites((message) => messages.push(message))
    const repositories = createRepositories({
      db,
      git,
      folders: [join(dir, 'repos')],
      publicUrl: 'http://localhost',
      now,
    })
    return createCi({
      db,
      events: bus,
      logs: createLogStore({ folder: join(dir, 'logs'), writes, searchScript }),
      writes,
      git,
      files,
      repositories,
      decrypt: (sealed) => `open ${sealed}`,
      // Seconds; used once the clocks are started.
      runnerTimeout: 1,
      derive: (text) => `derived-from-${text.replaceAll(' ', '-')}`,
      system: { proto: 'http', host: 'localhost', link: 'http://localhost', version: '2.0.0' },
      now,
    })
  }
  let ci = make()
  const killed: EmbeddedCi[] = []
  const user: User = await createUser(store.db, { login: 'ann', admin: true, created: 1 })
  await ci.sync(user)
  const repo: Repo = await ci.enable(required(await findRepoBySlug(store.db, 'acme/web')), user)

  const build = async (number: number): Promise<Build & { stages: Stage[] }> => {
    const { id } = required(await findBuildByNumber(store.db, repo.id, number))
    const loaded = await loadBuild(store.db, id)
    return { ...loaded.build, stages: loaded.stages }
  }
  return {
    dir,
    files,
    git,
    clock,
    events,
    /** Log messages about writes. */
    messages,
    source,
    user,
    repo,
    build,
    get ci() {
      return ci
    },
    get db() {
      return store.db
    },
    get store() {
      return store
    },
    commit: (config: string, message = 'change') => source.commit({ '.drone.yml': config }, message),
    push: (sha: string, more: Partial<Hook> = {}) =>
      ci.trigger(repo.id, {
        event: 'push',
        trigger: '@hook',
        ref: 'refs/heads/main',
        source: 'main',
        target: 'main',
        before: '',
        after: sha,
        message: 'change',
        ...more,
      }),
    startBuild: (params: Record<string, string> = {}) => ci.start(repo, { params }, user),
    /** Status of the build, then of each stage by name. */
    async statuses(number: number): Promise<Record<string, Status>> {
      const { status, stages } = await build(number)
      return Object.fromEntries([['', status], ...stages.map((stage) => [stage.name, stage.status] as const)])
    },
    request: (signal: AbortSignal = never) => ci.runners.request(exec, signal),
    /** Checks that the queue has no stage for a runner. */
    async isIdle(): Promise<boolean> {
      const cancellation = new AbortController()
      const stage = ci.runners.request(exec, cancellation.signal)
      // A queue with work assigns a stage after one read of the database.
      for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve))
      cancellation.abort()
      return (await stage) === null
    },
    /** Polls, accepts a stage and starts it with these steps. */
    async take(steps: readonly string[] = ['step']): Promise<Stage & { steps: Step[] }> {
      const stage = required(await ci.runners.request(exec, AbortSignal.timeout(10_000)))
      const accepted = await ci.runners.accept(stage.id, 'bench')
      const started = await ci.runners.updateStage({
        ...accepted,
        status: 'running',
        started: clock.now,
        steps: steps.map((name, index) => ({
          id: 0,
          step_id: stage.id,
          number: index + 1,
          name,
          status: 'pending',
          exit_code: 0,
          version: 0,
        })),
      })
      return { ...started, steps: started.steps ?? [] }
    },
    runStep: (step: Step) => ci.runners.updateStep({ ...step, status: 'running', started: clock.now }),
    endStep: (step: Step, status: Status = 'success') =>
      ci.runners.updateStep({ ...step, status, stopped: clock.now, exit_code: status === 'success' ? 0 : 1 }),
    endStage: (stage: Stage, status: Status = 'success') =>
      ci.runners.updateStage({
        ...stage,
        status,
        stopped: clock.now,
        steps: (stage.steps ?? []).map((step) => ({ ...step, status, started: clock.now, stopped: clock.now })),
      }),
    /** Whether the step has a complete, readable log. */
    async isSaved(step: Step): Promise<boolean> {
      const log = await ci.logs.read(step.id)
      await log?.body.cancel()
      return log !== null
    },
    /** Like `kill -9`: the old server stops silently, then a new one opens the same folder. */
    async restartServer(): Promise<void> {
      killed.push(ci)
      await store.close()
      store = openDatabase()
      ci = make()
      await ci.recover()
    },
    async close(): Promise<void> {
      await ci.close()
      // A real kill would have closed their files.
      for (const old of killed) await old.logs.stop()
      await store.close()
      await rm(dir, { recursive: true })
    },
  }
}
export type Bench = Awaited<ReturnType<typeof openBench>>
