/**
 * Removes old builds and logs each night, by the settings of each repository
 * (docs/guide/retention.md). Each build is removed on its own, under its lock; others use the
 * database between any two statements.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Repo, Retention, RetentionLimits, RetentionPatch } from '@flightdeck/api'
import { deleteBuild } from '../../store/builds.ts'
import {
  countBuildsBetween,
  countKept,
  findNumberByAge,
  findNumberByCount,
  findOldBuild,
  findRetention,
  limitsOf,
  listOldBuilds,
  listReposWithBuilds,
  listStepIds,
  listBuildStepsDescending,
  listExcessLogs,
  saveLogsFrom,
  saveRetention,
  saveRetentionRun,
  type OldBuild,
} from '../../store/retention.ts'
import { publicMessage } from '../../lib/public-text.ts'
import { nextTurn } from '../../lib/event-loop.ts'
import type { CiContext } from '../context.ts'
import { removeLogs } from '../failure-causes.ts'
import { logError } from '../../lib/log.ts'

/** The number of builds, or repositories, read per query. */
const pageSize = 100
/** Pause between two builds, so that other work can run. */
const restMs = 2
const secondsOfDay = 24 * 3600
const megabyte = 1024 * 1024

export const keepAll: RetentionLimits = { build_days: 0, builds: 0, log_days: 0, log_mb: 0 }

const isLimited = (limits: RetentionLimits): boolean => Object.values(limits).some((limit) => limit > 0)

interface Removed {
  builds: number
  logs: number
  bytes: number
}

export interface RetentionJob {
  /** Processes all repositories once; stops between two builds when `signal` aborts. */
  run(signal: AbortSignal): Promise<void>
  /**
   * A repository's settings, the effect of the next run, and the result of the last one. `next`:
   * the time of the next run.
   */
  state(repo: Repo, next: number): Promise<Retention>
  change(repo: Repo, patch: RetentionPatch): Promise<void>
}

export function createRetention(ci: CiContext, defaults: RetentionLimits = keepAll): RetentionJob {
  const { db, logs } = ci

  /** Removes the logs of these steps, too. */
  async function addSizes(steps: readonly number[], removed: Removed): Promise<void> {
    for (const step of steps) {
      const { bytes, freed } = await logs.size(step)
      if (bytes > 0) removed.logs += 1
      removed.bytes += freed
    }
  }

  /** Reads the build again: it may have been restarted, or have become the newest of a branch. */
  const removeBuild = (id: number, isDue: (build: OldBuild) => boolean, removed: Removed): Promise<void> =>
    ci.locks(id, async () => {
      const build = await findOldBuild(db, id)
      if (!build?.removable || !isDue(build)) return
      await deleteBuild(db, id, async (steps) => {
        await addSizes(steps, removed)
        for (const step of steps) await logs.remove(step)
      })
      removed.builds += 1
    })

  async function removeOldBuilds(repoId: number, limits: RetentionLimits, removed: Removed, signal: AbortSignal) {
    const now = ci.now()
    const byAge = limits.build_days > 0 ? await findNumberByAge(db, repoId, limits.build_days, now) : 0
    const byCount = limits.builds > 0 ? await findNumberByCount(db, repoId, limits.builds) : 0
    const cutoff = now - limits.build_days * secondsOfDay
    const isDue = ({ number, created }: OldBuild) => number < byCount || (number < byAge && created < cutoff)
    for (let from = 0, below = Math.max(byAge, byCount); ;) {
      const builds = await listOldBuilds(db, repoId, { from, below, limit: pageSize })
      for (const build of builds) {
        if (signal.aborted) return
        if (!build.removable || !isDue(build)) continue
        await removeBuild(build.id, isDue, removed)
        await delay(restMs)
      }
      const last = builds.at(-1)
      if (!last || builds.length < pageSize) return
      from = last.number + 1
      await nextTurn()
    }
  }

  /**
   * The number of the oldest build whose log fits; 0 if all do. Logs are added up from the newest
   * build on.
   */
  async function findNumberBySize(repoId: number, megabytes: number, logsFrom: number, signal: AbortSignal) {
    let left = megabytes * megabyte
    for (let below = Number.MAX_SAFE_INTEGER; !signal.aborted;) {
      const builds = await listBuildStepsDescending(db, repoId, { below, from: logsFrom, limit: pageSize })
      for (const { number, steps } of builds) {
        for (const step of steps) left -= (await logs.size(step)).bytes
        if (left < 0) return number + 1
      }
      const last = builds.at(-1)
      if (!last || builds.length < pageSize) return 0
      below = last.number
      await nextTurn()
    }
    return 0
  }

  async function removeOldLogs(repoId: number, limits: RetentionLimits, removed: Removed, signal: AbortSignal) {
    const { logsFrom } = await findRetention(db, repoId)
    const now = ci.now()
    const byAge = limits.log_days > 0 ? await findNumberByAge(db, repoId, limits.log_days, now) : 0
    const bySize = limits.log_mb > 0 ? await findNumberBySize(repoId, limits.log_mb, logsFrom, signal) : 0
    const below = Math.max(byAge, bySize)
    let from = logsFrom
    while (from < below && !signal.aborted) {
      const builds = await listOldBuilds(db, repoId, { from, below, limit: pageSize })
      for (const { id, number, ended } of builds) {
        if (signal.aborted) break
        // Unfinished steps keep their logs; a later run removes them.
        if (ended) {
          const steps = await listStepIds(db, id)
          await addSizes(steps, removed)
          if (steps.length > 0) await removeLogs(ci, steps)
          await delay(restMs)
        }
        from = number + 1
      }
      if (!signal.aborted && builds.length < pageSize) from = below
      if (from > logsFrom) await saveLogsFrom(db, repoId, from)
    }
  }

  async function runRepo(repoId: number, signal: AbortSignal): Promise<void> {
    const limits = limitsOf((await findRetention(db, repoId)).own, defaults)
    if (!isLimited(limits)) return
    const removed: Removed = { builds: 0, logs: 0, bytes: 0 }
    let error = ''
    try {
      await removeOldBuilds(repoId, limits, removed, signal)
      await removeOldLogs(repoId, limits, removed, signal)
    } catch (failure) {
      error = publicMessage(failure)
      logError(`Retention of repository ${repoId} failed`, failure)
    }
    await saveRetentionRun(db, repoId, { at: ci.now(), ...removed, error })
  }

  /**
   * Removes orphaned logs, such as those of a build whose removal was interrupted, and logs that
   * ended late.
   */
  async function removeSuperfluousLogs(signal: AbortSignal): Promise<void> {
    for await (const ids of logs.stored()) {
      if (signal.aborted) return
      const { unknown, removed } = await listExcessLogs(db, ids)
      for (const id of unknown) await logs.remove(id)
      if (removed.length > 0) await removeLogs(ci, removed)
    }
  }

  return {
    async run(signal) {
      for (let after = 0, more = true; more && !signal.aborted;) {
        const repos = await listReposWithBuilds(db, after, pageSize)
        for (const repoId of repos) if (!signal.aborted) await runRepo(repoId, signal)
        after = repos.at(-1) ?? after
        more = repos.length === pageSize
      }
      await removeSuperfluousLogs(signal)
    },
    async state(repo, next) {
      const { own, logsFrom, last } = await findRetention(db, repo.id)
      const limits = limitsOf(own, defaults)
      const now = ci.now()
      const ageOf = (days: number) => (days > 0 ? findNumberByAge(db, repo.id, days, now) : 0)
      const byAge = await ageOf(limits.build_days)
      const byCount = limits.builds > 0 ? await findNumberByCount(db, repo.id, limits.builds) : 0
      const going = async (from: number, below: number) =>
        below <= from
          ? 0
          : Math.max(
              0,
              (await countBuildsBetween(db, repo.id, from, below)) -
                ((await countKept(db, repo.id, below)) - (await countKept(db, repo.id, from))),
            )
      const removedBelow = Math.max(byAge, byCount)
      return {
        own,
        defaults,
        next: isLimited(limits) ? next : 0,
        planned: {
          old_builds: await going(0, byAge),
          surplus_builds: await going(byAge, byCount),
          old_logs: await countBuildsBetween(
            db,
            repo.id,
            Math.max(logsFrom, removedBelow),
            await ageOf(limits.log_days),
          ),
        },
        last,
      }
    },
    change: (repo, patch) => saveRetention(db, repo.id, patch),
  }
}
