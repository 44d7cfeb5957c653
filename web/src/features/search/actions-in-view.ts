/**
 * The actions that the search offers besides its results: on the current repository or build, and
 * links to pages. Pure.
 */
import type { Repo } from '@flightdeck/api'

import { paths } from '../../lib/paths.ts'

export interface FoundAction {
  label: string
  /** The repository, or the kind of the action. */
  where: string
  href: string
}

export interface InView {
  pathname: string
  repos: readonly Repo[]
  canWrite: (repo: Repo) => boolean
  isAdmin: boolean
  /** Whether a build of the repository has finished, so that it can be restarted. */
  isFinished: (repo: Repo, number: number) => boolean
}

const repoInView = ({ pathname, repos }: InView): Repo | undefined => {
  const repo = /^\/[^/]+\/[^/]+/.exec(pathname)?.[0]
  if (repo === undefined) return undefined
  // Encoding ten thousand addresses takes longer than the rest of the search.
  const mayBe = ({ name }: Repo): boolean => repo.includes('%') || repo.endsWith(name)
  return repos.find((candidate) => mayBe(candidate) && paths.repo(candidate.namespace, candidate.name) === repo)
}

/** The actions on the page's repository and its build. */
export const actionsInView = (view: InView): FoundAction[] => {
  const repo = repoInView(view)
  if (!repo) return []
  const { namespace, name, slug: where } = repo
  const to = (label: string, href: string): FoundAction => ({ label, where, href })
  const writes = view.canWrite(repo)
  if (!repo.active) return writes ? [to('Go to settings', paths.repoSettings(namespace, name))] : []
  const home = paths.repo(namespace, name)
  const number = Number(/^\/(\d{1,15})(?:\/|$)/.exec(view.pathname.slice(home.length))?.[1])
  const build = number > 0 && writes && view.isFinished(repo, number) ? paths.build(namespace, name, number) : undefined
  return [
    ...(build === undefined
      ? []
      : [
          to(`Restart #${number} with changes`, `${build}?action=restart`),
          to(`Promote #${number}`, `${build}?action=promote`),
          to(`Roll back to #${number}`, `${build}?action=rollback`),
        ]),
    ...(writes ? [to('New build', `${home}?action=build`)] : []),
    to('Go to builds', home),
    to('Go to branches', paths.branches(namespace, name)),
    to('Go to deployments', paths.deployments(namespace, name)),
    to('Go to pull requests', paths.pulls(namespace, name)),
    to('Go to step durations', paths.times(namespace, name)),
    ...(writes
      ? [
          to('Go to settings', paths.repoSettings(namespace, name)),
          to('Go to secrets', paths.secrets(namespace, name)),
          to('Go to cron jobs', paths.cron(namespace, name)),
        ]
      : []),
  ]
}

/** Links to pages that do not belong to a repository. */
export const pagesOf = ({ isAdmin }: Pick<InView, 'isAdmin'>): FoundAction[] => {
  const to = (label: string, href: string): FoundAction => ({ label, where: 'Page', href })
  return [
    to('Go to the dashboard', paths.home),
    to('Go to the builds feed', paths.feed),
    to('Go to builds waiting for me', `${paths.feed}?show=waiting`),
    to('Go to the wall', paths.wall),
    to('Go to account settings', paths.account),
    ...(isAdmin
      ? [to('Go to users', paths.users), to('Go to runners', paths.runners), to('Go to the audit log', paths.audit)]
      : []),
  ]
}

/**
 * Whether the words of the query are prefixes of words of the label, in the same order: `new b`,
 * `secr`. A single letter matches nothing.
 */
export const matchesLabel = (label: string, query: string): boolean => {
  const words = label.toLowerCase().split(/\s+/)
  let from = 0
  return (
    query.trim().length > 1 &&
    query
      .trim()
      .toLowerCase()
      .split(/\s+/)
      .every((typed) => {
        const at = words.findIndex((word, index) => index >= from && word.startsWith(typed))
        from = at + 1
        return at >= 0
      })
  )
}
