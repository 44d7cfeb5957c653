/** What has changed since a step last passed. */
import type { Build, Repo, StepChanges } from '@flightdeck/api'
import type { StepKey } from '../interfaces/ci.ts'
import type { CommitsBetween } from '../interfaces/sources.ts'
import { createLruCache } from '../lib/cache.ts'
import { findBuildByNumber, findConfig } from '../store/builds.ts'
import { findRepoInternals } from '../store/repos.ts'
import { defaultConfigPath } from './pipeline-config.ts'
import { required, type CiContext } from './context.ts'
import { findLastSuccessfulRun } from './last-successful-run.ts'
import type { FairSemaphore } from './fair-semaphore.ts'

const lineFeed = 10
/** Maximum size of all cached commit lists. */
const maxBytes = 16 * 1024 * 1024

/**
 * From 1; one after the end of the shorter text if it is a prefix of the other. Fast for files of a
 * million empty lines.
 */
export function firstDifference(one: string, other: string): number {
  const shorter = Math.min(one.length, other.length)
  let line = 1
  let at = 0
  for (; at < shorter; at += 1) {
    const unit = one.charCodeAt(at)
    if (unit !== other.charCodeAt(at)) return line
    if (unit === lineFeed) line += 1
  }
  const longer = one.length > shorter ? one : other
  return longer.charCodeAt(at) === lineFeed ? line + 1 : line
}

const compareFiles = (path: string, before: string | null, now: string | null): StepChanges['file'] => {
  if (before === null || now === null) return undefined
  return before === now ? { path, same: true } : { path, same: false, line: firstDifference(now, before) }
}

export function createStepChanges(ci: CiContext, gate: FairSemaphore) {
  const cache = createLruCache<CommitsBetween>({ maxSize: maxBytes })

  async function between(repo: Repo, before: Build, now: Build, signal?: AbortSignal): Promise<CommitsBetween | null> {
    if (before.after === now.after) return { commits: [], more: false, without: 0 }
    const internals = await findRepoInternals(ci.db, repo.id)
    if (!internals) return null
    // Both commits may have been removed from the repository.
    for (const { after } of [before, now]) if ((await ci.git.resolve(internals.path, after)) === null) return null
    const key = `${repo.id} ${before.after} ${now.after}`
    const cached = cache.get(key)
    if (cached) return cached
    const found = await ci.git.sources.between(internals.path, before.after, now.after, signal)
    // Incomplete results are not cached. Copied: a substring of git's output keeps the whole output
    // in memory, which a pusher can make megabytes.
    if (found?.commits) cache.set(key, structuredClone(found))
    return found
  }

  return async (key: StepKey, signal?: AbortSignal): Promise<StepChanges | null> => {
    const { repo, number } = key
    const baseline = await findLastSuccessfulRun(ci, key)
    if (!baseline) return null
    const build = required(await findBuildByNumber(ci.db, repo.id, number))
    // A git failure does not fail the page; too many requests do.
    const found = await gate.run(() => between(repo, baseline.build, build, signal).catch(() => null))
    const [before, now] = [await findConfig(ci.db, baseline.build.id), await findConfig(ci.db, build.id)]
    const file = compareFiles(repo.config_path || defaultConfigPath, before, now)
    return {
      since: {
        build: baseline.build.number,
        stage: baseline.stage,
        step: baseline.step,
        ref: baseline.build.ref,
        commit: baseline.build.after,
      },
      ...(found?.commits && { commits: found.commits }),
      ...(found?.more && { more: true as const }),
      ...(found?.without !== undefined && found.without > 0 && { without: found.without }),
      ...(file && { file }),
    }
  }
}
