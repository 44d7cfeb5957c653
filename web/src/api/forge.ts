/** The forge that our own server is connected to (docs/api/forge.md); its page says which. */
import type { Repo } from '@flightdeck/api'

export interface ConnectedForge {
  /** `GitLab`. */
  title: string
  /** Its address for people, without a slash at the end. */
  url: string
  sign_in: 'oauth' | 'password'
}

/** `undefined` with another server, and where repositories are folders only. */
export const connectedForge = (): ConnectedForge | undefined => window.flightdeckForge

/** The forge of this repository; `undefined` for one in a folder. */
export const forgeOf = (repo: Pick<Repo, 'link'> | undefined): ConnectedForge | undefined => {
  const forge = connectedForge()
  return forge && repo?.link.startsWith(`${forge.url}/`) ? forge : undefined
}

const isWalk = (part: string): boolean => part === '' || part === '.' || part === '..'

/** The forge's page of a person or a repository: every forge has it below its own address. */
export const forgePage = (forge: ConnectedForge, path: string): string | undefined => {
  const parts = path.split('/')
  return parts.some(isWalk) ? undefined : `${forge.url}/${parts.map(encodeURIComponent).join('/')}`
}
