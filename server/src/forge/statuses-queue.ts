/**
 * Commit statuses: stored when a build changes, sent in the background, retried until the forge
 * accepts them.
 */
import type { Build, Repo } from '@flightdeck/api'
import { findBuild, withStages } from '../store/builds.ts'
import { findRepo, findRepoInternals } from '../store/repos.ts'
import {
  listDueStatuses,
  listOpenStatusBuilds,
  putStatus,
  retryStatuses,
  statusFailed,
  statusSent,
  type StoredStatus,
} from '../store/statuses.ts'
import type { Hook } from '../interfaces/hook.ts'
import { publicMessage } from '../lib/public-text.ts'
import type { ForgeContext } from './context.ts'
import { ForgeError, type StatusState } from './driver.ts'
import { asOwner, refOf } from './owners.ts'
import { statusContext } from './statuses.ts'

/** Changes of a build within this time are one status: forges count calls. */
const debounceMs = 300
const pollMs = 5_000
const sentAtOnce = 20
const firstRetrySeconds = 5
const maxRetrySeconds = 30 * 60
/** About four days: then the commit is old news. */
const maxAttempts = 200
const maxDescription = 140

const cut = (text: string): string => (text.length > maxDescription ? `${text.slice(0, maxDescription - 1)}…` : text)

/** A build that waits for approval is reported as pending, not as failed. */
function stateOf(build: Build): StatusState {
  const isBlocked = build.status === 'pending' && build.stages?.some(({ status }) => status === 'blocked')
  if (isBlocked) return 'blocked'
  if (build.status === 'waiting_on_dependencies') return 'pending'
  return build.status
}

const descriptions: Record<StatusState, string> = {
  pending: 'Build is pending',
  blocked: 'Build is waiting for approval',
  running: 'Build is running',
  success: 'Build is passing',
  failure: 'Build is failing',
  error: 'Build could not run',
  killed: 'Build was canceled',
  skipped: 'Build was skipped',
  declined: 'Build was declined',
}

/** Names the failed step and the line with the cause. */
function descriptionOf(build: Build, state: StatusState): string {
  if (state === 'error' && build.error) return cut(build.error)
  if (state !== 'failure') return descriptions[state]
  const failed = (build.stages ?? []).flatMap(({ name, steps = [] }) =>
    steps.filter(({ status, errignore }) => status === 'failure' && !errignore).map((step) => ({ stage: name, step })),
  )[0]
  const line = build.cause?.text.trim() ?? ''
  if (!failed) return cut(line ? `${descriptions.failure}: ${line}` : descriptions.failure)
  return cut(`${failed.step.name} failed${line ? `: ${line}` : ''}`)
}

const contextOf = (forge: ForgeContext, { event, deployTo = '' }: { event: string; deployTo?: string }): string =>
  statusContext({ event, deployTo }, forge.statusName)

const pageOf = ({ publicUrl }: ForgeContext, repo: Repo, number: number): string =>
  `${publicUrl}/${encodeURIComponent(repo.namespace)}/${encodeURIComponent(repo.name)}/${number}`

async function note(forge: ForgeContext, buildId: number): Promise<void> {
  const { db, driver, now } = forge
  const found = await findBuild(db, buildId)
  const repo = found && (await findRepo(db, found.repo_id))
  if (!found || !repo || !found.after || !(await findRepoInternals(db, repo.id))?.forge) return
  const build = await withStages(db, found)
  const state = stateOf(build)
  const common = {
    repoId: repo.id,
    buildId,
    state,
    description: descriptionOf(build, state),
    url: pageOf(forge, repo, build.number),
    ref: build.ref.replace(/^refs\/heads\//, ''),
  }
  const { event, deploy_to: deployTo = '', deploy_id: deployId = 0 } = build
  if (driver.hasStatuses) {
    const context = contextOf(forge, { event, deployTo })
    await putStatus(db, { ...common, sha: build.after, context, deployment: '', environment: '' }, now())
  }
  if (deployId > 0 && driver.setDeploymentStatus) {
    const key = { sha: build.after, context: `deployment ${deployId}` }
    await putStatus(db, { ...common, ...key, deployment: String(deployId), environment: deployTo }, now())
  }
}

/**
 * If configured, reports success for a commit that starts no build, so that required checks pass.
 */
export async function reportSkipped(forge: ForgeContext, repo: Repo, hook: Hook): Promise<void> {
  if (!forge.statusSkipped || !forge.driver.hasStatuses) return
  await putStatus(
    forge.db,
    {
      repoId: repo.id,
      buildId: 0,
      sha: hook.after,
      context: contextOf(forge, hook),
      state: 'success',
      description: 'Build was skipped',
      url: `${forge.publicUrl}/${encodeURIComponent(repo.namespace)}/${encodeURIComponent(repo.name)}`,
      ref: hook.ref.replace(/^refs\/heads\//, ''),
      deployment: '',
      environment: '',
    },
    forge.now(),
  )
}

async function send(forge: ForgeContext, status: StoredStatus): Promise<void> {
  const { driver, stopped } = forge
  const repo = await findRepo(forge.db, status.repoId)
  if (!repo) return
  const { description, url, sha, context, environment } = status
  const state = status.state as StatusState
  await asOwner(forge, repo, (token) =>
    status.deployment !== '' && driver.setDeploymentStatus
      ? driver.setDeploymentStatus(
          token,
          refOf(repo),
          status.deployment,
          { state, environment, description, url },
          stopped,
        )
      : driver.setStatus(token, refOf(repo), sha, { state, context, description, url, ref: status.ref }, stopped),
  )
}

/** When a status that could not be sent is tried again; 0: never. */
export function nextAttempt(error: unknown, attempts: number, now: number): number {
  // A forge that does not want this one will not want it later.
  if (error instanceof ForgeError && error.failure === 'refused') return 0
  if (attempts >= maxAttempts) return 0
  const limited = error instanceof ForgeError ? (error.retryAfterMs ?? 0) / 1000 : 0
  const backoff = Math.min(maxRetrySeconds, firstRetrySeconds * 2 ** Math.min(attempts, 20))
  return now + Math.max(1, Math.ceil(Math.max(limited, backoff)))
}

export interface Statuses {
  stop(): Promise<void>
}

/** Follows all builds from now on, and what became of those before. */
export function startStatuses(forge: ForgeContext): Statuses {
  const { db, ci, stopped } = forge
  const dirty = new Set<number>()
  let timer: NodeJS.Timeout | undefined
  let working: Promise<void> = Promise.resolve()
  /**
   * The forge could not be reached: the first status that it accepts again makes the others due,
   * whatever their backoff.
   */
  let isDown = false

  /** Returns whether more statuses can be due. */
  async function work(): Promise<boolean> {
    const some = [...dirty]
    dirty.clear()
    for (const buildId of some) {
      if (stopped.aborted) return false
      await note(forge, buildId)
    }
    return sendDue()
  }

  async function sendDue(): Promise<boolean> {
    const due = await listDueStatuses(db, forge.now(), sentAtOnce)
    await Promise.all(
      due.map(async (status) => {
        if (stopped.aborted) return
        try {
          await send(forge, status)
          await statusSent(db, status)
          if (!isDown) return
          isDown = false
          await retryStatuses(db, forge.now())
        } catch (error) {
          if (stopped.aborted) return
          if (error instanceof ForgeError && error.failure === 'unavailable') isDown = true
          if (status.attempts === 0) forge.log('a commit status could not be sent; retrying', error)
          await statusFailed(db, status, nextAttempt(error, status.attempts, forge.now()), publicMessage(error))
        }
      }),
    )
    return due.length === sentAtOnce
  }

  function scheduleRun(ms: number): void {
    if (stopped.aborted) return
    clearTimeout(timer)
    timer = setTimeout(() => {
      working = working
        .then(work)
        .catch((error: unknown) => {
          forge.log('commit statuses could not be sent', error)
          return false
        })
        .then((hasMore) => scheduleRun(hasMore || dirty.size > 0 ? debounceMs : pollMs))
    }, ms)
    timer.unref()
  }

  const leave = ci.events.subscribe(({ buildId }) => {
    const isFirst = dirty.size === 0
    dirty.add(buildId)
    if (isFirst) scheduleRun(debounceMs)
  })
  void listOpenStatusBuilds(db).then(
    (ids) => {
      for (const id of ids) dirty.add(id)
      scheduleRun(debounceMs)
    },
    (error: unknown) => forge.log('commit statuses could not be sent', error),
  )
  return {
    async stop() {
      leave()
      clearTimeout(timer)
      await working
      clearTimeout(timer)
    },
  }
}
