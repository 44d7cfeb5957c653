/** Pull requests that no webhook told of: the forge's list of the open ones is compared with what was seen. */
import type { Repo } from '@flightdeck/api'
import { findPullBuild } from '../store/forge-builds.ts'
import { listLatest } from '../store/latest.ts'
import { findRef } from '../store/refs.ts'
import { isClosedState, setClosed } from './branches.ts'
import type { ForgeContext } from './context.ts'
import { ForgeError, maxPullRequests, type ForgeFailure, type ForgeToken } from './driver.ts'
import type { HookRepository, PullRequestAction, PullRequestEvent, PullRequestFacts } from './events.ts'
import { asOwner, refOf } from './owners.ts'

/** More than that are no news: the newest are built, the others by their next change. */
const maxBuilds = 20
const nobody = { login: '', name: '', email: '', avatar: '', id: '' }

const isFailure = (error: unknown, failures: readonly ForgeFailure[]): boolean =>
  error instanceof ForgeError && failures.includes(error.failure)

/** `null` where the forge has no list, or not for those who administrate the repository here. */
async function listOpen(forge: ForgeContext, repo: Repo): Promise<PullRequestFacts[] | null> {
  const { driver, stopped } = forge
  if (!driver.openPullRequests) return null
  const list = async (token: ForgeToken) => (await driver.openPullRequests?.(token, refOf(repo), stopped)) ?? null
  try {
    return await asOwner(forge, repo, (token) =>
      list(token).catch((error: unknown) => {
        // Pull requests are switched off at the forge. Of the repository and of the person's rights this says nothing.
        if (isFailure(error, ['not-found', 'refused'])) return null
        throw error
      }),
    )
  } catch (error) {
    // A token of an old sign-in may lack the scope.
    if (isFailure(error, ['forbidden'])) return null
    throw error
  }
}

/** The name of a fork, where the list has only its id. */
async function withFork(forge: ForgeContext, repo: Repo, pull: PullRequestFacts): Promise<PullRequestFacts> {
  if (!pull.fork || pull.sourceRepository !== '' || pull.sourceRepositoryId === '') return pull
  const { driver, stopped } = forge
  const found = await asOwner(forge, repo, (token) =>
    driver.repositoryById(token, pull.sourceRepositoryId, stopped),
  ).catch(() => null)
  return found ? { ...pull, sourceRepository: `${found.namespace}/${found.name}` } : pull
}

/** What became of an open pull request since it was seen; `null`: nothing. */
async function actionOf(forge: ForgeContext, repo: Repo, pull: PullRequestFacts): Promise<PullRequestAction | null> {
  const seen = await findRef(forge.db, repo.id, pull.ref)
  if (isClosedState(seen)) return 'reopened'
  if (seen === '') return 'opened'
  if (seen !== pull.head) return 'synchronized'
  const last = await findPullBuild(forge.db, repo.id, pull.number)
  return last && last.after === pull.head && last.target !== pull.target ? 'retargeted' : null
}

/** A pull request of a forge without a list, which has moved on since its last build. */
async function moved(
  forge: ForgeContext,
  repo: Repo,
  { ref, before, after }: { ref: string; before: string; after: string },
): Promise<PullRequestFacts | null> {
  const number = Number(/\d+/.exec(ref)?.[0] ?? 0)
  const last = before === '' || isClosedState(before) ? null : await findPullBuild(forge.db, repo.id, number)
  if (!last) return null
  const author = { ...nobody, login: last.author_login, name: last.author_name, email: last.author_email }
  return {
    number,
    title: last.title ?? '',
    body: last.message,
    ref,
    source: last.source,
    target: last.target,
    head: after,
    base: '',
    sourceRepository: last.source_repo,
    sourceRepositoryId: '',
    fork: last.source_repo.toLowerCase() !== repo.slug.toLowerCase(),
    link: last.link,
    author: { ...author, avatar: last.author_avatar },
    draft: false,
  }
}

/** The events that no webhook told. `changed`: heads of pull requests in the mirror that differ from what was seen. */
export async function missedPullRequests(
  forge: ForgeContext,
  repo: Repo,
  repository: HookRepository,
  changed: readonly { ref: string; before: string; after: string }[],
): Promise<PullRequestEvent[]> {
  const eventOf = (pull: PullRequestFacts, action: PullRequestAction): PullRequestEvent => ({
    kind: 'pull-request',
    action,
    repository,
    sender: pull.author,
    merged: false,
    ...pull,
  })
  const open = await listOpen(forge, repo)
  const events: PullRequestEvent[] = []
  if (!open) {
    for (const change of changed) {
      const pull = await moved(forge, repo, change)
      if (pull) events.push(eventOf(pull, 'synchronized'))
    }
    return events.slice(-maxBuilds)
  }
  for (const pull of open.toSorted((a, b) => a.number - b.number)) {
    const action = await actionOf(forge, repo, pull)
    if (action) events.push(eventOf(await withFork(forge, repo, pull), action))
  }
  const started = events.slice(-maxBuilds)
  // A list that was cut says nothing of those that it lacks.
  if (open.length >= maxPullRequests) return started
  const refs = new Set(open.map(({ ref }) => ref))
  const closed: PullRequestEvent[] = []
  for (const build of await listLatest(forge.db, repo.id, 'pull')) {
    if (refs.has(build.ref)) continue
    const number = Number(/\d+/.exec(build.ref)?.[0] ?? 0)
    const facts = {
      number,
      title: build.title ?? '',
      body: '',
      ref: build.ref,
      source: build.source,
      target: build.target,
    }
    const unsaid = { head: '', base: '', sourceRepository: '', sourceRepositoryId: '', link: '' }
    closed.push(eventOf({ ...facts, ...unsaid, fork: true, author: nobody, draft: false }, 'closed'))
  }
  // Opened and closed without a word: the forge keeps the head.
  for (const { ref, before, after } of changed)
    if (!refs.has(ref)) await setClosed(forge, repo.id, { ref, before, at: after })
  return [...closed, ...started]
}
