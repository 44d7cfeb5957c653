/** The tables as Kysely knows them. What the columns mean stands in `migrations.ts` and docs/api §1. */
import type { ColumnType, Generated, Selectable } from 'kysely'

/** 0 or 1. */
type Flag = number
/** Written once; an update would be a mistake. */
type Fixed<T> = ColumnType<T, T, never>

export interface UsersTable {
  user_id: Generated<number>
  user_login: string
  user_email: string
  user_admin: Flag
  user_active: Flag
  user_machine: Flag
  user_avatar: string
  user_syncing: Flag
  user_synced: number
  user_created: number
  user_updated: number
  user_last_login: number
  user_password: string | null
  user_token: string | null
  user_token_hash: string | null
}

export interface SessionsTable {
  session_id: Generated<number>
  session_hash: Fixed<string>
  session_user_id: Fixed<number>
  session_created: Fixed<number>
  session_expires: number
  session_last_seen: number
}

export interface InvitationsTable {
  invitation_hash: string
  invitation_user_id: number
  invitation_expires: number
}

export interface ReposTable {
  repo_id: Generated<number>
  repo_uid: string
  repo_user_id: number
  repo_namespace: string
  repo_name: string
  repo_slug: string
  repo_scm: string
  repo_git_http_url: string
  repo_git_ssh_url: string
  repo_link: string
  repo_default_branch: string
  repo_private: Flag
  repo_visibility: string
  repo_active: Flag
  repo_config_path: string
  repo_trusted: Flag
  repo_protected: Flag
  repo_ignore_forks: Flag
  repo_ignore_pull_requests: Flag
  repo_auto_cancel_pull_requests: Flag
  repo_auto_cancel_pushes: Flag
  repo_auto_cancel_running: Flag
  repo_timeout: number
  repo_throttle: number
  repo_counter: number
  repo_synced: number
  repo_created: number
  repo_updated: number
  repo_version: number
  repo_archived: Flag
  repo_signer: string
  repo_secret: string
  repo_path: string
  repo_missing: Flag
  repo_latest_build_id: number
  repo_public_badge: Generated<Flag>
  /** 1: it lies at the forge, and `repo_uid` is the forge's own id. */
  repo_forge: Generated<Flag>
}

export interface PermsTable {
  perm_user_id: number
  perm_repo_id: number
  perm_read: Flag
  perm_write: Flag
  perm_admin: Flag
  /** It came with being an administrator, and ends with that. */
  perm_from_role: Generated<Flag>
  perm_synced: number
  perm_created: number
  perm_updated: number
}

export interface RefsTable {
  ref_repo_id: number
  ref_name: string
  ref_sha: string
  ref_seen: number
}

export interface BuildsTable {
  build_id: Generated<number>
  build_repo_id: number
  build_number: number
  build_trigger: string
  build_parent: number
  build_status: string
  build_error: string
  build_event: string
  build_action: string
  build_link: string
  build_timestamp: number
  build_title: string
  build_message: string
  build_before: string
  build_after: string
  build_ref: string
  build_source_repo: string
  build_source: string
  build_target: string
  build_author_login: string
  build_author_name: string
  build_author_email: string
  build_author_avatar: string
  build_sender: string
  build_params: string
  build_cron: string
  build_deploy_to: string
  build_deploy_id: number
  build_debug: Flag
  build_started: number
  build_finished: number
  build_created: number
  build_updated: number
  build_version: number
  build_actor: Generated<string>
  build_canceled: Generated<number>
  build_canceled_by: Generated<string>
  build_declined: Generated<number>
  build_declined_by: Generated<string>
  /** The event of the first build that this one is a copy of, or its own. */
  build_origin: Generated<string>
  /** Its stages, save those that were approved, wait or waited for somebody's word. */
  build_gated: Generated<Flag>
  /** Which part of its parent it runs anew, as JSON; empty for the whole. */
  build_again: Generated<string>
  /** Why it failed, as JSON; empty where that is not known. */
  build_cause: Generated<string>
}

/** The newest build per branch, pull request and environment. */
export interface LatestTable {
  latest_repo_id: number
  latest_kind: 'branch' | 'pull' | 'deployment'
  latest_name: string
  latest_build_id: number
}

export interface StagesTable {
  stage_id: Generated<number>
  stage_repo_id: number
  stage_build_id: number
  stage_number: number
  stage_name: string
  stage_kind: string
  stage_type: string
  stage_status: string
  stage_error: string
  stage_errignore: Flag
  stage_exit_code: number
  stage_machine: string
  stage_os: string
  stage_arch: string
  stage_variant: string
  stage_kernel: string
  stage_limit: number
  stage_throttle: number
  stage_started: number
  stage_stopped: number
  stage_created: number
  stage_updated: number
  stage_version: number
  stage_on_success: Flag
  stage_on_failure: Flag
  stage_depends_on: string
  stage_labels: string
  stage_approved: Generated<number>
  stage_approved_by: Generated<string>
  stage_declined: Generated<number>
  stage_declined_by: Generated<string>
  /** 1: a runner on another machine has it. */
  stage_remote: Generated<Flag>
  /** What its file says to no effect. */
  stage_ignored: Generated<string>
  /** Steps that conditions leave out of it, as JSON. */
  stage_left_out: Generated<string>
  /** The number of the build in which it ran; 0: in its own. */
  stage_taken_over: Generated<number>
}

export interface StepsTable {
  step_id: Generated<number>
  step_stage_id: number
  step_number: number
  step_name: string
  step_status: string
  step_error: string
  step_errignore: Flag
  step_exit_code: number
  step_started: number
  step_stopped: number
  step_version: number
  step_depends_on: string
  step_image: string
  step_detached: Flag
  step_schema: string
  /** 1: the runner has sent the whole log. */
  step_uploaded: Generated<Flag>
  /** The step that ran in its place; 0: it runs itself. */
  step_origin: Generated<number>
}

/** Why steps failed. */
export interface CausesTable {
  cause_step_id: number
  cause_build_id: number
  cause_repo_id: number
  cause_created: number
  cause_line: number
  cause_text: string
  /** The same for equal failures; empty where the line would be the same for others. */
  cause_print: string
}

export interface CardsTable {
  /** The step's. */
  card_id: number
  card_data: string
}

export interface ConfigsTable {
  config_build_id: number
  config_data: string
  /** Pipelines that conditions leave out of the build, as JSON. */
  config_left_out: Generated<string>
}

export interface SecretsTable {
  secret_id: Generated<number>
  secret_repo_id: number
  secret_name: string
  secret_data: string
  secret_pull_request: Flag
  secret_pull_request_push: Flag
}

export interface OrgSecretsTable {
  secret_id: Generated<number>
  secret_namespace: string
  secret_name: string
  secret_data: string
  secret_pull_request: Flag
  secret_pull_request_push: Flag
}

export interface CronTable {
  cron_id: Generated<number>
  cron_repo_id: number
  cron_name: string
  cron_expr: string
  cron_next: number
  cron_prev: number
  cron_event: string
  cron_branch: string
  cron_target: string
  cron_disabled: Flag
  cron_created: number
  cron_updated: number
  cron_version: number
  /** When it last could not start a build, and why; 0 and empty once it has started one. */
  cron_failed: Generated<number>
  cron_error: Generated<string>
}

export interface SettingsTable {
  setting_name: string
  setting_value: string
}

/** Accounts that belong to a person of the forge, by the forge's own id. */
export interface ForgeAccountsTable {
  account_user_id: number
  account_uid: string
  /** As the forge named the person last. */
  account_login: string
  /** Sealed JSON of a `ForgeToken`; empty: the person must sign in again. */
  account_token: string
  /** When the forge last said that the token is good. */
  account_checked: number
}

/** What is known of a repository at the forge beside the row of `repos`. */
export interface ForgeReposTable {
  forge_repo_id: number
  /** Sealed; empty: there is no hook. */
  forge_hook_secret: string
  forge_hook_id: string
  /** Why the hook could not be installed; empty: it is. */
  forge_hook_error: string
  /** When a hook was last received. */
  forge_hook_seen: number
  forge_mirror_fetched: number
  forge_mirror_error: string
  forge_mirror_bytes: number
  /** 1: the forge has it no more. */
  forge_gone: Flag
}

/** Names that repositories had before. */
export interface FormerSlugsTable {
  former_slug: string
  former_repo_id: number
  former_since: number
}

/** Commit statuses, and what of them the forge was sent. */
export interface StatusesTable {
  status_id: Generated<number>
  status_repo_id: number
  status_build_id: number
  status_sha: string
  status_context: string
  status_state: string
  status_description: string
  status_url: string
  /** Of GitLab and of deployments. */
  status_ref: string
  /** The forge's id of a deployment; empty: a commit status. */
  status_deployment: string
  status_environment: string
  /** Attempts that failed since the last change. */
  status_attempts: number
  /** Unix seconds of the next attempt; 0: all is sent. */
  status_next: number
  status_error: string
}

export interface Schema {
  forge_accounts: ForgeAccountsTable
  forge_repos: ForgeReposTable
  former_slugs: FormerSlugsTable
  statuses: StatusesTable
  users: UsersTable
  sessions: SessionsTable
  invitations: InvitationsTable
  repos: ReposTable
  perms: PermsTable
  refs: RefsTable
  builds: BuildsTable
  latest: LatestTable
  stages: StagesTable
  steps: StepsTable
  cards: CardsTable
  causes: CausesTable
  configs: ConfigsTable
  secrets: SecretsTable
  orgsecrets: OrgSecretsTable
  cron: CronTable
  settings: SettingsTable
}

export type UserRow = Selectable<UsersTable>
export type PermRow = Selectable<PermsTable>
export type SessionRow = Selectable<SessionsTable>
export type RepoRow = Selectable<ReposTable>
export type BuildRow = Selectable<BuildsTable>
export type StageRow = Selectable<StagesTable>
export type StepRow = Selectable<StepsTable>
export type CronRow = Selectable<CronTable>
export type SecretRow = Selectable<SecretsTable>
export type OrgSecretRow = Selectable<OrgSecretsTable>
