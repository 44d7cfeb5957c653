export type RepositoryTab = 'builds' | 'branches' | 'deployments' | 'settings'

/** The tab that an address belongs to: `/{namespace}/{name}/settings/cron` is one of Settings. */
export const tabOf = (pathname: string): RepositoryTab => {
  const segment = pathname.split('/')[3]
  return segment === 'branches' || segment === 'deployments' || segment === 'settings' ? segment : 'builds'
}
