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
 * The origin of a repository that is hosted elsewhere, such as on a forge; `null` for a repository
 * that this server serves; `mirror` for a hosted repository that this build clones from this
 * server. Called when a runner starts a stage, so it can contain a short-lived token.
 */
export type FindOrigin = (build: Build, repo: Repo) => Promise<Origin | 'mirror' | null>
