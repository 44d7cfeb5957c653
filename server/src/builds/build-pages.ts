/** What the pages of builds and commits show beyond database rows, mostly read from git. */
import type { Ci } from '../interfaces/ci.ts'
import type { StageContext } from '../interfaces/runner.ts'
import { buildDetails, withExcerpts } from './build-details.ts'
import { createCommitReader } from './commit-reader.ts'
import { createComparer } from './compare.ts'
import type { CiContext } from './context.ts'
import { createFairSemaphore } from './fair-semaphore.ts'
import { reproduce } from './reproduce.ts'
import { findSecretUses } from './secret-uses.ts'
import { createSourceFiles } from './source-files.ts'
import { createStepChanges } from './step-changes.ts'

type BuildPages = Pick<
  Ci,
  | 'commit'
  | 'commitSha'
  | 'compare'
  | 'details'
  | 'script'
  | 'secretUses'
  | 'sourceAuthors'
  | 'sourceFile'
  | 'stepChanges'
  | 'withExcerpts'
>

/**
 * At most two pages read git at the same time. Authors have a separate queue, because git can take
 * seconds for them.
 */
export const createBuildPages = (ci: CiContext, system: StageContext['system']): BuildPages => {
  const pages = createFairSemaphore({ concurrency: 2, maxWaiting: 40 })
  const commits = createCommitReader(ci, pages)
  const sources = createSourceFiles(ci, {
    files: pages,
    authors: createFairSemaphore({ concurrency: 1, maxWaiting: 20 }),
  })
  return {
    commit: (repo, refOrSha, signal) => commits.details(repo, refOrSha, signal),
    commitSha: (repo, refOrSha) => commits.sha(repo, refOrSha),
    compare: createComparer(ci, pages),
    details: (repo, number) => buildDetails(ci, pages, repo, number),
    script: (repo, number, stage, step) => pages.run(() => reproduce(ci, system, { repo, number, stage, step })),
    secretUses: (repo) => findSecretUses(ci, repo),
    sourceAuthors: (key, named, signal) => sources.authors(key, named, signal),
    sourceFile: (repo, number, named, signal) => sources.file(repo, number, named, signal),
    stepChanges: createStepChanges(ci, pages),
    withExcerpts: (build) => withExcerpts(ci, build),
  }
}
