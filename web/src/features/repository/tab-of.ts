export type RepositoryTab = 'builds' | 'branches' | 'deployments' | 'pulls' | 'settings'

const named: readonly string[] = ['branches', 'deployments', 'pulls', 'settings'] satisfies RepositoryTab[]
const isTab = (segment: string | undefined): segment is RepositoryTab =>
  segment !== undefined && named.includes(segment)

/** The tab that a URL belongs to: `/{namespace}/{name}/settings/cron` belongs to Settings. */
export const tabOf = (pathname: string): RepositoryTab => {
  const segment = pathname.split('/')[3]
  return isTab(segment) ? segment : 'builds'
}
