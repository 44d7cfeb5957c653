/** People and their rights. */
import type { ViewList } from './view-lists.ts'
import type { Capability } from './capabilities.ts'
import type { Json } from './schemas.ts'

/** How far the forge's list of repositories is read, and what the last sync left out: ours alone (docs/api/forge.md). */
export type SyncProgress = Json<'SyncProgress'>
/** How a repository is connected to its forge (docs/api/forge.md). */
export type RepoConnection = Json<'RepoConnection'>

export type AuditEntry = Json<'AuditEntry'>
export type AuditKind = AuditEntry['kind']
export type AuditPage = Json<'AuditPage'>

/** A named token, without its value. `expires`: 0 is never; `last_used`: to the minute, 0 is never. */
export type AccessToken = Json<'AccessToken'>
export type CreatedAccessToken = Json<'CreatedAccessToken'>
/** A link to the wall, without its value. `expires` and `last_used` as of a named token. */
export type WallLink = Json<'WallLink'>
export type CreatedWallLink = Json<'CreatedWallLink'>
export type Wall = Json<'Wall'>
export type WallTile = Json<'WallTile'>
/** A browser that is signed in. `last_seen` is written once an hour. */
export type Session = Json<'Session'>

export interface User {
  id: number
  login: string
  email: string
  machine: boolean
  admin: boolean
  active: boolean
  /** Address of a picture; may be empty. */
  avatar: string
  /** The list of repositories is being read again. */
  syncing: boolean
  synced: number
  created: number
  updated: number
  last_login: number
  /** Ours alone: can sign in with a password. */
  has_password?: boolean
  /** Flightdeck only: before another server, a single token is used for all users. This is what it allows. */
  shared_token?: 'reads' | 'writes'
  /** Ours alone, of `GET /api/user` for an administrator: folders that the last sync refused, each with the reason. */
  sync_refused?: string[]
  /** Ours alone, of `GET /api/user`: slugs of the repositories at the top of the dashboard. Absent: none. */
  favorites?: string[]
  /** Flightdeck only, of `GET /api/user`: filters that the person saved. Absent: none. */
  views?: SavedView[]
  /** Ours alone, of `/api/user`: what this server offers beyond Drone's API. */
  capabilities?: Capability[]
}

/** Flightdeck only: a filter that a person saved. */
export interface SavedView {
  list: ViewList
  name: string
  /** The parameters of the list's address, without the `?`. */
  query: string
  /** The list opens with it. At most one of a list. */
  default: boolean
}

/** Ours alone: a link that sets a password once. Shown when it is made and never again. */
export interface Invitation {
  /** The value is in the fragment, which is never sent to a server or logged. */
  url: string
  expires: number
}

/** Answer of `POST /api/users`: machines have a token, people an invitation. */
export interface CreatedUser extends User {
  token?: string
  invitation?: Invitation
}

/** Answer of `POST /api/user/token`, and of creating a machine user (docs/api §1.2). */
export interface UserWithToken extends User {
  token: string
}

export interface Permissions {
  read: boolean
  write: boolean
  admin: boolean
}

/** Rights on a repository, each holding the ones below it. */
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
