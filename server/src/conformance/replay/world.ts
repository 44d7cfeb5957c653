/** For the replay: the users and repositories of the recordings, and builds in any state. */
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import type { Build, Repo, Status } from '@flightdeck/api'
import { repositoryAt } from '../../testing/test-repository.ts'
import { pipelines } from '../../testing/test-bench.ts'
import { findBuildByNumber } from '../../store/builds.ts'
import { setPermissions } from '../../store/permissions.ts'
import { findRepoBySlug, updateRepo, updateRepoInternals } from '../../store/repos.ts'
import { findUserByLogin } from '../../store/users.ts'
import { createTestApp, passwordOf, tokenOf, type Person, type TestApp } from '../../testing/test-app.ts'

type Source = ReturnType<typeof repositoryAt>

export const brokenFile = 'kind: [\n'
/** Two stages: the second waits for the first. */
export const twoStages = pipelines({ first: '', second: 'depends_on: [first]' })

export interface World extends TestApp {
  tokens: Map<string, string>
  source(slug: string): Source
  find(slug: string): Promise<Repo>
  change(slug: string, changes: Partial<Repo>): Promise<Repo>
  /** A repository that was never activated. */
  forget(slug: string): Promise<void>
  /** Pushes this file to a branch; `number` is the build number. */
  push(slug: string, options?: { number?: number; file?: string; ref?: string }): Promise<Build>
  /** Pushes, and ends all stages with this status, each with one step that has a log. */
  built(slug: string, options?: { number?: number; ref?: string; status?: Status }): Promise<void>
  /** Takes the next stage and ends it. */
  finish(status?: Status, log?: string): Promise<void>
}

const plain = pipelines({ default: '' })

export async function createWorld(): Promise<World> {
  const app = await createTestApp({ passwords: false })
  const { bench } = app
  const { db } = bench
  bench.source.commit({ '.drone.yml': plain }, 'Begin')
  bench.source.git('branch', '-m', 'master')
  for (const name of ['feature/one', 'topic']) bench.source.git('branch', name)
  bench.source.git('tag', 'v1.2.3')
  const sources = new Map<string, Source>([['acme/web', bench.source]])
  for (const slug of ['acme/vault', 'acme/gated', 'acme/live', 'acme/spare', 'acme/empty', 'ann/tools']) {
    const path = join(bench.dir, 'repos', ...slug.split('/'))
    cpSync(bench.source.path, path, { recursive: true })
    sources.set(slug, repositoryAt(path))
  }
  await bench.ci.sync(bench.user)
  const ann = bench.user

  const find = async (slug: string): Promise<Repo> => {
    const repo = await findRepoBySlug(db, slug)
    if (!repo) throw new Error(`no repository ${slug}`)
    return repo
  }
  const change = async (slug: string, changes: Partial<Repo>) => updateRepo(db, { ...(await find(slug)), ...changes })
  for (const slug of sources.keys()) {
    const { id } = await find(slug)
    const isPrivate = slug === 'acme/vault' || slug === 'acme/spare'
    await change(slug, { visibility: isPrivate ? 'private' : 'public', private: isPrivate })
    if (slug !== 'acme/spare' && slug !== 'ann/tools') await bench.ci.enable(await find(slug), ann)
    for (const [login, rights] of [
      ['ann', { read: true, write: true, admin: true }],
      ['wes', { read: true, write: true, admin: false }],
      ['rae', { read: true, write: false, admin: false }],
    ] as const) {
      const user = await findUserByLogin(db, login)
      if (user) await setPermissions(db, { userId: user.id, repoId: id }, rights, 1)
    }
  }
  await change('acme/gated', { protected: true })

  /** One commit per file is enough. */
  const commits = new Map<string, string>()
  const commitOf = (slug: string, file: string): string => {
    const cached = commits.get(`${slug} ${file}`) ?? world.source(slug).commit({ '.drone.yml': file }, 'Push')
    commits.set(`${slug} ${file}`, cached)
    return cached
  }

  const world: World = {
    ...app,
    tokens: new Map(
      (['ann', 'wes', 'rae', 'otto', 'boss', 'robot'] as const).flatMap((person: Person) => [
        [`token:${person}`, tokenOf(person)],
        [`old token:${person}`, tokenOf(person)],
        [`password of ${person}`, passwordOf(person)],
      ]),
    ),
    source(slug) {
      const source = sources.get(slug)
      if (!source) throw new Error(`no source ${slug}`)
      return source
    },
    find,
    change,
    async forget(slug) {
      const repo = await change(slug, { active: false, user_id: 0, config_path: '', timeout: 0 })
      await updateRepoInternals(db, repo.id, { secret: '', signer: '' })
    },
    async push(slug, { number, file = plain, ref = 'refs/heads/master' } = {}) {
      if (number !== undefined) await change(slug, { counter: number - 1 })
      const repo = await find(slug)
      const after = commitOf(slug, file)
      const branch = ref.replace(/^refs\/(heads|tags)\//, '')
      const event = ref.startsWith('refs/tags/') ? 'tag' : ref.startsWith('refs/pull/') ? 'pull_request' : 'push'
      const hook = { event, trigger: '@hook', ref, source: branch, target: branch, before: '', after, message: 'Push' }
      const build = await bench.ci.trigger(repo.id, hook as Parameters<typeof bench.ci.trigger>[1])
      if (!build) throw new Error('the push started nothing')
      return build
    },
    async built(slug, { status = 'success', ...options } = {}) {
      const { number } = await world.push(slug, options)
      const { id } = await find(slug)
      while (!(await findBuildByNumber(db, id, number))?.finished) await world.finish(status)
    },
    async finish(status = 'success', log = 'one line\n') {
      const stage = await bench.take(['clone', 'test', 'publish'])
      for (const [index, step] of stage.steps.entries()) {
        if (status !== 'success' && index === 2) continue
        const running = await bench.runStep(step)
        if (log) await bench.ci.runners.appendLog(step.id, [{ pos: 0, out: log, time: 0 }])
        const ended = await bench.endStep(running, index === 1 ? status : 'success')
        stage.steps[index] = ended
      }
      const steps = stage.steps.map((step) => (step.stopped ? step : { ...step, status: 'skipped' as const }))
      await bench.ci.runners.updateStage({ ...stage, steps, status, stopped: bench.clock.now })
    },
  }
  return world
}
