import * as pages from './pages.tsx'

/** Whose code an address needs; the order of the table is the order of the questions. */
const table: [RegExp, { load: () => Promise<unknown> }[]][] = [
  [/^\/$/, [pages.DashboardPage]],
  [/^\/account\/?$/, [pages.AccountPage]],
  [/^\/builds-feed\/?$/, [pages.FeedPage]],
  [/^\/settings(\/users)?\/?$/, [pages.UsersPage]],
  [/^\/(welcome|login|logout)/, []],
  [/^\/[^/]+\/[^/]+\/?$/, [pages.RepositoryLayout, pages.BuildsPage]],
  [/^\/[^/]+\/[^/]+\/branches/, [pages.RepositoryLayout, pages.BranchesPage]],
  [/^\/[^/]+\/[^/]+\/deployments/, [pages.RepositoryLayout, pages.DeploymentsPage]],
  [/^\/[^/]+\/[^/]+\/settings/, [pages.RepositoryLayout, pages.SettingsLayout, pages.GeneralPage]],
  [/^\/[^/]+\/[^/]+\/\d+/, [pages.BuildPage]],
]

/** Fetches a page's code (never its data) while the pointer is on a link to it. */
export const preloadPage = (href: string): void => {
  const pathname = href.split(/[?#]/, 1)[0] ?? ''
  for (const page of table.find(([pattern]) => pattern.test(pathname))?.[1] ?? []) {
    // The page itself tells a failure, if somebody goes there.
    page.load().catch(() => undefined)
  }
}
