/**
 * Whether a failure occurred before, and how often its step fails. Only builds that the reader can
 * see count.
 */
import type { Build, BuildHistory, FailedPlace, Repo, StepHistory, User } from '@flightdeck/api'
import { sql } from 'kysely'
import type { Db } from './open.ts'
import { visibleRepos } from './visibility.ts'

/** The number of steps of a build that have a history. */
const maxSteps = 10
/** The number of builds that are counted. Fewer are listed. */
const maxCounted = 1_000
const maxPositions = 10
/** The number of earlier failures for which the build that fixed them is searched. */
const maxEarlier = 20
/** The number of builds in which runs of a step are searched, and of runs that are returned. */
const maxBuilds = 50
const maxRecent = 20
/** With fewer runs there is no history. */
const minRuns = 3

interface Failed {
  stage: number
  step: number
  stageName: string
  stepName: string
  print: string
}

export interface HistoryOf {
  build: Build
  repo: Repo
  /** `null` is a guest. */
  reader: User | null
}

const listFailed = async (db: Db, buildId: number): Promise<Failed[]> =>
  (
    await sql<Failed>`
      select stage_number as stage, step_number as step, stage_name as stageName, step_name as stepName,
        coalesce(cause_print, '') as print
      from stages join steps on step_stage_id = stage_id left join causes on cause_step_id = step_id
      where stage_build_id = ${buildId} and step_status in ('failure', 'error') and step_origin = 0
      order by stage_number, step_number limit ${sql.lit(maxSteps)}`.execute(db)
  ).rows

interface Earlier extends FailedPlace {
  repoId: number
  ref: string
  commit: string
  stageName: string
  stepName: string
}

/**
 * The first build after an earlier failure in which the step passed, if its commit is another one.
 */
const endOf = async (
  db: Db,
  one: Earlier,
  before: number | undefined,
): Promise<{ number: number; commit: string } | null> => {
  const { rows } = await sql<{ number: number; commit: string }>`
    with later as (
      select build_id, build_number, build_after from builds
      where build_repo_id = ${one.repoId} and build_ref = ${one.ref} and build_number > ${one.number}
        and build_number < ${before ?? Number.MAX_SAFE_INTEGER}
      order by build_number limit ${sql.lit(maxBuilds)})
    select build_number as number, build_after as "commit"
    from later join stages on stage_build_id = build_id join steps on step_stage_id = stage_id
    where stage_name = ${one.stageName} and step_name = ${one.stepName} and step_status = 'success' and step_origin = 0
    order by build_number limit 1`.execute(db)
  const [end] = rows
  return end && end.commit !== one.commit ? end : null
}

const seenBefore = async (db: Db, { build, repo, reader }: HistoryOf, print: string): Promise<StepHistory['seen']> => {
  const hits = sql`
    select cause_build_id, cause_repo_id, min(cause_created) as created, min(cause_step_id) as step_id from causes
    where cause_print = ${print} and cause_print <> '' and cause_build_id <= ${build.id}
      and cause_repo_id in (${visibleRepos(reader)})
    group by cause_build_id order by cause_build_id desc limit ${sql.lit(maxCounted + 1)}`
  const counted = await sql<{ times: number; repos: number; since: number }>`
    with hits as (${hits})
    select count(*) as times, count(distinct cause_repo_id) as repos, min(created) as since from hits`.execute(db)
  const [count] = counted.rows
  if (!count || count.times < 2) return undefined
  const earlier = await sql<Earlier>`
    with hits as (${hits})
    select repo_slug as slug, build_number as number, stage_number as stage, step_number as step, created,
      build_repo_id as repoId, build_ref as ref, build_after as "commit", stage_name as stageName, step_name as stepName
    from hits join builds on build_id = cause_build_id join repos on repo_id = build_repo_id
      join steps on steps.step_id = hits.step_id join stages on stage_id = step_stage_id
    where cause_build_id <> ${build.id} order by cause_build_id desc limit ${sql.lit(maxEarlier)}`.execute(db)
  let ended: NonNullable<StepHistory['seen']>['ended']
  for (const one of earlier.rows) {
    const end = await endOf(db, one, one.repoId === repo.id ? build.number : undefined)
    if (end) ended = { slug: one.slug, ...end }
    if (ended) break
  }
  return {
    times: Math.min(count.times, maxCounted),
    ...(count.times > maxCounted && { more: true }),
    repos: count.repos,
    since: count.since,
    places: earlier.rows
      .slice(0, maxPositions)
      .map(({ slug, number, stage, step, created }) => ({ slug, number, stage, step, created })),
    ...(ended && { ended }),
  }
}

interface Run {
  number: number
  commit: string
  passed: number
  /** The build's inputs other than the commit. */
  given: string
}

/** Newest first. `builds` selects the builds that are read. */
const listRuns = async (db: Db, builds: ReturnType<typeof sql>, { stageName, stepName }: Failed): Promise<Run[]> =>
  (
    await sql<Run>`
      with recent as (
        select build_id, build_number, build_after, build_params, build_deploy_to from builds where ${builds}
        order by build_number desc limit ${sql.lit(maxBuilds)})
      select build_number as number, build_after as "commit", step_status = 'success' as passed,
        json_array(build_params, build_deploy_to) as given
      from recent join stages on stage_build_id = build_id join steps on step_stage_id = stage_id
      where stage_name = ${stageName} and step_name = ${stepName} and step_origin = 0
        and step_status in ('success', 'failure', 'error')
      order by build_number desc limit ${sql.lit(maxRecent)}`.execute(db)
  ).rows

const lastRuns = async (db: Db, { build, repo }: HistoryOf, failed: Failed): Promise<StepHistory['runs']> => {
  const onRef = (ref: string) =>
    listRuns(db, sql`build_repo_id = ${repo.id} and build_ref = ${ref} and build_number <= ${build.number}`, failed)
  const main = `refs/heads/${repo.default_branch}`
  const ownRuns = await onRef(build.ref)
  const elsewhere = ownRuns.length < minRuns && build.ref !== main
  const runs = elsewhere ? await onRef(main) : ownRuns
  if (runs.length < minRuns) return undefined
  const mixed = new Map<string, { commit: string; failed: number; passed: number }>()
  for (const run of runs) {
    if (run.passed || mixed.has(run.commit)) continue
    const same = await listRuns(db, sql`build_repo_id = ${repo.id} and build_after = ${run.commit}`, failed)
    const passed = same.find((other) => other.passed && other.given === run.given)
    if (passed) mixed.set(run.commit, { commit: run.commit, failed: run.number, passed: passed.number })
  }
  return {
    ...(elsewhere && { branch: repo.default_branch }),
    count: runs.length,
    failed: runs.filter(({ passed }) => !passed).length,
    mixed: [...mixed.values()],
  }
}

interface Passed {
  build: number
  stage: number
  step: number
  given: string
}

/** Compares parameters regardless of their order. */
const sameGiven = (one: string, other: string): boolean => one === other || sortedGiven(one) === sortedGiven(other)
const sortedGiven = (given: string): string => {
  const [params, target] = JSON.parse(given) as [string | null, string | null]
  const pairs = Object.entries(JSON.parse(params || '{}') as Record<string, string>)
  return JSON.stringify([pairs.toSorted(([a], [b]) => (a < b ? -1 : 1)), target ?? ''])
}

/**
 * The newest other build of the commit in which the step passed with the same parameters and
 * target.
 */
const passedOn = async (db: Db, build: Build, { stageName, stepName }: Failed): Promise<StepHistory['passed']> => {
  const { rows } = await sql<Passed>`
    with same as (
      select build_id, build_number, build_params, build_deploy_to from builds
      where build_repo_id = ${build.repo_id} and build_after = ${build.after} and build_number <> ${build.number}
      order by build_number desc limit ${sql.lit(maxBuilds)})
    select build_number as build, stage_number as stage, step_number as step,
      json_array(build_params, build_deploy_to) as given
    from same join stages on stage_build_id = build_id join steps on step_stage_id = stage_id
    where stage_name = ${stageName} and step_name = ${stepName} and step_origin = 0 and step_status = 'success'
    order by build_number desc`.execute(db)
  if (rows.length === 0 || !build.after) return undefined
  const ownParams = await sql<{ given: string }>`
    select json_array(build_params, build_deploy_to) as given from builds where build_id = ${build.id}`.execute(db)
  const found = rows.find(({ given }) => sameGiven(given, ownParams.rows[0]?.given ?? ''))
  return found && { build: found.build, stage: found.stage, step: found.step }
}

export const findHistory = async (db: Db, of: HistoryOf): Promise<BuildHistory> => {
  const steps: StepHistory[] = []
  for (const failed of await listFailed(db, of.build.id)) {
    const seen = failed.print ? await seenBefore(db, of, failed.print) : undefined
    const runs = await lastRuns(db, of, failed)
    const passed = await passedOn(db, of.build, failed)
    if (!seen && !runs && !passed) continue
    steps.push({
      stage: failed.stage,
      step: failed.step,
      ...(seen && { seen }),
      ...(passed && { passed }),
      ...(runs && { runs }),
    })
  }
  return { steps }
}
