/** What is another since a step last passed (issue 16, point 2). */
import type { Build, Repo, StepChanges } from '@flightdeck/api'
import type { StepPlace } from '../interfaces/ci.ts'
import type { CommitsBetween } from '../interfaces/sources.ts'
import { createKept } from '../kept.ts'
import { Refusal } from '../refusal.ts'
import { findBuildByNumber, findConfig } from '../store/builds.ts'
import { findRepoInternals } from '../store/repos.ts'
import { defaultConfigPath } from './config.ts'
import { required, type CiContext } from './context.ts'
import { findLastGreen } from './last-green.ts'
import type { Gate } from './request-gate.ts'

/** Lists of commits that are kept. */
const mostKept = 200

/** From 1; one behind the end of the shorter one where it is the beginning of the other. */
function firstDifference(one: string, other: string): number {
  const [a, b] = [one.split('\n'), other.split('\n')]
  const at = a.findIndex((line, index) => line !== b[index])
  return (at === -1 ? a.length : at) + 1
}

const compareFiles = (path: string, before: string | null, now: string | null): StepChanges['file'] => {
  if (before === null || now === null) return undefined
  return before === now ? { path, same: true } : { path, same: false, line: firstDifference(now, before) }
}

export function createStepChanges(ci: CiContext, gate: Gate) {
  const kept = createKept<CommitsBetween>(mostKept, () => 1)

  async function between(repo: Repo, before: Build, now: Build, signal?: AbortSignal): Promise<CommitsBetween | null> {
    if (before.after === now.after) return { commits: [], more: false, without: 0 }
    const place = await findRepoInternals(ci.db, repo.id)
    if (!place) return null
    // Both may have been taken out of the repository since.
    for (const { after } of [before, now]) if ((await ci.git.resolve(place.path, after)) === null) return null
    const key = `${repo.id} ${before.after} ${now.after}`
    const known = kept.get(key)
    if (known) return known
    const found = await ci.git.sources.between(place.path, before.after, now.after, signal)
    // What git had no time for may be told the next time.
    if (found?.commits) kept.set(key, found)
    return found
  }

  return async (place: StepPlace, signal?: AbortSignal): Promise<StepChanges> => {
    const { repo, number } = place
    const green = await findLastGreen(ci, place)
    if (!green) throw new Refusal(404, 'This step has not passed before')
    const build = required(await findBuildByNumber(ci.db, repo.id, number))
    // That git cannot tell is no failure of the page; that too many ask is.
    const found = await gate.run(() => between(repo, green.build, build, signal).catch(() => null))
    const [before, now] = [await findConfig(ci.db, green.build.id), await findConfig(ci.db, build.id)]
    const file = compareFiles(repo.config_path || defaultConfigPath, before, now)
    return {
      since: {
        build: green.build.number,
        stage: green.stage,
        step: green.step,
        ref: green.build.ref,
        commit: green.build.after,
      },
      ...(found?.commits && { commits: found.commits }),
      ...(found?.more && { more: true as const }),
      ...(found?.without !== undefined && found.without > 0 && { without: found.without }),
      ...(file && { file }),
    }
  }
}
