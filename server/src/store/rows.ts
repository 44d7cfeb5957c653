/**
 * Rows of the database as entities of the API, with the omission rules of docs/api §1 (`?` = the key is left out when it
 * is zero, false or empty), and back.
 */
import type {
  Again,
  Build,
  BuildCause,
  BuildEvent,
  Cron,
  LeftOut,
  Repo,
  Secret,
  Stage,
  Status,
  Step,
  User,
  Visibility,
} from '@flightdeck/api'
import type { BuildRow, CronRow, OrgSecretRow, RepoRow, SecretRow, StageRow, StepRow, UserRow } from './schema.ts'

export const flag = (value: boolean | undefined): number => (value ? 1 : 0)
export const listText = (list: readonly string[] | undefined): string => (list?.length ? JSON.stringify(list) : '')
/** Keys in order, as the API shows them (docs/api §1.4). */
export const mapText = (map: Record<string, string> | undefined): string => {
  const keys = Object.keys(map ?? {}).toSorted()
  return map && keys.length > 0 ? JSON.stringify(Object.fromEntries(keys.map((key) => [key, map[key]]))) : ''
}

export const toUser = (row: UserRow): User => ({
  id: row.user_id,
  login: row.user_login,
  email: row.user_email,
  machine: row.user_machine === 1,
  admin: row.user_admin === 1,
  active: row.user_active === 1,
  avatar: row.user_avatar,
  syncing: row.user_syncing === 1,
  synced: row.user_synced,
  created: row.user_created,
  updated: row.user_updated,
  last_login: row.user_last_login,
  has_password: row.user_password !== null,
})

export const toRepo = (row: RepoRow): Repo => ({
  id: row.repo_id,
  uid: row.repo_uid,
  user_id: row.repo_user_id,
  namespace: row.repo_namespace,
  name: row.repo_name,
  slug: row.repo_slug,
  scm: row.repo_scm,
  git_http_url: row.repo_git_http_url,
  git_ssh_url: row.repo_git_ssh_url,
  link: row.repo_link,
  default_branch: row.repo_default_branch,
  private: row.repo_private === 1,
  // Not validated on the way in (docs/api §2.3), so any text may stand here.
  visibility: row.repo_visibility as Visibility,
  active: row.repo_active === 1,
  config_path: row.repo_config_path,
  trusted: row.repo_trusted === 1,
  protected: row.repo_protected === 1,
  ignore_forks: row.repo_ignore_forks === 1,
  ignore_pull_requests: row.repo_ignore_pull_requests === 1,
  auto_cancel_pull_requests: row.repo_auto_cancel_pull_requests === 1,
  auto_cancel_pushes: row.repo_auto_cancel_pushes === 1,
  auto_cancel_running: row.repo_auto_cancel_running === 1,
  timeout: row.repo_timeout,
  ...(row.repo_throttle !== 0 && { throttle: row.repo_throttle }),
  counter: row.repo_counter,
  synced: row.repo_synced,
  created: row.repo_created,
  updated: row.repo_updated,
  version: row.repo_version,
  archived: row.repo_archived === 1,
  public_badge: row.repo_public_badge === 1,
})

export const toBuild = (row: BuildRow): Build => ({
  id: row.build_id,
  repo_id: row.build_repo_id,
  trigger: row.build_trigger,
  number: row.build_number,
  ...(row.build_parent !== 0 && { parent: row.build_parent }),
  status: row.build_status as Status,
  ...(row.build_error && { error: row.build_error }),
  event: row.build_event as BuildEvent,
  action: row.build_action,
  link: row.build_link,
  timestamp: row.build_timestamp,
  ...(row.build_title && { title: row.build_title }),
  message: row.build_message,
  before: row.build_before,
  after: row.build_after,
  ref: row.build_ref,
  source_repo: row.build_source_repo,
  source: row.build_source,
  target: row.build_target,
  author_login: row.build_author_login,
  author_name: row.build_author_name,
  author_email: row.build_author_email,
  author_avatar: row.build_author_avatar,
  sender: row.build_sender,
  ...(row.build_params && { params: JSON.parse(row.build_params) as Record<string, string> }),
  ...(row.build_cron && { cron: row.build_cron }),
  ...(row.build_deploy_to && { deploy_to: row.build_deploy_to }),
  ...(row.build_deploy_id !== 0 && { deploy_id: row.build_deploy_id }),
  ...(row.build_debug === 1 && { debug: true }),
  started: row.build_started,
  finished: row.build_finished,
  created: row.build_created,
  updated: row.build_updated,
  version: row.build_version,
  ...(row.build_actor && { actor: row.build_actor }),
  ...(row.build_canceled !== 0 && { canceled: row.build_canceled }),
  ...(row.build_canceled_by && { canceled_by: row.build_canceled_by }),
  ...(row.build_declined !== 0 && { declined: row.build_declined }),
  ...(row.build_declined_by && { declined_by: row.build_declined_by }),
  ...(row.build_again && { again: JSON.parse(row.build_again) as Again }),
  ...(row.build_cause && { cause: JSON.parse(row.build_cause) as BuildCause }),
})

export const toStage = (row: StageRow): Stage => ({
  id: row.stage_id,
  repo_id: row.stage_repo_id,
  build_id: row.stage_build_id,
  number: row.stage_number,
  name: row.stage_name,
  ...(row.stage_kind && { kind: row.stage_kind }),
  ...(row.stage_type && { type: row.stage_type }),
  status: row.stage_status as Status,
  ...(row.stage_error && { error: row.stage_error }),
  errignore: row.stage_errignore === 1,
  exit_code: row.stage_exit_code,
  ...(row.stage_machine && { machine: row.stage_machine }),
  os: row.stage_os,
  arch: row.stage_arch,
  ...(row.stage_variant && { variant: row.stage_variant }),
  ...(row.stage_kernel && { kernel: row.stage_kernel }),
  ...(row.stage_limit !== 0 && { limit: row.stage_limit }),
  ...(row.stage_throttle !== 0 && { throttle: row.stage_throttle }),
  started: row.stage_started,
  stopped: row.stage_stopped,
  created: row.stage_created,
  updated: row.stage_updated,
  version: row.stage_version,
  on_success: row.stage_on_success === 1,
  on_failure: row.stage_on_failure === 1,
  ...(row.stage_depends_on && { depends_on: JSON.parse(row.stage_depends_on) as string[] }),
  ...(row.stage_labels && { labels: JSON.parse(row.stage_labels) as Record<string, string> }),
  ...(row.stage_approved !== 0 && { approved: row.stage_approved }),
  ...(row.stage_approved_by && { approved_by: row.stage_approved_by }),
  ...(row.stage_declined !== 0 && { declined: row.stage_declined }),
  ...(row.stage_declined_by && { declined_by: row.stage_declined_by }),
  ...(row.stage_taken_over !== 0 && { taken_over: row.stage_taken_over }),
  ...(row.stage_ignored && { ignored: JSON.parse(row.stage_ignored) as string[] }),
})

/** For who reads a whole build: a runner gets its stage without. */
export const toToldStage = (row: StageRow): Stage => ({
  ...toStage(row),
  ...(row.stage_left_out && { left_out: JSON.parse(row.stage_left_out) as LeftOut[] }),
})

export const toStep = (row: StepRow): Step => ({
  id: row.step_id,
  step_id: row.step_stage_id,
  number: row.step_number,
  name: row.step_name,
  status: row.step_status as Status,
  ...(row.step_error && { error: row.step_error }),
  ...(row.step_errignore === 1 && { errignore: true }),
  exit_code: row.step_exit_code,
  ...(row.step_started !== 0 && { started: row.step_started }),
  ...(row.step_stopped !== 0 && { stopped: row.step_stopped }),
  version: row.step_version,
  ...(row.step_depends_on && { depends_on: JSON.parse(row.step_depends_on) as string[] }),
  ...(row.step_image && { image: row.step_image }),
  ...(row.step_detached === 1 && { detached: true }),
  ...(row.step_schema && { schema: row.step_schema }),
})

export const toCron = (row: CronRow): Cron => ({
  id: row.cron_id,
  repo_id: row.cron_repo_id,
  name: row.cron_name,
  expr: row.cron_expr,
  next: row.cron_next,
  prev: row.cron_prev,
  event: row.cron_event,
  branch: row.cron_branch,
  ...(row.cron_target && { target: row.cron_target }),
  disabled: row.cron_disabled === 1,
  created: row.cron_created,
  updated: row.cron_updated,
  version: row.cron_version,
  ...(row.cron_failed !== 0 && { failed: row.cron_failed, error: row.cron_error }),
})

const secretFlags = (row: SecretRow | OrgSecretRow): Pick<Secret, 'pull_request' | 'pull_request_push'> => ({
  ...(row.secret_pull_request === 1 && { pull_request: true }),
  ...(row.secret_pull_request_push === 1 && { pull_request_push: true }),
})
/** Without its value: that leaves the store only through `listSealedSecrets`. */
export const toSecret = (row: SecretRow): Secret => ({
  id: row.secret_id,
  repo_id: row.secret_repo_id,
  name: row.secret_name,
  ...secretFlags(row),
})
export const toOrgSecret = (row: OrgSecretRow): Secret => ({
  id: row.secret_id,
  namespace: row.secret_namespace,
  name: row.secret_name,
  ...secretFlags(row),
})
