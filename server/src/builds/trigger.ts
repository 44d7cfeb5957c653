/** From a hook to a build (docs/api §5.2). */
import type { Again, Build, LeftOut, Repo, Stage } from '@flightdeck/api'
import { limits } from '../pipeline/documents.ts'
import { ConfigError } from '../pipeline/doc.ts'
import type { StagePlan } from '../pipeline/plan.ts'
import { asksToSkip } from '../pipeline/skip.ts'
import {
  createBuild,
  findConfig,
  findBuildByNumber,
  findUnfinishedRerun,
  saveConfig,
  type NewBuild,
} from '../store/builds.ts'
import { updateCause } from '../store/causes.ts'
import { saveGate, type Gate } from '../store/approval-gates.ts'
import { setLatest } from '../store/latest.ts'
import { inTransaction } from '../store/open.ts'
import { findRepo, findRepoInternals, takeBuildNumber } from '../store/repos.ts'
import { createStages, listStages } from '../store/stages.ts'
import { listReusedSteps, copyReusedSteps } from '../store/reused-steps.ts'
import { findUser } from '../store/users.ts'
import { resultOf, stagesToRun } from './rerun.ts'
import { autoCancel } from './cancel.ts'
import { explainError, readConfig } from './pipeline-config.ts'
import { Refusal } from '../lib/refusal.ts'
import { noRows, required, notifyBuild, type CiContext } from './context.ts'
import { waitsForDeployer } from './deployers.ts'
import { gateOf, inheritanceOf, withApprovals, withApprovedCommit } from './approval-gate.ts'
import type { LogClosers } from './delayed-log-close.ts'
import { advanceBuild } from './advance-build.ts'
import type { Hook, HookSource } from '../interfaces/hook.ts'
import { isPassing } from '../store/writes.ts'

/** Longer messages and titles are cut (docs/api §1.4). */
const maxCharacters = 2_000
/**
 * git does not limit names in a commit; every list of builds shows them, and each step's
 * environment has them.
 */
const cutName = (text = ''): string => text.slice(0, 250)

const isIgnored = (repo: Repo, hook: Hook): boolean => {
  if (hook.event !== 'pull_request') return false
  if (repo.ignore_pull_requests) return true
  return repo.ignore_forks && (hook.sourceRepo ?? '').toLowerCase() !== repo.slug.toLowerCase()
}

/** Step 4: fields that the hook omits are read from the commit. */
const completed = async (ci: CiContext, repoPath: string, hook: Hook): Promise<Hook> => {
  if (hook.message || !hook.after) return hook
  const commit = await ci.git.commit(repoPath, hook.after)
  const author = { login: '', name: commit.author.name, email: commit.author.email, avatar: '' }
  return { ...hook, message: commit.message, author: hook.author ?? author }
}

const newBuild = (repo: Repo, hook: Hook, number: number, now: number): NewBuild => ({
  repo_id: repo.id,
  trigger: hook.trigger,
  actor: hook.actor ?? '',
  number,
  parent: hook.parent ?? 0,
  ...(hook.again && { again: hook.again }),
  status: 'pending',
  ...(hook.note !== undefined && { error: hook.note }),
  event: hook.event,
  action: hook.action ?? '',
  link: hook.link ?? '',
  timestamp: 0,
  title: (hook.title ?? '').slice(0, maxCharacters),
  message: (hook.message ?? '').slice(0, maxCharacters),
  before: hook.before,
  after: hook.after,
  ref: hook.ref,
  source_repo: hook.sourceRepo ?? '',
  source: hook.source,
  target: hook.target,
  author_login: cutName(hook.author?.login),
  author_name: cutName(hook.author?.name),
  author_email: cutName(hook.author?.email),
  author_avatar: hook.author?.avatar ?? '',
  sender: cutName(hook.sender),
  params: hook.params ?? {},
  cron: hook.cron ?? '',
  deploy_to: hook.deployTo ?? '',
  ...(hook.deployId !== undefined && { deploy_id: hook.deployId }),
  debug: hook.debug ?? false,
  started: 0,
  finished: 0,
  created: now,
  updated: now,
})

/** A new stage, or one that is reused from an earlier build. */
type PlannedStage = StagePlan &
  Partial<
    Pick<Stage, 'approved' | 'approved_by' | 'machine' | 'error' | 'started' | 'stopped' | 'created' | 'taken_over'>
  >

interface Plan {
  /** `null` if there is no file. */
  config: string | null
  stages: PlannedStage[]
  leftOut: readonly LeftOut[]
  gate: Gate
  /** Makes an error build. */
  error?: string
}

/** A restart uses the file as it was, so that it works without git and after a forced push. */
const savedConfig = async (ci: CiContext, parent: Build | null): Promise<string | null> =>
  parent ? findConfig(ci.db, parent.id) : null

/** Only a part runs: the other stages are what they were. */
const withResults = async (
  ci: CiContext,
  planned: readonly PlannedStage[],
  { parent, again }: { parent: Build; again: Again },
): Promise<PlannedStage[]> => {
  const before = await listStages(ci.db, parent.id)
  const runs = stagesToRun(planned, before, again)
  const byName = new Map(before.map((stage) => [stage.name, stage]))
  return planned.map((stage) => {
    const result = runs.has(stage.name) ? undefined : byName.get(stage.name)
    return result ? { ...stage, ...resultOf(result, parent.number) } : stage
  })
}

const makePlan = async (
  ci: CiContext,
  repo: Repo,
  hook: Hook,
  { parent, ...internals }: { path: string; secret: string; parent: Build | null },
): Promise<Plan> => {
  const inherited = await inheritanceOf(ci, hook, parent)
  const { origin } = inherited
  let config: string | null = null
  try {
    config = (await savedConfig(ci, parent)) ?? (await readConfig(ci, repo, internals.path, hook))
    const from = await withApprovedCommit(ci, { repo, hook, from: inherited, config })
    const input = {
      branch: hook.target,
      event: hook.event,
      action: hook.action ?? '',
      ref: hook.ref,
      repo: repo.slug,
      target: hook.deployTo ?? '',
      cron: hook.cron ?? '',
    }
    const isHeld = await waitsForDeployer(ci.db, repo, hook)
    const job = { text: config, input, gate: gateOf(repo, from, hook), isHeld, secret: internals.secret }
    const { stages, gated, leftOut } = await ci.files.plan(repo.id, job)
    // An approval is for one deployment.
    const approved = isHeld ? stages : withApprovals(stages, from)
    const run = hook.again && parent ? await withResults(ci, approved, { parent, again: hook.again }) : approved
    return { config, stages: run, leftOut, gate: { origin, gated } }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    if (hook.again) throw new Refusal(400, error.message)
    // The stages do not wait for approval here; if the copy's file can be read, they are evaluated
    // again.
    return {
      config,
      stages: [],
      leftOut: [],
      gate: { origin, gated: inherited.gated },
      error: explainError(repo, error.message),
    }
  }
}

interface Stored {
  build: Build
  /** False if the same part was requested before and has not finished. */
  isNew: boolean
}

/**
 * Copies the steps of reused stages from the parent. One transaction per stage: together they can
 * have tens of thousands of steps.
 */
const takeOver = async ({ db }: CiContext, build: Build, parent: Build | null): Promise<void> => {
  const before = new Map((parent ? await listStages(db, parent.id) : []).map((stage) => [stage.name, stage.id]))
  for (const stage of await listStages(db, build.id)) {
    const from = before.get(stage.name)
    if (stage.taken_over && from !== undefined) await copyReusedSteps(db, from, stage.id)
  }
  await updateCause(db, build.id)
}

/**
 * Not in the transaction: work on files would hold up every other query. Until then, and where it
 * fails, readers get the first one's.
 */
const shareLogs = async (ci: CiContext, buildId: number): Promise<void> => {
  for (const { id, origin } of await listReusedSteps(ci.db, buildId)) await ci.logs.share(origin, id)
}

/**
 * Stores the number, the build, its file and its stages, or none of them; `null` if another call
 * took the source first.
 */
const store = (ci: CiContext, repo: Repo, hook: Hook, plan: Plan, source?: HookSource): Promise<Stored | null> =>
  inTransaction(ci.db, async (tx) => {
    if (source && !(await source.take(tx))) return null
    const { parent, again } = hook
    const unfinishedRerun = parent && again && (await findUnfinishedRerun(tx, { repoId: repo.id, parent, again }))
    if (unfinishedRerun) return { build: unfinishedRerun, isNew: false }
    const now = ci.now()
    const build = newBuild(repo, hook, await takeBuildNumber(tx, repo.id), now)
    const saved = await createBuild(
      tx,
      plan.error === undefined
        ? build
        : // Clients know error builds by their empty trigger (docs/api §1.4).
          { ...build, trigger: '', status: 'error', error: plan.error, started: now, finished: now },
    )
    await saveGate(tx, saved.id, plan.gate)
    await setLatest(tx, saved)
    // A file that is too large caused an error build: a restart reads it from git again.
    if (plan.config !== null && plan.config.length <= limits.text)
      await saveConfig(tx, saved.id, plan.config, plan.leftOut)
    const stages = plan.stages.map((stage) => ({
      started: 0,
      stopped: 0,
      created: now,
      ...stage,
      repo_id: repo.id,
      build_id: saved.id,
      throttle: repo.throttle ?? 0,
      updated: now,
    }))
    await createStages(tx, stages)
    // Stages that only wait for reused stages can start.
    if (hook.again) await advanceBuild(tx, saved.id, now)
    return { build: saved, isNew: true }
  })

/** Returns the new build without its stages, or `null` if the trigger is skipped. */
export const triggerBuild = async (
  given: CiContext,
  closers: LogClosers,
  repoId: number,
  hook: Hook,
  source?: HookSource,
): Promise<Build | null> => {
  const ci = source?.git ? { ...given, git: source.git } : given
  // As it is now: settings may have changed since the caller read it.
  const repo = required(await findRepo(ci.db, repoId))
  const owner = await findUser(ci.db, repo.user_id)
  if (!owner) throw noRows()
  if (!owner.active || isIgnored(repo, hook)) return null
  const internals = required(await findRepoInternals(ci.db, repo.id))
  const full = await completed(ci, internals.path, hook)
  if (asksToSkip(full)) return null

  const { parent: number } = full
  const parent = source?.parent ?? (number ? await findBuildByNumber(ci.db, repo.id, number) : null)
  const plan = await makePlan(ci, repo, full, { ...internals, parent })
  if (plan.error === undefined && plan.stages.length === 0) return null
  const stored = await store(ci, repo, full, plan, source)
  if (!stored) return null
  const { build, isNew } = stored
  if (!isNew) return build
  if (full.again) {
    await ci.writes.retryWithBackoff(`the steps of build ${build.id}`, () => takeOver(ci, build, parent))
    await shareLogs(ci, build.id)
  }
  await ci.locks(build.id, () => notifyBuild(ci, build.id, repo.visibility))
  ci.queue.poke()
  // The build exists even if canceling its predecessors fails.
  const giveWay = () => autoCancel(ci, closers, repo, build)
  if (plan.error === undefined) {
    await giveWay().catch((error: unknown) => {
      if (!isPassing(error)) throw error
      ci.writes.later(`the end of the builds before build ${build.id}`, giveWay)
    })
  }
  return build
}
