/** Where the steps of a build find their repository, and with which credentials. */
import type { Build, Repo } from '@flightdeck/api'

/** What git reads from `.netrc` for one machine. */
export interface Netrc {
  /** The host name, without a port: git looks it up so. */
  machine: string
  login: string
  password: string
}

export interface Origin {
  /** The URL of `origin`, `DRONE_REMOTE_URL` and the like. Holds no credentials. */
  url: string
  /** `null`: no credentials are written, as for a public repository. */
  netrc: Netrc | null
}

/**
 * The origin of a repository that lives elsewhere, such as on a forge; `null` for one that this server serves; `mirror` for one
 * that lives elsewhere, of which this build gets what this server has. Asked for
 * each stage when a runner begins it, so that a short-lived token may be in it.
 */
export type FindOrigin = (build: Build, repo: Repo) => Promise<Origin | 'mirror' | null>
