/**
 * Changes that no webhook reported: the forge's list of the open ones is compared with what was
 * seen.
 */
import type { Build, Repo } from '@flightdeck/api'
import type { MirrorChange } from '../interfaces/mirrors.ts'
import { listLatest } from '../store/latest.ts'
import { listRefs } from '../store/refs.ts'
import { isClosedState, setClosed } from './branches.ts'
import type { ForgeContext } from './context.ts'
import { ForgeError, maxPullRequests, type ForgeFailure, type ForgeToken } from './driver.ts'
import {
  noPerson,
  type HookRepository,
  type PullRequestAction,
  type PullRequestEvent,
  type PullRequestFacts,
} from './events.ts'
import { asOwner, refOf } from './owners.ts'

/** Builds of one check; the others are built by the next ones. */
const maxBuilds = 20

const isFailure = (error: unknown, failures: readonly ForgeFailure[]): boolean =>
  error instanceof ForgeError && failures.includes(error.failure)

/** `null` where the forge has no list, or refuses it to the repository's administrators. */
async function listOpen(forge: ForgeContext, repo: Repo): Promise<PullRequestFacts[] | null> {
  const { driver, stopped } = forge
  if (!driver.openPullRequests) return null
  const list = async (token: ForgeToken) => (await driver.openPullRequests?.(token, refOf(repo), stopped)) ?? null
  try {
    return await asOwner(forge, repo, (token) =>
      list(token).catch((error: unknown) => {
        // Pull requests are disabled at the forge. The repository and the person's permissions are
        // unaffected.
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

/** Adds the name of a fork where the list has only its id. */
async function withFork(forge: ForgeContext, repo: Repo, pull: PullRequestFacts): Promise<PullRequestFacts> {
  if (!pull.fork || pull.sourceRepository !== '' || pull.sourceRepositoryId === '') return pull
  const { driver, stopped } = forge
  const found = await asOwner(forge, repo, (token) =>
    driver.repositoryById(token, pull.sourceRepositoryId, stopped),
  ).catch(() => null)
  return found ? { ...pull, sourceRepository: `${found.namespace}/${found.name}` } : pull
}

/** What changed in an open pull request since it was seen; `null`: nothing. */
function actionOf(pull: PullRequestFacts, seenSha: string, latest: Build | undefined): PullRequestAction | null {
  if (isClosedState(seenSha)) return 'reopened'
  if (seenSha === '') return 'opened'
  if (seenSha !== pull.head) return 'synchronized'
  return latest && latest.after === pull.head && latest.target !== pull.target ? 'retargeted' : null
}

const numberOf = (ref: string): number => Number(/\d+/.exec(ref)?.[0] ?? 0)

/** A pull request of a forge without a list, which has moved on since its last build. */
function moved(repo: Repo, { ref, before, after }: MirrorChange, last: Build | undefined): PullRequestFacts | null {
  if (!last || before === '' || isClosedState(before)) return null
  const author = { ...noPerson, login: last.author_login, name: last.author_name, email: last.author_email }
  return {
    number: numberOf(ref),
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

/**
 * Changes that no webhook reported. `changed`: heads of pull requests in the mirror that differ
 * from what was seen.
 */
export async function missedPullRequests(
  forge: ForgeContext,
  repo: Repo,
  repository: HookRepository,
  changed: readonly MirrorChange[],
): Promise<PullRequestEvent[]> {
  const eventOf = (pull: PullRequestFacts, action: PullRequestAction): PullRequestEvent => ({
    kind: 'pull-request',
    action,
    repository,
    sender: pull.author,
    merged: false,
    ...pull,
  })
  // Read before the list: an older list must not undo webhooks that arrive during the request.
  const recorded = await listRefs(forge.db, repo.id)
  const latest = new Map((await listLatest(forge.db, repo.id, 'pull')).map((build) => [build.ref, build]))
  const open = await listOpen(forge, repo)
  if (!open) {
    const pulls = changed.map((change) => moved(repo, change, latest.get(change.ref))).filter((pull) => pull !== null)
    return pulls.slice(-maxBuilds).map((pull) => eventOf(pull, 'synchronized'))
  }
  const found: { pull: PullRequestFacts; action: PullRequestAction }[] = []
  for (const pull of open.toSorted((a, b) => a.number - b.number)) {
    const action = actionOf(pull, recorded.get(pull.ref) ?? '', latest.get(pull.ref))
    if (action) found.push({ pull, action })
  }
  const started: PullRequestEvent[] = []
  for (const { pull, action } of found.slice(-maxBuilds))
    started.push(eventOf(await withFork(forge, repo, pull), action))
  // A list that was cut may lack open ones.
  if (open.length >= maxPullRequests) return started
  const refs = new Set(open.map(({ ref }) => ref))
  const closed: PullRequestEvent[] = []
  for (const build of latest.values()) {
    if (refs.has(build.ref)) continue
    const facts = {
      number: numberOf(build.ref),
      title: build.title ?? '',
      body: '',
      ref: build.ref,
      source: build.source,
      target: build.target,
    }
    const unknownFields = { head: '', base: '', sourceRepository: '', sourceRepositoryId: '', link: '' }
    closed.push(eventOf({ ...facts, ...unknownFields, fork: true, author: noPerson, draft: false }, 'closed'))
  }
  // Opened and closed between two checks: the forge keeps the head.
  for (const { ref, before, after } of changed)
    if (!refs.has(ref)) await setClosed(forge, repo.id, { ref, before, at: after })
  return [...closed, ...started]
}
