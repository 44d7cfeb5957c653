import {
  branchesQuery,
  buildQuery,
  buildsQuery,
  deploymentsQuery,
  recentQuery,
  repoQuery,
  reposQuery,
  tokenQuery,
} from '../api/queries.ts'
import { queryClient } from '../api/query-client.ts'
import { NotFound } from '../features/notfound/index.ts'
import { paths } from '../lib/paths.ts'
import { Redirect } from '../ui/navigation.tsx'
import { createRootRoute, createRoute, Outlet, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'

import { AdminsOnly, ReturnAfterSignIn, SignedIn } from './guards.tsx'
import * as pages from './pages.tsx'
import { Shell } from './shell.tsx'

/** The URL map (specification §2). Everything is read by `prefetch` while the code of the page is still on its way. */
type Repo = { namespace: string; name: string }
type Params = Partial<Repo & { build: string; stage: string; step: string }>

/** Starts a read when a page is entered; failures are told by the page itself. */
const prefetch = (read: (params: Repo & Params) => Promise<unknown>[]) => ({
  loader: ({ params, cause }: { params: Params; cause: string }): void => {
    if (cause !== 'enter') return
    const { namespace = '', name = '' } = params
    for (const one of read({ ...params, namespace, name })) void one
  },
})

const useRepoParams = (): Repo => {
  const { namespace = '', name = '' }: Params = useParams({ strict: false })
  return { namespace, name }
}

/** A component that hands the repository of the address to its page. */
const ofRepo = (Page: (props: Repo) => ReactNode) =>
  function RepoPage() {
    return <Page {...useRepoParams()} />
  }

const root = createRootRoute({ component: Shell, notFoundComponent: GuardedNotFound })

function GuardedNotFound() {
  return (
    <SignedIn>
      <NotFound />
    </SignedIn>
  )
}

const open = [
  createRoute({ getParentRoute: () => root, path: '/welcome', component: pages.WelcomePage }),
  createRoute({ getParentRoute: () => root, path: '/login/form', component: pages.LoginPage }),
  createRoute({ getParentRoute: () => root, path: '/login/error', component: pages.LoginErrorPage }),
  createRoute({ getParentRoute: () => root, path: '/login/invite', component: pages.InvitePage }),
  createRoute({ getParentRoute: () => root, path: '/logout', component: pages.LogoutPage }),
]

const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  component: () => (
    <SignedIn>
      <Outlet />
    </SignedIn>
  ),
})

const dashboard = createRoute({
  getParentRoute: () => signedIn,
  path: '/',
  component: () => (
    <ReturnAfterSignIn>
      <pages.DashboardPage />
    </ReturnAfterSignIn>
  ),
  ...prefetch(() => [queryClient.prefetchQuery(reposQuery())]),
})
const account = createRoute({
  getParentRoute: () => signedIn,
  path: '/account',
  component: pages.AccountPage,
  ...prefetch(() => [queryClient.prefetchQuery(tokenQuery())]),
})
const feed = createRoute({
  getParentRoute: () => signedIn,
  path: '/builds-feed',
  component: pages.FeedPage,
  ...prefetch(() => [queryClient.prefetchQuery(recentQuery())]),
})

const admins = createRoute({
  getParentRoute: () => signedIn,
  id: 'admins',
  component: () => (
    <AdminsOnly>
      <Outlet />
    </AdminsOnly>
  ),
})
const settings = createRoute({
  getParentRoute: () => admins,
  path: '/settings',
  component: () => <Redirect to={paths.users} />,
})
const users = createRoute({ getParentRoute: () => admins, path: '/settings/users', component: pages.UsersPage })

const repository = createRoute({
  getParentRoute: () => signedIn,
  id: 'repository',
  component: function Repository() {
    const repo = useRepoParams()
    return (
      <pages.RepositoryLayout key={`${repo.namespace}/${repo.name}`} {...repo}>
        <Outlet />
      </pages.RepositoryLayout>
    )
  },
  ...prefetch(({ namespace, name }) => [queryClient.prefetchQuery(repoQuery(namespace, name))]),
})
const builds = createRoute({
  getParentRoute: () => repository,
  path: '/$namespace/$name',
  component: ofRepo(pages.BuildsPage),
  ...prefetch(({ namespace, name }) => [queryClient.prefetchInfiniteQuery(buildsQuery(namespace, name))]),
})
const branches = createRoute({
  getParentRoute: () => repository,
  path: '/$namespace/$name/branches',
  component: ofRepo(pages.BranchesPage),
  ...prefetch(({ namespace, name }) => [queryClient.prefetchQuery(branchesQuery(namespace, name))]),
})
const deployments = createRoute({
  getParentRoute: () => repository,
  path: '/$namespace/$name/deployments',
  component: ofRepo(pages.DeploymentsPage),
  ...prefetch(({ namespace, name }) => [queryClient.prefetchQuery(deploymentsQuery(namespace, name))]),
})

const repoSettings = createRoute({
  getParentRoute: () => repository,
  id: 'settings',
  component: function RepoSettings() {
    return (
      <pages.SettingsLayout {...useRepoParams()}>
        <Outlet />
      </pages.SettingsLayout>
    )
  },
})
const general = createRoute({
  getParentRoute: () => repoSettings,
  path: '/$namespace/$name/settings',
  component: ofRepo(pages.GeneralPage),
})
const secrets = createRoute({
  getParentRoute: () => repoSettings,
  path: '/$namespace/$name/settings/secrets',
  component: ofRepo(pages.SecretsPage),
})
const cron = createRoute({
  getParentRoute: () => repoSettings,
  path: '/$namespace/$name/settings/cron',
  component: ofRepo(pages.CronPage),
})
const access = createRoute({
  getParentRoute: () => repoSettings,
  path: '/$namespace/$name/settings/access',
  component: ofRepo(pages.AccessPage),
})
const badges = createRoute({
  getParentRoute: () => repoSettings,
  path: '/$namespace/$name/settings/badges',
  component: ofRepo(pages.BadgesPage),
})

/** Build, stage and step are numbers from 1; stage and step default to 1. */
const number = (text: string | undefined): number =>
  text === undefined ? 1 : /^\d{1,15}$/.test(text) ? Number(text) : 0

const build = createRoute({
  getParentRoute: () => signedIn,
  path: '/$namespace/$name/$build/{-$stage}/{-$step}',
  component: function Build() {
    const params: Params = useParams({ strict: false })
    const { namespace = '', name = '' } = params
    const [build, stage, step] = [number(params.build), number(params.stage), number(params.step)]
    if (build * stage * step === 0) return <NotFound />
    return <pages.BuildPage key={`${namespace}/${name}`} {...{ namespace, name, build, stage, step }} />
  },
  ...prefetch(({ namespace, name, build }) => [
    queryClient.prefetchQuery(repoQuery(namespace, name)),
    ...(number(build) > 0 ? [queryClient.prefetchQuery(buildQuery(namespace, name, number(build)))] : []),
  ]),
})

export const routeTree = root.addChildren([
  ...open,
  signedIn.addChildren([
    dashboard,
    account,
    feed,
    admins.addChildren([settings, users]),
    repository.addChildren([
      builds,
      branches,
      deployments,
      repoSettings.addChildren([general, secrets, cron, badges, access]),
    ]),
    build,
  ]),
])
