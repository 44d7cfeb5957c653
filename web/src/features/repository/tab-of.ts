export type RepositoryTab = 'builds' | 'branches' | 'deployments' | 'pulls' | 'settings'

const named: readonly string[] = ['branches', 'deployments', 'pulls', 'settings'] satisfies RepositoryTab[]
const isTab = (segment: string | undefined): segment is RepositoryTab =>
  segment !== undefined && named.includes(segment)

/** The tab that an address belongs to: `/{namespace}/{name}/settings/cron` is one of Settings. */
export const tabOf = (pathname: string): RepositoryTab => {
  const segment = pathname.split('/')[3]
  return isTab(segment) ? segment : 'builds'
}
