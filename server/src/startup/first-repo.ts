import { setTimeout } from 'node:timers/promises'
import { defaultConfigPath } from '../builds/pipeline-config.ts'
import type { GitReader } from '../interfaces/git.ts'
import type { RepoCandidate } from '../store/repo-lists.ts'

type Reader = Pick<GitReader, 'resolve' | 'readFile'>

const rank = async (git: Reader, { path, defaultBranch, configPath }: RepoCandidate): Promise<0 | 1 | 2> => {
  const sha = await git.resolve(path, `refs/heads/${defaultBranch}`)
  if (sha === null) return 0
  return (await git.readFile(path, sha, configPath || defaultConfigPath)) === null ? 1 : 2
}

/**
 * The repository that the start message suggests: the first with a pipeline file, else the first
 * with a commit, else the first. Waits for git for at most `maxWaitMs`.
 */
export async function firstRepo(
  candidates: readonly RepoCandidate[],
  git: Reader,
  maxWaitMs = 3_000,
): Promise<string | null> {
  let best = { slug: candidates[0]?.slug ?? null, rank: 0 }
  const over = new AbortController()
  const search = async () => {
    for (const candidate of candidates) {
      // Skip a repository that git cannot read; its page shows the error.
      const found = await rank(git, candidate).catch(() => 0)
      if (over.signal.aborted) return
      if (found > best.rank) best = { slug: candidate.slug, rank: found }
      if (found === 2) return
    }
  }
  const waited = setTimeout(maxWaitMs, undefined, { signal: over.signal }).catch(() => undefined)
  await Promise.race([search(), waited])
  over.abort()
  return best.slug
}
