/**
 * The forge to which Flightdeck's server is connected (docs/api/forge.md), as named in the page.
 */
import type { Repo } from '@flightdeck/api'

export interface ConnectedForge {
  /** For example `GitLab`. */
  title: string
  /** The URL of its web pages, without a trailing slash. */
  url: string
  sign_in: 'oauth' | 'password'
}

/** `undefined` with another server, or if all repositories are local. */
export const connectedForge = (): ConnectedForge | undefined => window.flightdeckForge

/** The forge of this repository; `undefined` for a local one. */
export const forgeOf = (repo: Pick<Repo, 'link'> | undefined): ConnectedForge | undefined => {
  const forge = connectedForge()
  return forge && repo?.link.startsWith(`${forge.url}/`) ? forge : undefined
}

const isWalk = (part: string): boolean => part === '' || part === '.' || part === '..'

/** The forge's page of a user or repository. On every forge it is below the forge's URL. */
export const forgePage = (forge: ConnectedForge, path: string): string | undefined => {
  const parts = path.split('/')
  return parts.some(isWalk) ? undefined : `${forge.url}/${parts.map(encodeURIComponent).join('/')}`
}
