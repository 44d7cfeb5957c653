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

const codeOf = (href: string): Promise<unknown>[] => {
  const pathname = href.split(/[?#]/, 1)[0] ?? ''
  return (table.find(([pattern]) => pattern.test(pathname))?.[1] ?? []).map((page) => page.load())
}

/** Resolves when a page's code is here, or cannot be had: the page itself tells that. */
export const loadPage = (href: string): Promise<unknown> => Promise.allSettled(codeOf(href))

/** Fetches a page's code (never its data) while the pointer is on a link to it. */
export const preloadPage = (href: string): void => {
  void loadPage(href)
}
