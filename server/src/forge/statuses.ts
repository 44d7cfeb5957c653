/** What a commit status is called and how it is worded. */

/** The name that Drone gives its statuses; branch protection rules of its users name it. */
export const defaultStatusName = 'continuous-integration/drone'

/**
 * The environment of a deployment as a part of a status's name: `Production EU` → `production-eu`.
 * Letters with marks lose them; other letters than a–z are left out. Empty if nothing is left.
 */
export const slugOf = (target: string): string => {
  const parts = target
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/['’\p{M}]/gu, '')
    .split(/[^a-z0-9_]/)
  const slug = parts.filter((part) => part !== '').join('-')
  const letters = [...slug].map((letter) => letter !== '-' && letter !== '_')
  return slug.slice(letters.indexOf(true), letters.lastIndexOf(true) + 1)
}

/**
 * The name of a build's status: one per event, so that a push and a pull request of the same commit
 * have one each (docs/api §5.9). `name` is the configured first part.
 */
export const statusContext = (
  build: { event: string; deployTo?: string },
  name: string = defaultStatusName,
): string => {
  switch (build.event) {
    case 'push':
    case 'tag':
    case 'cron':
      return `${name}/${build.event}`
    case 'pull_request':
      return `${name}/pr`
    case 'promote':
    case 'rollback': {
      const slug = slugOf(build.deployTo ?? '')
      return slug ? `${name}/${build.event}/${slug}` : `${name}/${build.event}`
    }
    default:
      return name
  }
}
