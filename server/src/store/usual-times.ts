/** The usual duration of steps. */
import type { UsualTime, UsualTimes } from '@flightdeck/api'
import { sql } from 'kysely'
import type { Db } from './open.ts'

/**
 * The number of builds that are considered, and the maximum number of rows that are read of them.
 */
const maxBuilds = 20
const maxRows = 5_000
/** With fewer runs there is no usual time. */
const minRuns = 3

/** The value of this quantile; `sorted` is not empty. */
const quantile = (sorted: readonly number[], part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(sorted.length * part) - 1))] ?? 0

const usualOf = (seconds: readonly number[]): UsualTime | undefined => {
  if (seconds.length < minRuns) return undefined
  const sorted = seconds.toSorted((a, b) => a - b)
  const [median, low, high] = [quantile(sorted, 0.5), quantile(sorted, 0.1), quantile(sorted, 0.9)]
  return { count: sorted.length, median, low, high }
}

/**
 * Considers the last builds of this ref before `number`, and their successful steps that were not
 * reused.
 */
export const findUsualTimes = async (
  db: Db,
  { repo_id: repoId, ref, number }: { repo_id: number; ref: string; number: number },
): Promise<UsualTimes> => {
  const recent = sql`
    select build_id, build_status, build_again, build_started, build_finished from builds
    where build_repo_id = ${repoId} and build_ref = ${ref} and build_number < ${number}
    order by build_number desc limit ${sql.lit(maxBuilds)}`
  const steps = await sql<{ stage: string; step: string; seconds: number }>`
    with recent as (${recent})
    select stage_name as stage, step_name as step, step_stopped - step_started as seconds
    from recent join stages on stage_build_id = build_id join steps on step_stage_id = stage_id
    where step_status = 'success' and step_origin = 0 and step_started > 0 and step_stopped >= step_started
    limit ${sql.lit(maxRows)}`.execute(db)
  const builds = await sql<{ seconds: number }>`
    with recent as (${recent})
    select build_finished - build_started as seconds from recent
    where build_status = 'success' and build_again = '' and build_started > 0`.execute(db)
  const byStep = new Map<string, { stage: string; step: string; seconds: number[] }>()
  for (const { stage, step, seconds } of steps.rows) {
    const key = JSON.stringify([stage, step])
    const cached = byStep.get(key) ?? { stage, step, seconds: [] }
    cached.seconds.push(seconds)
    byStep.set(key, cached)
  }
  const build = usualOf(builds.rows.map((row) => row.seconds))
  return {
    steps: [...byStep.values()].flatMap(({ stage, step, seconds }) => {
      const usual = usualOf(seconds)
      return usual ? [{ stage, step, ...usual }] : []
    }),
    ...(build && { build }),
  }
}
