/** Migrations for the connection to a forge; `migrations.ts` has their order. */

/**
 * The forge: accounts, tokens, webhooks and mirrors, former names, commit statuses that are still
 * to be sent.
 */
export const forge = `
alter table repos add column repo_forge integer not null default 0;
create table forge_accounts (
  account_user_id integer primary key references users (user_id) on delete cascade,
  account_uid text not null unique,
  account_login text not null,
  account_token text not null,
  account_checked integer not null
) strict;
create table forge_repos (
  forge_repo_id integer primary key references repos (repo_id) on delete cascade,
  forge_hook_secret text not null,
  forge_hook_id text not null,
  forge_hook_error text not null,
  forge_hook_seen integer not null,
  forge_mirror_fetched integer not null,
  forge_mirror_error text not null,
  forge_mirror_bytes integer not null,
  forge_gone integer not null
) strict;
create table former_slugs (
  former_slug text primary key,
  former_repo_id integer not null references repos (repo_id) on delete cascade,
  former_since integer not null
) strict, without rowid;
create index ix_former_slugs_repo on former_slugs (former_repo_id);
create table statuses (
  status_id integer primary key autoincrement,
  status_repo_id integer not null references repos (repo_id) on delete cascade,
  status_build_id integer not null,
  status_sha text not null,
  status_context text not null,
  status_state text not null,
  status_description text not null,
  status_url text not null,
  status_ref text not null,
  status_deployment text not null,
  status_environment text not null,
  status_attempts integer not null,
  status_next integer not null,
  status_error text not null,
  unique (status_repo_id, status_sha, status_context)
) strict;
create index ix_statuses_due on statuses (status_next) where status_next > 0;
`

/**
 * The namespaces of the forge: the secrets of an organization belong to its id, whatever its name
 * is.
 */
export const namespaces = `
create table forge_namespaces (
  namespace_uid text primary key,
  namespace_name text not null collate nocase unique
) strict, without rowid;
`

export const externalUsers = `
alter table users add column user_external integer not null default 0;
`
