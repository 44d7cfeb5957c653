/**
 * What a build was made of: its file, what its conditions left out, and the builds that are copies
 * of one another.
 */
import type { Attempt, Build, BuildDetails, PipelineText, Repo, Stage, StageCommands } from '@flightdeck/api'
import { findBuildByNumber, findConfigWithRest, findConfig, listCopies } from '../store/builds.ts'
import { findLastApproved } from '../store/approval-gates.ts'
import { findRepoInternals } from '../store/repos.ts'
import { listStages } from '../store/stages.ts'
import { listReusedStageNames } from '../store/reused-steps.ts'
import { defaultConfigPath } from './pipeline-config.ts'
import { required, type CiContext } from './context.ts'
import { excerptsOf, namesLines } from './source-excerpts.ts'
import type { FairSemaphore } from './fair-semaphore.ts'

/** Characters of a file that a page shows. */
const maxShown = 200_000

const shownText = (repo: Repo, build: Build, text: string): PipelineText => ({
  path: repo.config_path || defaultConfigPath,
  commit: build.after,
  text: text.slice(0, maxShown),
  ...(text.length > maxShown && { cut: true }),
})

/**
 * Reads the file at the commit, for builds that stored none. Returns null if git fails, so the page
 * still loads.
 */
const readFromGit = async (ci: CiContext, repo: Repo, build: Build): Promise<string | null> => {
  const internals = await findRepoInternals(ci.db, repo.id)
  if (!internals || !build.after) return null
  const path = repo.config_path || defaultConfigPath
  const read = () => ci.git.readFile(internals.path, build.after, path)
  return ci.configs.of({ repoId: repo.id, sha: build.after, path }, read).catch(() => null)
}

const withTakenOver = async (ci: CiContext, attempts: readonly Build[]): Promise<Attempt[]> => {
  const parts = attempts.filter(({ again }) => again).map(({ id }) => id)
  const names = await listReusedStageNames(ci.db, parts)
  return attempts.map((build) => {
    const taken = names.get(build.id)
    return taken ? { ...build, taken_over: taken } : build
  })
}

/** What the stages that wait for approval would run. */
const commandsOfWaiting = async (ci: CiContext, build: Build, text: string | null): Promise<StageCommands[] | null> => {
  if (text === null || (build.status !== 'pending' && build.status !== 'running')) return null
  const stages = await listStages(ci.db, build.id)
  const waiting = stages.filter(({ status }) => status === 'blocked').map(({ name }) => name)
  return waiting.length === 0 ? null : ci.files.commands(build.repo_id, { text, stages: waiting })
}

export const buildDetails = async (
  ci: CiContext,
  gate: FairSemaphore,
  repo: Repo,
  number: number,
): Promise<BuildDetails> => {
  const build = required(await findBuildByNumber(ci.db, repo.id, number))
  const config = await findConfigWithRest(ci.db, build.id)
  const text = config?.text ?? (await gate.run(() => readFromGit(ci, repo, build)))
  const waiting = await commandsOfWaiting(ci, build, text)
  const approved = waiting && (await findLastApproved(ci.db, repo.id, build.id))
  const attempts = await listCopies(ci.db, repo.id, number)
  return {
    ...(text !== null && { file: shownText(repo, build, text) }),
    ...(config?.leftOut.length && { left_out: config.leftOut }),
    ...(waiting && { waiting_stages: waiting }),
    ...(approved && { approved: { build: approved.number, text: approved.text.slice(0, maxShown) } }),
    attempts: await withTakenOver(ci, await ci.reasons.withReasons(attempts)),
  }
}

const withStageExcerpts = async <T extends Build>(ci: CiContext, build: T): Promise<T> => {
  const isMeant = ({ error = '' }: Stage): boolean => error.startsWith('Linter: ')
  const text = build.stages?.some(isMeant) ? await findConfig(ci.db, build.id) : null
  if (text === null || !build.stages) return build
  const stages: Stage[] = []
  for (const stage of build.stages) {
    const { error = '', name } = stage
    const found = isMeant(stage) ? await ci.files.locate(build.repo_id, { text, error, stage: name }) : null
    stages.push(found === null ? stage : { ...stage, excerpts: excerptsOf('', text, found) })
  }
  return { ...build, stages }
}

/**
 * Adds the lines that the error refers to, for a build whose pipeline file could not be read or
 * used.
 */
export const withExcerpts = async <T extends Build>(ci: CiContext, given: T): Promise<T> => {
  const build = await withStageExcerpts(ci, given)
  const { error = '', status } = build
  if (status !== 'error' || error === '' || error.startsWith('configuration:')) return build
  const text = await findConfig(ci.db, build.id)
  if (text === null) return build
  const found = namesLines(error) ? null : await ci.files.locate(build.repo_id, { text, error })
  const excerpts = excerptsOf(error, text, found)
  return excerpts.length > 0 ? { ...build, excerpts } : build
}
