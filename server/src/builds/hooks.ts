/** What each cause of a build fills in (docs/api §5.3). */
import type { Again, Build, Cron, Repo, User } from '@flightdeck/api'
import { branchRef, isBranchOrTag } from '../pipeline/ref-names.ts'
import { findRepoInternals } from '../store/repos.ts'
import { findUser } from '../store/users.ts'
import { noRows, required, type CiContext } from './context.ts'
import type { GitCommit } from '../interfaces/git.ts'
import { Refusal } from '../lib/refusal.ts'
import { commitLink, type Hook } from '../interfaces/hook.ts'

/**
 * The commit that a person or the clock means; a 404 with the forge's text if there is none
 * (docs/api §2.4). A build under a branch's name sees that branch's secrets, so the branch must
 * hold the commit.
 */
const findCommit = async (ci: CiContext, repo: Repo, branch: string, commit?: string): Promise<GitCommit> => {
  if (!(await findUser(ci.db, repo.user_id))) throw noRows()
  if (!isBranchOrTag(branch)) throw new Refusal(400, `${branch} is neither a branch nor a tag`)
  const { path } = required(await findRepoInternals(ci.db, repo.id))
  const head = await ci.git.resolve(path, branchRef(branch))
  const sha = head !== null && commit ? await ci.git.resolve(path, commit) : head
  if (head === null || sha === null) throw new Refusal(404, 'Not Found')
  if (sha !== head && !(await ci.git.isAncestor(path, sha, head))) {
    throw new Refusal(400, `${commit} is not on ${branch}; choose a branch that contains it`)
  }
  return ci.git.commit(path, sha)
}

const authorOf = (commit: GitCommit): NonNullable<Hook['author']> => ({
  login: '',
  name: commit.author.name,
  email: commit.author.email,
  avatar: '',
})

/** A build that a user starts. */
export const customHook = async (
  ci: CiContext,
  repo: Repo,
  input: { branch?: string; commit?: string; message?: string; action?: string; params: Record<string, string> },
  by: User,
): Promise<Hook> => {
  const branch = input.branch || repo.default_branch
  const ref = branchRef(branch)
  const commit = await findCommit(ci, repo, branch, input.commit)
  const name = branch.replace(/^refs\/heads\//, '')
  return {
    event: 'custom',
    action: input.action ?? '',
    trigger: by.login,
    actor: by.login,
    sender: by.login,
    ref,
    source: name,
    target: name,
    before: commit.sha,
    after: commit.sha,
    // Other than after a push, without the line end (docs/api §1.4).
    message: input.message || commit.message.trimEnd(),
    link: commitLink(repo, commit.sha),
    author: authorOf(commit),
    params: input.params,
  }
}

/** The form's value when the branch field was left empty (specification §5, §9). */
const unnamedBranch = 'master'

/** `master` means the default branch, unless a branch of that name exists. */
const branchOfJob = async (ci: CiContext, repo: Repo, { branch }: Cron): Promise<string> => {
  if (branch !== unnamedBranch || !repo.default_branch) return branch
  const { path } = required(await findRepoInternals(ci.db, repo.id))
  return (await ci.git.resolve(path, branchRef(branch))) === null ? repo.default_branch : branch
}

/** `by` is left out when the clock fires. */
export const cronHook = async (ci: CiContext, repo: Repo, job: Cron, by?: User): Promise<Hook> => {
  const branch = await branchOfJob(ci, repo, job)
  const ref = branchRef(branch)
  const commit = await findCommit(ci, repo, branch)
  return {
    event: 'cron',
    trigger: '@cron',
    actor: by?.login ?? '',
    // Not the user who starts it: that is the actor (docs/api §5.3, as recorded from Drone).
    sender: authorOf(commit).login,
    ref,
    source: '',
    target: branch,
    before: '',
    after: commit.sha,
    message: commit.message.trimEnd(),
    link: commitLink(repo, commit.sha),
    author: authorOf(commit),
    // The target is stored and returned only; it does not make the build a deployment (as recorded
    // from Drone).
    cron: job.name,
  }
}

const copyOf = (build: Build, by: User): Hook => ({
  event: build.event,
  action: build.action,
  trigger: by.login,
  actor: by.login,
  sender: build.sender,
  ref: build.ref,
  source: build.source,
  target: build.target,
  before: build.before,
  after: build.after,
  message: build.message,
  title: build.title ?? '',
  link: build.link,
  sourceRepo: build.source_repo,
  author: {
    login: build.author_login,
    name: build.author_name,
    email: build.author_email,
    avatar: build.author_avatar,
  },
  params: build.params ?? {},
  parent: build.number,
  cron: build.cron ?? '',
  deployTo: build.deploy_to ?? '',
})

/** The old build's parameters win (docs/api §2.4). */
export const restartHook = (
  build: Build,
  input: { debug: boolean; params: Record<string, string> },
  by: User,
): Hook => ({ ...copyOf(build, by), debug: input.debug, params: { ...input.params, ...build.params } })

/** Only a part of the build runs; nothing else may differ, since the other stages are reused. */
export const rerunHook = (build: Build, again: Again, by: User): Hook => ({ ...copyOf(build, by), again })

/** Here the new parameters win (docs/api §2.4). */
export const deployHook = (
  build: Build,
  input: { event: 'promote' | 'rollback'; target: string; params: Record<string, string> },
  by: User,
): Hook => ({
  ...copyOf(build, by),
  event: input.event,
  deployTo: input.target,
  params: { ...build.params, ...input.params },
})
