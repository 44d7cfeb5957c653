/** The tables of the first release, which is the first step of `migrations.ts`. Never edit them. */
const people = `
create table users (
  user_id integer primary key autoincrement,
  user_login text not null collate nocase unique,
  user_email text not null,
  user_admin integer not null,
  user_active integer not null,
  user_machine integer not null,
  user_avatar text not null,
  user_syncing integer not null,
  user_synced integer not null,
  user_created integer not null,
  user_updated integer not null,
  user_last_login integer not null,
  user_password text,
  user_token text,
  user_token_hash text unique
) strict;

create table sessions (
  session_id integer primary key autoincrement,
  session_hash text not null unique,
  session_user_id integer not null references users (user_id) on delete cascade,
  session_created integer not null,
  session_expires integer not null,
  session_last_seen integer not null
) strict;
create index ix_sessions_user on sessions (session_user_id);

create table invitations (
  invitation_hash text primary key,
  invitation_user_id integer not null references users (user_id) on delete cascade,
  invitation_expires integer not null
) strict, without rowid;
create index ix_invitations_user on invitations (invitation_user_id);
`

const repositories = `
create table repos (
  repo_id integer primary key autoincrement,
  repo_uid text not null unique,
  repo_user_id integer not null,
  repo_namespace text not null,
  repo_name text not null,
  repo_slug text not null unique,
  repo_scm text not null,
  repo_git_http_url text not null,
  repo_git_ssh_url text not null,
  repo_link text not null,
  repo_default_branch text not null,
  repo_private integer not null,
  repo_visibility text not null,
  repo_active integer not null,
  repo_config_path text not null,
  repo_trusted integer not null,
  repo_protected integer not null,
  repo_ignore_forks integer not null,
  repo_ignore_pull_requests integer not null,
  repo_auto_cancel_pull_requests integer not null,
  repo_auto_cancel_pushes integer not null,
  repo_auto_cancel_running integer not null,
  repo_timeout integer not null,
  repo_throttle integer not null,
  repo_counter integer not null,
  repo_synced integer not null,
  repo_created integer not null,
  repo_updated integer not null,
  repo_version integer not null,
  repo_archived integer not null,
  repo_signer text not null,
  repo_secret text not null,
  repo_path text not null,
  repo_missing integer not null,
  repo_latest_build_id integer not null
) strict;
create index ix_repos_user on repos (repo_user_id);
create index ix_repos_active on repos (repo_id) where repo_active = 1;

create table perms (
  perm_user_id integer not null references users (user_id) on delete cascade,
  perm_repo_id integer not null references repos (repo_id) on delete cascade,
  perm_read integer not null,
  perm_write integer not null,
  perm_admin integer not null,
  perm_synced integer not null,
  perm_created integer not null,
  perm_updated integer not null,
  primary key (perm_user_id, perm_repo_id)
) strict, without rowid;
create index ix_perms_repo on perms (perm_repo_id);

create table refs (
  ref_repo_id integer not null references repos (repo_id) on delete cascade,
  ref_name text not null,
  ref_sha text not null,
  ref_seen integer not null,
  primary key (ref_repo_id, ref_name)
) strict, without rowid;
`

const builds = `
create table builds (
  build_id integer primary key autoincrement,
  build_repo_id integer not null references repos (repo_id) on delete cascade,
  build_number integer not null,
  build_trigger text not null,
  build_parent integer not null,
  build_status text not null,
  build_error text not null,
  build_event text not null,
  build_action text not null,
  build_link text not null,
  build_timestamp integer not null,
  build_title text not null,
  build_message text not null,
  build_before text not null,
  build_after text not null,
  build_ref text not null,
  build_source_repo text not null,
  build_source text not null,
  build_target text not null,
  build_author_login text not null,
  build_author_name text not null,
  build_author_email text not null,
  build_author_avatar text not null,
  build_sender text not null,
  build_params text not null,
  build_cron text not null,
  build_deploy_to text not null,
  build_deploy_id integer not null,
  build_debug integer not null,
  build_started integer not null,
  build_finished integer not null,
  build_created integer not null,
  build_updated integer not null,
  build_version integer not null,
  unique (build_repo_id, build_number)
) strict;
create index ix_builds_ref on builds (build_repo_id, build_ref, build_number);
create index ix_builds_incomplete on builds (build_id) where build_status in ('pending', 'running');

create table latest (
  latest_repo_id integer not null references repos (repo_id) on delete cascade,
  latest_kind text not null,
  latest_name text not null,
  latest_build_id integer not null references builds (build_id) on delete cascade,
  primary key (latest_repo_id, latest_kind, latest_name)
) strict, without rowid;
create index ix_latest_build on latest (latest_build_id);

create table stages (
  stage_id integer primary key autoincrement,
  stage_repo_id integer not null,
  stage_build_id integer not null references builds (build_id) on delete cascade,
  stage_number integer not null,
  stage_name text not null,
  stage_kind text not null,
  stage_type text not null,
  stage_status text not null,
  stage_error text not null,
  stage_errignore integer not null,
  stage_exit_code integer not null,
  stage_machine text not null,
  stage_os text not null,
  stage_arch text not null,
  stage_variant text not null,
  stage_kernel text not null,
  stage_limit integer not null,
  stage_throttle integer not null,
  stage_started integer not null,
  stage_stopped integer not null,
  stage_created integer not null,
  stage_updated integer not null,
  stage_version integer not null,
  stage_on_success integer not null,
  stage_on_failure integer not null,
  stage_depends_on text not null,
  stage_labels text not null,
  unique (stage_build_id, stage_number)
) strict;
create index ix_stages_live on stages (stage_id) where stage_status in ('pending', 'running');

create table steps (
  step_id integer primary key autoincrement,
  step_stage_id integer not null references stages (stage_id) on delete cascade,
  step_number integer not null,
  step_name text not null,
  step_status text not null,
  step_error text not null,
  step_errignore integer not null,
  step_exit_code integer not null,
  step_started integer not null,
  step_stopped integer not null,
  step_version integer not null,
  step_depends_on text not null,
  step_image text not null,
  step_detached integer not null,
  step_schema text not null,
  unique (step_stage_id, step_number)
) strict;

create table configs (
  config_build_id integer primary key references builds (build_id) on delete cascade,
  config_data text not null
) strict;
`

const settings = `
create table secrets (
  secret_id integer primary key autoincrement,
  secret_repo_id integer not null references repos (repo_id) on delete cascade,
  secret_name text not null,
  secret_data text not null,
  secret_pull_request integer not null,
  secret_pull_request_push integer not null,
  unique (secret_repo_id, secret_name)
) strict;

create table orgsecrets (
  secret_id integer primary key autoincrement,
  secret_namespace text not null collate nocase,
  secret_name text not null collate nocase,
  secret_data text not null,
  secret_pull_request integer not null,
  secret_pull_request_push integer not null,
  unique (secret_namespace, secret_name)
) strict;

create table cron (
  cron_id integer primary key autoincrement,
  cron_repo_id integer not null references repos (repo_id) on delete cascade,
  cron_name text not null,
  cron_expr text not null,
  cron_next integer not null,
  cron_prev integer not null,
  cron_event text not null,
  cron_branch text not null,
  cron_target text not null,
  cron_disabled integer not null,
  cron_created integer not null,
  cron_updated integer not null,
  cron_version integer not null,
  unique (cron_repo_id, cron_name)
) strict;
create index ix_cron_next on cron (cron_next) where cron_disabled = 0;

create table settings (
  setting_name text primary key,
  setting_value text not null
) strict, without rowid;
`

export const firstSchema = people + repositories + builds + settings
