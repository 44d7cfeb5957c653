import { buildsQuery, reposQuery, tokenQuery, queryOf } from '../api/queries.ts'
import { queryClient } from '../api/query-client.ts'
import { paths } from '../lib/paths.ts'
import { lazyPart } from '../browser/lazy-part.tsx'
import { Redirect } from '../browser/navigation.tsx'
// Not lazy: the most visited page is rendered in the same task in which the code runs.
import { DashboardPage } from '../features/dashboard/dashboard-page.tsx'

import { needs, ReturnAfterSignIn } from './guards.tsx'
import { route, type Read, type Route, type Visit } from './route.tsx'

/**
 * The URL map (specification §2): one row per page; the first match wins. A row defines everything
 * about a URL: its audience, layouts and queries. Links prefetch the page's code from the same
 * rows.
 */
interface Repo {
  namespace: string
  name: string
}

const read = (key: string, start: Read['start']): Read => ({ key, start })
const ofRepo = ({ namespace, name }: Repo): string => `${namespace}/${name}`
const readRepo = ({ namespace, name }: Repo): Read =>
  read(`repo ${namespace}/${name}`, () => queryClient.prefetchQuery(queryOf('getRepo', namespace, name)))

const RepositoryLayout = lazyPart(async () => (await import('../features/repository/layout.tsx')).RepositoryLayout)
const SettingsLayout = lazyPart(async () => (await import('../features/settings/layout.tsx')).SettingsLayout)

const inRepository = { for: 'visitors', within: [RepositoryLayout], keyed: ofRepo } as const
const inSettings = {
  within: [RepositoryLayout, SettingsLayout],
  keyed: ofRepo,
  reads: (repo: Repo) => [readRepo(repo)],
}

/** Build, stage and step are numbers from 1; stage and step default to 1. */
const number = (text: string | undefined): number =>
  text === undefined ? 1 : /^\d{1,15}$/.test(text) ? Number(text) : 0

const buildPage = () => import('../features/build-page/build-page.tsx')

/**
 * Reads the build. Unless the page continues to the step that matters, also the log of the step in
 * the URL.
 */
const readBuild = async (
  at: Repo & { build: number; stage: number; step: number },
  { via, isOver }: Visit,
): Promise<void> => {
  const query = queryOf('getBuild', at.namespace, at.name, at.build)
  const [, page] = await Promise.all([
    queryClient.prefetchQuery(query),
    // The page itself reports a load error.
    via === undefined ? buildPage().catch(() => undefined) : undefined,
  ])
  const build = queryClient.getQueryData(query.queryKey)
  if (build && !isOver()) page?.prefetchVisibleLog(at, build, location.search)
}

export const routes: readonly Route[] = [
  route('/welcome', {
    for: 'everybody',
    page: lazyPart(async () => (await import('../features/welcome/welcome-page.tsx')).WelcomePage),
  }),
  route('/login/form', {
    for: 'everybody',
    page: lazyPart(async () => (await import('../features/welcome/login-page.tsx')).LoginPage),
  }),
  route('/login/token', {
    for: 'everybody',
    page: lazyPart(async () => (await import('../features/welcome/token-page.tsx')).TokenPage),
  }),
  route('/register', {
    for: 'everybody',
    page: lazyPart(async () => (await import('../features/welcome/register-page.tsx')).RegisterPage),
  }),
  route('/login/error', {
    for: 'everybody',
    page: lazyPart(async () => (await import('../features/welcome/login-error-page.tsx')).LoginErrorPage),
  }),
  route('/login/invite', {
    for: 'everybody',
    page: lazyPart(async () => (await import('../features/welcome/invite-page.tsx')).InvitePage),
  }),
  route('/logout', {
    for: 'everybody',
    page: lazyPart(async () => (await import('../features/welcome/logout-page.tsx')).LogoutPage),
  }),
  route('/', {
    within: [ReturnAfterSignIn],
    page: DashboardPage,
    reads: () => [read('repos', () => queryClient.prefetchQuery(reposQuery()))],
  }),
  route('/account', {
    page: lazyPart(async () => (await import('../features/account/account-page.tsx')).AccountPage),
    reads: () => [read('token', () => queryClient.prefetchQuery(tokenQuery()))],
  }),
  route('/builds-feed', {
    page: lazyPart(async () => (await import('../features/feed/feed-page.tsx')).FeedPage),
    reads: () => [read('recent', () => queryClient.prefetchQuery(queryOf('listRecent')))],
  }),
  route('/wall', {
    for: 'everybody',
    page: lazyPart(async () => (await import('./wall-page.tsx')).WallPage),
  }),
  route('/settings', { for: 'administrators', page: () => <Redirect to={paths.users} /> }),
  route('/settings/users', {
    for: 'administrators',
    page: lazyPart(async () => (await import('../features/users/users-page.tsx')).UsersPage),
  }),
  route('/settings/runners', {
    for: 'administrators',
    within: [needs('runners')],
    page: lazyPart(async () => (await import('../features/runners/runners-page.tsx')).RunnersPage),
  }),
  route('/settings/audit', {
    for: 'administrators',
    within: [needs('audit')],
    page: lazyPart(async () => (await import('../features/audit/audit-page.tsx')).AuditPage),
  }),
  route('/:namespace/:name', {
    ...inRepository,
    page: lazyPart(async () => (await import('../features/repository/builds-page.tsx')).BuildsPage),
    reads: (repo) => [
      readRepo(repo),
      read(`builds ${ofRepo(repo)}`, () => queryClient.prefetchInfiniteQuery(buildsQuery(repo.namespace, repo.name))),
    ],
  }),
  route('/:namespace/:name/branches', {
    ...inRepository,
    page: lazyPart(async () => (await import('../features/repository/latest-page.tsx')).BranchesPage),
    reads: (repo) => [
      readRepo(repo),
      read(`branches ${ofRepo(repo)}`, () =>
        queryClient.prefetchQuery(queryOf('listBranches', repo.namespace, repo.name)),
      ),
    ],
  }),
  route('/:namespace/:name/branches/:branch', {
    ...inRepository,
    page: lazyPart(async () => (await import('../features/repository/branch-page.tsx')).BranchPage),
  }),
  route('/:namespace/:name/commits/:sha', {
    ...inRepository,
    within: [needs('commits'), RepositoryLayout],
    page: lazyPart(async () => (await import('../features/commit/commit-page.tsx')).CommitPage),
  }),
  route('/:namespace/:name/deployments', {
    ...inRepository,
    page: lazyPart(async () => (await import('../features/repository/latest-page.tsx')).DeploymentsPage),
    reads: (repo) => [
      readRepo(repo),
      read(`deployments ${ofRepo(repo)}`, () =>
        queryClient.prefetchQuery(queryOf('listDeployments', repo.namespace, repo.name)),
      ),
    ],
  }),
  route('/:namespace/:name/pulls', {
    ...inRepository,
    page: lazyPart(async () => (await import('../features/repository/latest-page.tsx')).PullsPage),
    reads: (repo) => [
      readRepo(repo),
      read(`pulls ${ofRepo(repo)}`, () => queryClient.prefetchQuery(queryOf('listPulls', repo.namespace, repo.name))),
    ],
  }),
  route('/:namespace/:name/times', {
    ...inRepository,
    page: lazyPart(async () => (await import('../features/times/times-page.tsx')).TimesPage),
    reads: (repo) => [readRepo(repo)],
  }),
  route('/:namespace/:name/settings', {
    ...inSettings,
    page: lazyPart(async () => (await import('../features/settings/general-page.tsx')).GeneralPage),
  }),
  route('/:namespace/:name/settings/secrets', {
    ...inSettings,
    page: lazyPart(async () => (await import('../features/settings/secrets-page.tsx')).SecretsPage),
  }),
  route('/:namespace/:name/settings/organization', {
    ...inSettings,
    page: lazyPart(async () => (await import('../features/settings/org-secrets-page.tsx')).OrgSecretsPage),
  }),
  route('/:namespace/:name/settings/cron', {
    ...inSettings,
    page: lazyPart(async () => (await import('../features/settings/cron-page.tsx')).CronPage),
  }),
  route('/:namespace/:name/settings/access', {
    ...inSettings,
    page: lazyPart(async () => (await import('../features/settings/access-page.tsx')).AccessPage),
  }),
  route('/:namespace/:name/settings/badges', {
    ...inSettings,
    page: lazyPart(async () => (await import('../features/settings/badges-page.tsx')).BadgesPage),
  }),
  route('/:namespace/:name/:build/:stage?/:step?', {
    for: 'visitors',
    keyed: ofRepo,
    page: lazyPart(async () => (await buildPage()).BuildPage),
    props: ({ namespace, name, build, stage, step }) => {
      const numbers = { build: number(build), stage: number(stage), step: number(step) }
      return Object.values(numbers).includes(0) ? undefined : { namespace, name, ...numbers }
    },
    reads: ({ namespace, name, build, stage, step }) => [
      readRepo({ namespace, name }),
      ...(number(build) > 0
        ? [
            read(`build ${namespace}/${name} ${build}`, (visit) =>
              readBuild({ namespace, name, build: number(build), stage: number(stage), step: number(step) }, visit),
            ),
          ]
        : []),
    ],
  }),
]
