/** From a verified event to a build: fetch the mirror, take the change, trigger. */
import type { Repo } from '@flightdeck/api'
import { deleteLatest } from '../store/latest.ts'
import { findBuildOfEvent, findPullBuild } from '../store/forge-builds.ts'
import { findRef } from '../store/refs.ts'
import { findRepo } from '../store/repos.ts'
import type { Db } from '../store/open.ts'
import { isPassing } from '../store/writes.ts'
import type { Hook, HookSource } from '../interfaces/hook.ts'
import { closeRef, discardRef, isClosed, takeRef, type RefEvent } from './branches.ts'
import type { ForgeContext } from './context.ts'
import type { DeploymentEvent, ForgeEvent, PullRequestEvent, PushEvent } from './events.ts'
import { deploymentHook, mergeQueueHook, pullRequestHook, pushHook, tagHook } from './events-to-builds.ts'
import { updateMirror } from './mirroring.ts'
import { reportSkipped } from './statuses-queue.ts'

/** A forge can report a commit before its git has it. */
const pausesMs = [1_000, 5_000, 20_000]

/**
 * Returns the commit; an annotated tag's own object is not one. `ref`: where it was pushed to; a
 * commit that a later push has replaced is not waited for.
 */
async function withCommit(forge: ForgeContext, repo: Repo, sha: string, ref = ''): Promise<string | null> {
  const recorded = await findRef(forge.db, repo.id, ref)
  for (const pause of [0, ...pausesMs]) {
    if (pause > 0) await wait(forge, pause)
    if (forge.stopped.aborted) return null
    await updateMirror(forge, repo)
    const commit = await forge.mirrors.head(repo.id, sha)
    if (commit !== null) return commit
    const there = (await forge.mirrors.refs(repo.id)).get(ref) ?? ''
    if (there !== '' && !recorded.endsWith(there)) return null
  }
  forge.log(`${repo.slug}: the Git host reported commit ${sha}, but its repository does not have it`)
  return null
}

/**
 * The same if the event names no commit: the ref of a pull request may be updated after its event.
 */
async function withMovedRef(forge: ForgeContext, repo: Repo, { ref, action }: PullRequestEvent): Promise<void> {
  // Only new commits move a ref that exists.
  const before = action === 'synchronized' ? await findRef(forge.db, repo.id, ref) : ''
  for (const pause of [0, ...pausesMs]) {
    if (pause > 0) await wait(forge, pause)
    if (forge.stopped.aborted) return
    await updateMirror(forge, repo)
    const there = (await forge.mirrors.refs(repo.id)).get(ref) ?? ''
    if (there !== '' && there !== before) return
  }
}

const wait = ({ stopped }: ForgeContext, ms: number): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    timer.unref()
    stopped.addEventListener('abort', () => resolve(), { once: true })
  })

async function start(forge: ForgeContext, repo: Repo, hook: Hook, change: Omit<RefEvent, 'repoId'>): Promise<void> {
  let taken = false
  const source = takeRef(forge, { repoId: repo.id, ...change })
  const take: HookSource['take'] = async (tx) => {
    taken = await source.take(tx)
    return taken
  }
  const build = await forge.ci.trigger(repo.id, hook, { take }).catch((error: unknown) => {
    if (isPassing(error)) throw error
    // Not retried: the same commit would fail again each time.
    forge.log(`${repo.slug}: no build for ${change.ref} at ${change.after}`, error)
    return null
  })
  if (build) return
  // Nothing to build here, but the change is recorded, so that the poll does not find it again.
  const isNew = taken || (await source.take(forge.db))
  if (isNew) await reportSkipped(forge, repo, hook)
}

async function pushed(forge: ForgeContext, repo: Repo, sent: Hook): Promise<void> {
  // A repeated hook, for which nothing is fetched.
  if (sent.after !== '' && (await findRef(forge.db, repo.id, sent.ref)) === sent.after) return
  // GitHub's event for a new tag does not contain the tag's commit.
  const after = await withCommit(forge, repo, sent.after || sent.ref, sent.ref)
  if (after === null) return
  const hook = { ...sent, after }
  const there = (await forge.mirrors.refs(repo.id)).get(hook.ref) ?? ''
  const event = hook.event === 'tag' ? 'tag' : 'push'
  await start(forge, repo, hook, { event, ref: hook.ref, after: hook.after, there })
}

/** The push of a merge queue's branch, whose commit the mirror has. */
async function queued(forge: ForgeContext, repo: Repo, event: PushEvent): Promise<void> {
  const target = forge.driver.mergeQueueTarget?.(event.branch)
  const { ref, after } = event
  // The queue deletes the branch when it no longer needs the checks.
  if (target === undefined || (await forge.mirrors.refs(repo.id)).get(ref) !== after) return
  const base = (await forge.mirrors.head(repo.id, `refs/heads/${target}`)) ?? ''
  const hook = mergeQueueHook(event, repo, target, base)
  const isBuilt = (db: Db) => findBuildOfEvent(db, { repoId: repo.id, event: hook.event, ref, after })
  const take: HookSource['take'] = async (tx) => !(await isBuilt(tx))
  const build = await forge.ci.trigger(repo.id, hook, { take })
  if (!build && !(await isBuilt(forge.db))) await reportSkipped(forge, repo, hook)
}

async function pullRequested(forge: ForgeContext, repo: Repo, event: PullRequestEvent): Promise<void> {
  const isNew = event.action === 'opened' || event.action === 'synchronized'
  // A repeated hook, for which nothing is fetched.
  if (isNew && event.head !== '' && (await findRef(forge.db, repo.id, event.ref)) === event.head) return
  if (event.head === '') await withMovedRef(forge, repo, event)
  else if ((await withCommit(forge, repo, event.head, event.ref)) === null) return
  const there = (await forge.mirrors.refs(repo.id)).get(event.ref) ?? ''
  const head = event.head || there
  if (head === '') return forge.log(`${repo.slug}: the Git host has no commit of pull request ${event.number}`)
  const base = (await forge.mirrors.head(repo.id, `refs/heads/${event.target}`)) ?? ''
  const hook = pullRequestHook(event, repo, head, base)
  if (event.action === 'retargeted') {
    // A different target is another build of the same head; the same target is a duplicate hook.
    const before = await findPullBuild(forge.db, repo.id, event.number)
    if (before && before.after === head && before.target === event.target) return
    if (!(await isClosed(forge, repo.id, event.ref))) await discardRef(forge, repo.id, event.ref)
  }
  const isReopened = event.action === 'reopened'
  const change = { event: 'pull_request', ref: event.ref, after: head, there: there || head, isReopened } as const
  await start(forge, repo, hook, change)
}

async function closed(forge: ForgeContext, repo: Repo, event: PullRequestEvent): Promise<void> {
  await forge.ci.cancelWaiting(repo.id, event.ref, event.sender.login)
  await deleteLatest(forge.db, repo.id, 'pull', String(event.number))
  await closeRef(forge, repo.id, event.ref)
}

/**
 * The forge says only a name: it is the branch or the tag that there is, as the event guesses where
 * there are both or none.
 */
async function deployedRef(forge: ForgeContext, repo: Repo, { name, ref }: DeploymentEvent): Promise<string> {
  if (ref === '') return ''
  const there = await forge.mirrors.refs(repo.id)
  const found = [ref, `refs/heads/${name}`, `refs/tags/${name}`].find((one) => there.has(one))
  return found ?? ref
}

export async function branchDeleted(forge: ForgeContext, repo: Repo, branch: string, by: string): Promise<void> {
  const ref = `refs/heads/${branch}`
  // Only the checks of a merge queue end with their branch; builds of pushes continue.
  if (forge.driver.mergeQueueTarget?.(branch) !== undefined) await forge.ci.cancelWaiting(repo.id, ref, by)
  await deleteLatest(forge.db, repo.id, 'branch', branch)
  await discardRef(forge, repo.id, ref)
}

/** One event of an active repository. Throws what the server's log should know. */
export async function buildEvent(forge: ForgeContext, repoId: number, event: ForgeEvent): Promise<void> {
  const repo = await findRepo(forge.db, repoId)
  if (!repo?.active) return
  switch (event.kind) {
    case 'push':
      await pushed(forge, repo, pushHook(event))
      return queued(forge, repo, event)
    case 'tag':
      return pushed(forge, repo, tagHook(event))
    case 'pull-request':
      return event.action === 'closed' ? closed(forge, repo, event) : pullRequested(forge, repo, event)
    case 'branch-deleted':
      await updateMirror(forge, repo)
      // It was created again since.
      if ((await forge.mirrors.refs(repo.id)).has(`refs/heads/${event.branch}`)) return
      return branchDeleted(forge, repo, event.branch, event.sender.login)
    case 'tag-deleted':
      return discardRef(forge, repo.id, `refs/tags/${event.tag}`)
    case 'deployment':
      if ((await withCommit(forge, repo, event.after)) !== null)
        await forge.ci.trigger(repo.id, deploymentHook(event, repo, await deployedRef(forge, repo, event)))
      return
    case 'branch-created':
    case 'repository':
    case 'ping':
    case 'ignored':
      return
  }
}
