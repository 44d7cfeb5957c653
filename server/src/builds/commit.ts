import type { Repo } from '@flightdeck/api'
import { findRepoInternals } from '../store/repos.ts'
import { required, type CiContext } from './context.ts'
import type { Gate } from './request-gate.ts'
import { Refusal } from '../refusal.ts'
import type { CommitDetails } from '../interfaces/ci.ts'

/** More than a page can show. */
const mostFiles = 1_000
/** A commit does not change, but it may be taken out of its repository, and then it should not be shown for long. */
const keptSeconds = 60
const mostCharacters = 8 * 1024 * 1024

export interface CommitReader {
  /** With what it changed, for the page behind `link` (docs/api §2.10). */
  details(repo: Repo, refOrSha: string): Promise<CommitDetails>
  /** The full sha. */
  sha(repo: Repo, refOrSha: string): Promise<string>
}

interface Known {
  details: CommitDetails
  until: number
  characters: number
}

/**
 * Everybody may ask for these pages, and each costs three processes of git. So a commit that was read is kept for a while,
 * those who ask for the same at the same time share one answer, and the gate bounds what runs at once.
 */
export function createCommitReader(ci: Pick<CiContext, 'db' | 'git' | 'now'>, gate: Gate): CommitReader {
  /** The one that was read the longest time ago first. */
  const known = new Map<string, Known>()
  const asked = new Map<string, Promise<unknown>>()
  let characters = 0

  function forget(key: string): void {
    characters -= known.get(key)?.characters ?? 0
    known.delete(key)
  }

  function keep(key: string, details: CommitDetails): void {
    forget(key)
    const size = details.files.reduce((sum, { path }) => sum + path.length, details.message.length + 500)
    known.set(key, { details, until: ci.now() + keptSeconds, characters: size })
    characters += size
    for (const oldest of known.keys()) if (characters > mostCharacters) forget(oldest)
  }

  function find(key: string): CommitDetails | undefined {
    const found = known.get(key)
    return found && found.until > ci.now() ? found.details : undefined
  }

  function shared<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = asked.get(key) as Promise<T> | undefined
    if (before) return before
    const answer = gate.run(work).finally(() => asked.delete(key))
    asked.set(key, answer)
    return answer
  }

  async function resolve(repo: Repo, refOrSha: string): Promise<{ path: string; sha: string }> {
    const { path } = required(await findRepoInternals(ci.db, repo.id))
    const sha = await ci.git.resolve(path, refOrSha)
    if (sha === null) throw new Refusal(404, 'Commit not found')
    return { path, sha }
  }

  async function read(repo: Repo, refOrSha: string): Promise<CommitDetails> {
    const { path, sha } = await resolve(repo, refOrSha)
    const key = `${repo.id} ${sha}`
    const before = find(key)
    if (before) return before
    const commit = await ci.git.commit(path, sha)
    const files = await ci.git.changedFiles(path, sha, mostFiles + 1)
    const details = { ...commit, files: files.slice(0, mostFiles), cut: files.length > mostFiles }
    keep(key, details)
    return details
  }

  return {
    async details(repo, refOrSha) {
      return find(`${repo.id} ${refOrSha}`) ?? shared(`details ${repo.id} ${refOrSha}`, () => read(repo, refOrSha))
    },
    async sha(repo, refOrSha) {
      return shared(`sha ${repo.id} ${refOrSha}`, async () => (await resolve(repo, refOrSha)).sha)
    },
  }
}
