/**
 * Changes that no webhook reported: fetches each mirror every few minutes and builds branches, tags
 * and pull requests that moved.
 */
import type { Repo } from '@flightdeck/api'
import type { MirrorChange } from '../interfaces/mirrors.ts'
import { findForgeRepoState, listMirrorsToFetch, setForgeRepoState } from '../store/forge-repos.ts'
import { findRepo } from '../store/repos.ts'
import { discardRef } from './branches.ts'
import { branchDeleted } from './builds.ts'
import { publicMessage } from '../lib/public-text.ts'
import type { ForgeContext } from './context.ts'
import { ForgeError } from './driver.ts'
import { noPerson, type ForgeEvent } from './events.ts'
import { goneMessage, refreshFacts } from './facts.ts'
import { updateMirror } from './mirroring.ts'
import { missedPullRequests } from './pulls.ts'
import { removeUnusedMirrors } from './mirror-cleanup.ts'

/** Seconds between two fetches of a mirror without hooks. */
const intervalSeconds = 180
const pollMs = 15_000
const tidySeconds = 24 * 3600
const reposAtOnce = 4
/** Time for a webhook on its way, which says more than a branch that moved. */
const graceMs = 10_000
/** Builds of one check: the newest of more changes are built, the others are only recorded. */
const maxBuilds = 20
/**
 * Seconds between two reads of the open pull requests if no head has moved: one may have been
 * closed or retargeted.
 */
const pullsSeconds = 900

export interface Poll {
  /** Fetches now, and builds what is new. Throws why it could not be fetched. */
  now(repo: Repo): Promise<void>
  /** Does so when the webhooks on their way have arrived, once for all calls until then. */
  scheduleSoon(repoId: number): void
  stop(): Promise<void>
}

/** `build`: as for a hook, in the line of the repository. */
export function startPoll(forge: ForgeContext, build: (repoId: number, event: ForgeEvent) => void): Poll {
  const { db, mirrors, now, stopped } = forge
  let working: Promise<void> = Promise.resolve()
  const timers = new Set<NodeJS.Timeout>()
  /** The repositories that `soon` was called for. */
  const due = new Set<number>()
  /** By repository: when its open pull requests were listed last. */
  const listed = new Map<number, number>()
  const isListDue = (repoId: number): boolean => now() - (listed.get(repoId) ?? 0) >= pullsSeconds

  async function eventOf(repo: Repo, { ref, before, after }: MirrorChange) {
    const sha = await mirrors.head(repo.id, after)
    if (sha === null) return null
    const commit = await forge.git.commit(mirrors.path(repo.id), sha)
    const author = { ...noPerson, login: commit.author.name, name: commit.author.name, email: commit.author.email }
    const { links } = forge.driver
    const common = {
      repository: { ...repositoryOf(repo) },
      sender: author,
      ref,
      after: sha,
      message: commit.message,
      author,
      link:
        before && ref.startsWith('refs/heads/') ? links.compare(repo.slug, before, sha) : links.commit(repo.slug, sha),
    }
    const tag = ref.startsWith('refs/tags/') ? ref.slice('refs/tags/'.length) : null
    return tag === null
      ? ({ kind: 'push', branch: ref.slice('refs/heads/'.length), before, ...common } as const)
      : ({ kind: 'tag', tag, branch: '', before: '', ...common } as const)
  }

  async function buildChanges(repoId: number): Promise<void> {
    const repo = await findRepo(db, repoId)
    if (!repo?.active || stopped.aborted) return
    const { present, pulls, removed } = await mirrors.changes(repoId)
    for (const ref of removed) {
      const branch = /^refs\/heads\/(.+)$/.exec(ref)?.[1]
      await (branch ? branchDeleted(forge, repo, branch, '') : discardRef(forge, repoId, ref))
    }
    for (const change of present.slice(-maxBuilds)) {
      const event = await eventOf(repo, change)
      if (event) build(repoId, event)
    }
    const news = pulls.filter(isNews)
    if (news.length === 0 && !isListDue(repoId)) return
    listed.set(repoId, now())
    for (const event of await missedPullRequests(forge, repo, repositoryOf(repo), news)) build(repoId, event)
  }

  /** Returns whether something changed. */
  async function fetch(repo: Repo): Promise<boolean> {
    const current = await refreshFacts(forge, repo)
    if (!current) throw new ForgeError('not-found', goneMessage(forge, repo))
    await updateMirror(forge, current)
    const { present, pulls, removed } = await mirrors.changes(repo.id)
    return present.length + removed.length > 0 || pulls.some(isNews) || isListDue(repo.id)
  }

  function afterGrace(run: () => Promise<void>, failure: string): void {
    const timer = setTimeout(() => {
      timers.delete(timer)
      run().catch((error: unknown) => forge.log(failure, error))
    }, graceMs)
    timer.unref()
    timers.add(timer)
  }

  async function visit(repo: Repo): Promise<void> {
    try {
      if (await fetch(repo)) afterGrace(() => buildChanges(repo.id), `${repo.slug}: changes could not be built`)
    } catch (error) {
      if (stopped.aborted) return
      const message = publicMessage(error)
      const before = await findForgeRepoState(db, repo.id)
      if (before?.mirrorError !== message) forge.log(`${repo.slug} could not be checked`, error)
      await setForgeRepoState(db, repo.id, { mirrorFetched: now(), mirrorError: message })
    }
  }

  async function round(): Promise<void> {
    const list = await listMirrorsToFetch(db, now() - intervalSeconds, 100)
    for (let at = 0; at < list.length && !stopped.aborted; at += reposAtOnce)
      await Promise.all(list.slice(at, at + reposAtOnce).map(visit))
  }

  const run = (work: () => Promise<void>): void => {
    working = working.then(work).catch((error: unknown) => forge.log('mirrors could not be fetched', error))
  }
  let isDue = true
  let tidied = 0
  const startRound = () => {
    // A round that takes longer than the pause between two is not followed by several.
    if (!isDue) return
    isDue = false
    if (now() - tidied >= tidySeconds) {
      tidied = now()
      run(() => removeUnusedMirrors(forge))
    }
    run(() => round().finally(() => (isDue = true)))
  }
  const timer = setInterval(startRound, pollMs)
  timer.unref()
  startRound()

  return {
    async now(repo) {
      listed.delete(repo.id)
      if (await fetch(repo)) await buildChanges(repo.id)
    },
    scheduleSoon(repoId) {
      if (due.has(repoId) || stopped.aborted) return
      due.add(repoId)
      const check = async () => {
        due.delete(repoId)
        const repo = await findRepo(db, repoId)
        if (repo?.active && (await fetch(repo))) await buildChanges(repoId)
      }
      afterGrace(check, 'a new branch could not be fetched')
    },
    async stop() {
      clearInterval(timer)
      for (const waiting of timers) clearTimeout(waiting)
      await working
    },
  }
}

/** The state of a closed pull request ends with its commit. */
const isNews = ({ before, after }: MirrorChange): boolean => !before.endsWith(after)

const repositoryOf = (repo: Repo) => ({
  id: repo.uid,
  namespace: repo.namespace,
  name: repo.name,
  private: repo.private,
  defaultBranch: repo.default_branch,
  link: '',
  cloneUrl: '',
})
