/** The duration of each step in the last builds of a branch. */
import type { RepoTimes, StepRun } from '@flightdeck/api'
import { sql } from 'kysely'
import type { Db } from './open.ts'

const maxRecent = 500
const maxRuns = 10_000
const maxSteps = 200

/** `[number, seconds, passed]`, oldest first. */
type Row = [build: number, seconds: number, passed: number]

const runOf = ([build, seconds, passed]: Row): StepRun => ({ build, seconds, passed: passed === 1 })

export const findRepoTimes = async (db: Db, repoId: number, branch: string): Promise<RepoTimes> => {
  const recent = sql`
    select build_id, build_number, build_after, build_created from builds
    where build_repo_id = ${repoId} and build_ref = ${`refs/heads/${branch}`}
    order by build_number desc limit ${sql.lit(maxRecent)}`
  // Reads the runs of a step as one text, because reading thousands of rows takes longer
  // (many-rows.ts).
  const steps = await sql<{ stage: string; step: string; runs: string }>`
    with recent as (${recent}),
      run as (
        select stage_name, step_name, build_number, step_stopped - step_started as seconds, step_status = 'success' as passed
        from recent join stages on stage_build_id = build_id join steps on step_stage_id = stage_id
        where step_origin = 0 and step_started > 0 and step_stopped >= step_started
          and step_status in ('success', 'failure', 'error')
        order by build_number desc limit ${sql.lit(maxRuns)})
    select stage_name as stage, step_name as step,
      json_group_array(json_array(build_number, seconds, passed) order by build_number) as runs
    from run group by stage_name, step_name order by count(*) desc, stage_name, step_name
    limit ${sql.lit(maxSteps)}`.execute(db)
  const builds = await sql<{ number: number; commit: string; created: number }>`
    with recent as (${recent})
    select build_number as number, build_after as "commit", build_created as created from recent
    order by build_number`.execute(db)
  return {
    branch,
    builds: builds.rows,
    steps: steps.rows.map(({ stage, step, runs }) => ({
      stage,
      step,
      runs: (JSON.parse(runs) as Row[]).map(runOf),
    })),
  }
}
