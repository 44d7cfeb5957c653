/**
 * The tables' types for Kysely. Those of entities derive from `tables/`. docs/api §1 describes the
 * columns.
 */
import type { ViewList } from '@flightdeck/api'
import type { ColumnType, Generated, Selectable } from 'kysely'
import type { TableOf } from './table.ts'
import type { builds } from './tables/builds.ts'
import type { cron } from './tables/cron.ts'
import type { repos } from './tables/repos.ts'
import type { orgSecrets, secrets } from './tables/secrets.ts'
import type { stages } from './tables/stages.ts'
import type { steps } from './tables/steps.ts'
import type { users } from './tables/users.ts'

/** 0 or 1. */
type Flag = number
/** Written once and never updated. */
type Fixed<T> = ColumnType<T, T, never>

export interface SessionsTable {
  session_id: Generated<number>
  session_hash: Fixed<string>
  session_user_id: Fixed<number>
  session_created: Fixed<number>
  session_expires: number
  session_last_seen: number
  /** The client's address at sign-in; empty in sessions that are older than the column. */
  session_address: Generated<string>
  /** The `User-Agent` header of the browser that signed in. */
  session_agent: Generated<string>
}

/** Entries of the audit log. */
export interface AuditTable {
  audit_id: Generated<number>
  audit_time: number
  /** 0 means the server itself. */
  audit_user_id: number
  audit_user: string
  audit_kind: string
  audit_action: string
  /** The repository, namespace or login. */
  audit_target: string
  audit_name: string
  /** JSON, without any secret. */
  audit_details: string
  audit_address: string
  audit_agent: string
  audit_request: string
}

/** Named tokens of users. */
export interface AccessTokensTable {
  access_token_id: Generated<number>
  access_token_user_id: Fixed<number>
  access_token_hash: Fixed<string>
  access_token_name: Fixed<string>
  access_token_created: Fixed<number>
  /** Unix seconds; 0 means never. */
  access_token_expires: Fixed<number>
  /** Unix seconds; 0 means never used. */
  access_token_last_used: number
  /** 1 if the token has expired and its streams were ended. */
  access_token_expired: Flag
}

/** Links to the wall, with the users who created them. */
export interface WallLinksTable {
  wall_link_id: Generated<number>
  wall_link_user_id: Fixed<number>
  wall_link_hash: Fixed<string>
  wall_link_name: Fixed<string>
  /** A JSON list of ids. */
  wall_link_repos: Fixed<string>
  wall_link_created: Fixed<number>
  /** Unix seconds; 0 means never. */
  wall_link_expires: Fixed<number>
  /** Unix seconds; 0 means never opened. */
  wall_link_last_used: number
  /** 1 if the link has expired and open walls were ended. */
  wall_link_expired: Flag
}

export interface InvitationsTable {
  invitation_hash: string
  invitation_user_id: number
  invitation_expires: number
}

export interface PermsTable {
  perm_user_id: number
  perm_repo_id: number
  perm_read: Flag
  perm_write: Flag
  perm_admin: Flag
  /** 1 if it comes from the administrator role, and ends with it. */
  perm_from_role: Generated<Flag>
  perm_synced: number
  perm_created: number
  perm_updated: number
}

export interface RetentionTable {
  retention_repo_id: number
  /** -1 means the server's default; 0 means no limit. */
  retention_build_days: Generated<number>
  retention_builds: Generated<number>
  retention_log_days: Generated<number>
  retention_log_mb: Generated<number>
  /** Builds with a lower number have no logs any more. */
  retention_logs_from: Generated<number>
  /** Unix seconds of the last run; 0 means never. */
  retention_ran: Generated<number>
  retention_removed_builds: Generated<number>
  retention_removed_logs: Generated<number>
  retention_freed_bytes: Generated<number>
  retention_error: Generated<string>
}

export interface RefsTable {
  ref_repo_id: number
  ref_name: string
  ref_sha: string
  ref_seen: number
}

/** The newest build per branch, pull request and environment. */
export interface LatestTable {
  latest_repo_id: number
  latest_kind: 'branch' | 'pull' | 'deployment'
  latest_name: string
  latest_build_id: number
}

/** Why steps failed. */
export interface CausesTable {
  cause_step_id: number
  cause_build_id: number
  cause_repo_id: number
  cause_created: number
  cause_line: number
  cause_text: string
  /** Equal for equal failures; empty if the line does not identify the failure. */
  cause_print: string
}

export interface CardsTable {
  /** The id of the step. */
  card_id: number
  card_data: string
}

export interface ConfigsTable {
  config_build_id: number
  config_data: string
  /** Pipelines that conditions exclude from the build, as JSON. */
  config_left_out: Generated<string>
}

export interface SettingsTable {
  setting_name: string
  setting_value: string
}

/** Accounts that belong to a user of the forge, by the forge's own id. */
export interface ForgeAccountsTable {
  account_user_id: number
  account_uid: string
  /** The user's last known login at the forge. */
  account_login: string
  /** Sealed JSON of a `ForgeToken`; empty if the user must sign in again. */
  account_token: string
  /** When the forge last accepted the token. */
  account_checked: number
}

/** Data about a repository of the forge, in addition to the row of `repos`. */
export interface ForgeReposTable {
  forge_repo_id: number
  /** Sealed; empty if there is no webhook. */
  forge_hook_secret: string
  forge_hook_id: string
  /** Why the webhook could not be installed; empty if it is installed. */
  forge_hook_error: string
  /** When a webhook was last received. */
  forge_hook_seen: number
  forge_mirror_fetched: number
  forge_mirror_error: string
  forge_mirror_bytes: number
  /** 1 if the repository does not exist on the forge any more. */
  forge_gone: Flag
}

/** Former names of repositories. */
export interface FormerSlugsTable {
  former_slug: string
  former_repo_id: number
  former_since: number
}

/** Commit statuses, and what was sent of them to the forge. */
export interface StatusesTable {
  status_id: Generated<number>
  status_repo_id: number
  status_build_id: number
  status_sha: string
  status_context: string
  status_state: string
  status_description: string
  status_url: string
  /** Only for GitLab and for deployments. */
  status_ref: string
  /** The forge's id of a deployment; empty for a commit status. */
  status_deployment: string
  status_environment: string
  /** Failed attempts since the last change. */
  status_attempts: number
  /** Unix seconds of the next attempt; 0 if everything was sent. */
  status_next: number
  status_error: string
}

/**
 * The users who may deploy to an environment. Without a row, every user with write permission may
 * deploy.
 */
export interface EnvironmentsTable {
  environment_repo_id: number
  environment_name: string
  environment_who: string
  /** Logins, with a space before and after each. */
  environment_people: string
  environment_approval: Flag
}

/** The repositories that a user pinned to the top of the dashboard. */
export interface FavoritesTable {
  favorite_user_id: number
  favorite_repo_id: number
}

/** Filters of lists that a user saved. */
export interface ViewsTable {
  view_user_id: number
  view_list: ViewList
  view_name: string
  view_query: string
  view_default: number
}

export interface Schema {
  forge_accounts: ForgeAccountsTable
  forge_repos: ForgeReposTable
  former_slugs: FormerSlugsTable
  statuses: StatusesTable
  environments: EnvironmentsTable
  favorites: FavoritesTable
  views: ViewsTable
  users: TableOf<typeof users>
  sessions: SessionsTable
  audit: AuditTable
  access_tokens: AccessTokensTable
  wall_links: WallLinksTable
  invitations: InvitationsTable
  repos: TableOf<typeof repos>
  perms: PermsTable
  refs: RefsTable
  builds: TableOf<typeof builds>
  latest: LatestTable
  stages: TableOf<typeof stages>
  steps: TableOf<typeof steps>
  cards: CardsTable
  retention: RetentionTable
  causes: CausesTable
  configs: ConfigsTable
  secrets: TableOf<typeof secrets>
  orgsecrets: TableOf<typeof orgSecrets>
  cron: TableOf<typeof cron>
  settings: SettingsTable
}

export type UserRow = Selectable<TableOf<typeof users>>
export type PermRow = Selectable<PermsTable>
export type SessionRow = Selectable<SessionsTable>
export type RepoRow = Selectable<TableOf<typeof repos>>
export type BuildRow = Selectable<TableOf<typeof builds>>
export type StageRow = Selectable<TableOf<typeof stages>>
export type StepRow = Selectable<TableOf<typeof steps>>
export type SecretRow = Selectable<TableOf<typeof secrets>>
export type OrgSecretRow = Selectable<TableOf<typeof orgSecrets>>
