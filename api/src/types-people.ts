/** Users and their permissions. */
import type { ViewList } from './view-lists.ts'
import type { Capability } from './capabilities.ts'
import type { Json } from './schemas.ts'

/**
 * Flightdeck only: the progress of reading the forge's repositories, and what the last sync
 * excluded (docs/api/forge.md).
 */
export type SyncProgress = Json<'SyncProgress'>
/** The connection of a repository to its forge (docs/api/forge.md). */
export type RepoConnection = Json<'RepoConnection'>

export type AuditEntry = Json<'AuditEntry'>
export type AuditKind = AuditEntry['kind']
export type AuditPage = Json<'AuditPage'>

/**
 * A named token, without its value. `expires`: 0 for never; `last_used`: to the minute, 0 for
 * never.
 */
export type AccessToken = Json<'AccessToken'>
export type CreatedAccessToken = Json<'CreatedAccessToken'>
/** A link to the wall, without its value. `expires` and `last_used` as for a named token. */
export type WallLink = Json<'WallLink'>
export type CreatedWallLink = Json<'CreatedWallLink'>
export type Wall = Json<'Wall'>
export type WallTile = Json<'WallTile'>
/** A signed-in browser. `last_seen` is updated once an hour. */
export type Session = Json<'Session'>

export interface User {
  id: number
  login: string
  email: string
  machine: boolean
  admin: boolean
  active: boolean
  /** The URL of a picture; can be empty. */
  avatar: string
  /** The server is synchronizing the repositories. */
  syncing: boolean
  synced: number
  created: number
  updated: number
  last_login: number
  /** Flightdeck only: the Git host shows this person no internal repositories. */
  external?: boolean
  /** Flightdeck only: the user can sign in with a password. */
  has_password?: boolean
  /**
   * Flightdeck only: this server is a gateway that uses a single token for all users; what the
   * token allows.
   */
  shared_token?: 'reads' | 'writes'
  /**
   * Flightdeck only, in `GET /api/user` for an administrator: folders that the last sync rejected,
   * with the reasons.
   */
  sync_refused?: string[]
  /**
   * Flightdeck only, in `GET /api/user`: slugs of the repositories at the top of the dashboard.
   * Absent: none.
   */
  favorites?: string[]
  /** Flightdeck only, in `GET /api/user`: the user's saved filters. Absent: none. */
  views?: SavedView[]
  /** Flightdeck only, in `/api/user`: what this server offers beyond Drone's API. */
  capabilities?: Capability[]
}

/** Flightdeck only: a saved filter of a list. */
export interface SavedView {
  list: ViewList
  name: string
  /** The parameters in the list's URL, without the `?`. */
  query: string
  /** The list opens with this filter. At most one per list. */
  default: boolean
}

/**
 * Flightdeck only: a link that sets a password once. Only the response that creates it includes it.
 */
export interface Invitation {
  /** The value is in the fragment, which is never sent to a server or logged. */
  url: string
  expires: number
}

/** The response of `POST /api/users`: a machine user has a token, a person an invitation. */
export interface CreatedUser extends User {
  token?: string
  invitation?: Invitation
}

/** The response of `POST /api/user/token`, and for a new machine user (docs/api §1.2). */
export interface UserWithToken extends User {
  token: string
}

export interface Permissions {
  read: boolean
  write: boolean
  admin: boolean
}

/** Roles on a repository, each of which includes the ones below. */
export type Role = 'read' | 'write' | 'admin'

export interface Collaborator extends Permissions {
  user_id: number
  /** The repository's `uid`. */
  repo_id: string
  login: string
  avatar: string
  synced: number
  created: number
  updated: number
}
