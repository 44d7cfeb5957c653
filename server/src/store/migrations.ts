/**
 * The schema, as a list of migrations. Never edit a released one; add a new one at the end.
 * Column names start with the table's prefix. Clients know the texts of SQLite's unique violations,
 * so those names are part of the API (docs/api §2.2, §2.5, §2.7), and joins need no aliases. Times
 * are Unix seconds with 0 for never, booleans are 0 or 1, and lists and maps are JSON texts.
 */
import { firstSchema } from './first-schema.ts'
import { externalUsers, forge, namespaces } from './forge-migrations.ts'

/**
 * The actor, the origin of a build and whether it waits for an approval.
 * Only the event of existing builds is known: a deployment counts as coming from a push, and a
 * manual build of neither a branch nor a tag as coming from a pull request. Both are cautious
 * guesses.
 */
const actors = `
alter table builds add column build_actor text not null default '';
alter table builds add column build_canceled integer not null default 0;
alter table builds add column build_canceled_by text not null default '';
alter table builds add column build_origin text not null default '';
alter table builds add column build_gated integer not null default 0;
alter table stages add column stage_approved integer not null default 0;
alter table stages add column stage_approved_by text not null default '';
alter table stages add column stage_declined integer not null default 0;
alter table stages add column stage_declined_by text not null default '';
alter table repos add column repo_public_badge integer not null default 0;

update builds set build_origin = case
  when build_event in ('promote', 'rollback') then 'push'
  when build_event in ('custom', 'cron') and build_ref like 'refs/%'
    and build_ref not like 'refs/heads/%' and build_ref not like 'refs/tags/%' then 'pull_request'
  else build_event end;
update builds set build_gated = 1
  where build_id in (select stage_build_id from stages where stage_status in ('blocked', 'declined'));
`

/** Runners on other machines: which runner has a stage, which logs were uploaded, and cards. */
const remoteRunners = `
alter table stages add column stage_remote integer not null default 0;
create index ix_stages_remote on stages (stage_id) where stage_remote = 1 and stage_status in ('pending', 'running');
alter table steps add column step_uploaded integer not null default 0;

create table cards (
  card_id integer primary key references steps (step_id) on delete cascade,
  card_data text not null
) strict;
`

/**
 * Pending stages are selected by the runner's filter and by the limits of repository and name; see
 * `queue.ts`.
 */
const queue = `
create index ix_stages_free_type on stages
  (iif(stage_kind = '', 'pipeline', stage_kind), iif(stage_type = '', 'docker', stage_type), stage_id)
  where stage_status = 'pending' and stage_machine = '';
create index ix_stages_free_platform on stages
  (iif(stage_kind = '', 'pipeline', stage_kind), iif(stage_type = '', 'docker', stage_type), stage_os, stage_arch, stage_id)
  where stage_status = 'pending' and stage_machine = '';
create index ix_stages_live_repo on stages (stage_repo_id, stage_id) where stage_status in ('pending', 'running');
create index ix_stages_pending_name on stages (stage_repo_id, stage_name, stage_id) where stage_status = 'pending';
create index ix_stages_running_name on stages (stage_repo_id, stage_name) where stage_status = 'running';
`

/** Which builds of a list wait for an approval. */
const blocked = `
create index ix_stages_blocked on stages (stage_build_id) where stage_status = 'blocked';
`

/** Settings of a stage in the pipeline file that have no effect. */
const ignored = `
alter table stages add column stage_ignored text not null default '';
`

/**
 * What is read of a build when a stage ends (`stage-graph.ts`), and which builds of one repository
 * are unfinished.
 */
const settling = `
create index ix_stages_open on stages (stage_build_id, stage_status, stage_id)
  where stage_status in ('waiting_on_dependencies', 'blocked', 'pending', 'running', 'declined');
create index ix_stages_failed on stages (stage_build_id, stage_id) where stage_status in ('failure', 'killed', 'error');
create index ix_stages_name on stages (stage_build_id, stage_name);
create index ix_builds_incomplete_repo on builds (build_repo_id, build_id) where build_status in ('pending', 'running');
`

/** Why something was skipped or could not start, and which builds are copies of each other. */
const explained = `
alter table builds add column build_declined integer not null default 0;
alter table builds add column build_declined_by text not null default '';
alter table stages add column stage_left_out text not null default '';
alter table configs add column config_left_out text not null default '';
alter table cron add column cron_failed integer not null default 0;
alter table cron add column cron_error text not null default '';
create index ix_builds_parent on builds (build_repo_id, build_parent, build_number) where build_parent <> 0;
`

/** Builds that rerun a part of another one, and what they reuse of it. */
const again = `
alter table builds add column build_again text not null default '';
alter table stages add column stage_taken_over integer not null default 0;
alter table steps add column step_origin integer not null default 0;
create index ix_steps_origin on steps (step_origin) where step_origin <> 0;
`

/** The builds of a commit. */
const commits = `
create index ix_builds_after on builds (build_repo_id, build_after, build_number);
`

/**
 * Why steps failed: the error line of each log, and the line without its numbers. The cause of a
 * build is that of its first failed step.
 */
const causes = `
create table causes (
  cause_step_id integer primary key references steps (step_id) on delete cascade,
  cause_build_id integer not null,
  cause_repo_id integer not null,
  cause_created integer not null,
  cause_line integer not null,
  cause_text text not null,
  cause_print text not null
) strict;
create index ix_causes_build on causes (cause_build_id);
create index ix_causes_print on causes (cause_print, cause_repo_id, cause_build_id) where cause_print <> '';
alter table builds add column build_cause text not null default '';
`

/** The newest builds that failed with the same line, without reading the rows of hidden ones. */
const causesByBuild = `
drop index ix_causes_print;
create index ix_causes_print on causes (cause_print, cause_build_id, cause_repo_id, cause_created) where cause_print <> '';
`

/**
 * Counts the builds of a repository for each thousand numbers, so that late pages and totals are
 * found without scanning all builds. Uses triggers, so that no code that writes builds can forget
 * it.
 */
const thousands = `
create table thousands (
  thousand_repo_id integer not null references repos (repo_id) on delete cascade,
  thousand_number integer not null,
  thousand_builds integer not null,
  primary key (thousand_repo_id, thousand_number)
) strict, without rowid;
insert into thousands select build_repo_id, build_number / 1000, count(*) from builds group by 1, 2;
create trigger tr_builds_added after insert on builds begin
  insert into thousands values (new.build_repo_id, new.build_number / 1000, 1)
    on conflict (thousand_repo_id, thousand_number) do update set thousand_builds = thousand_builds + 1;
end;
create trigger tr_builds_removed after delete on builds begin
  update thousands set thousand_builds = thousand_builds - 1
    where thousand_repo_id = old.build_repo_id and thousand_number = old.build_number / 1000;
  delete from thousands
    where thousand_repo_id = old.build_repo_id and thousand_number = old.build_number / 1000 and thousand_builds = 0;
end;
`

/**
 * Marks permissions that come from the administrator role and end with it. Of the existing rows,
 * these are all rows of administrators with full permissions.
 */
const roleRights = `
alter table perms add column perm_from_role integer not null default 0;
update perms set perm_from_role = 1
  where perm_admin = 1 and perm_user_id in (select user_id from users where user_admin = 1);
`

/**
 * The full-text index of builds (`build-search/`). It does not store the texts. Existing builds are
 * indexed in the background, because indexing them here would delay the start for minutes.
 */
const buildSearch = `
create virtual table build_words using fts5 (
  words, content='', contentless_delete=1, prefix='2 3 4', tokenize="unicode61 remove_diacritics 2"
);
create trigger tr_builds_unindexed after delete on builds begin
  delete from build_words where rowid = old.build_id;
end;
insert into settings select 'unindexed_builds', max(build_id) from builds having count(*) > 0;
`

/** When secrets were changed and by whom, and the builds of a cron job. */
const changedSecrets = `
alter table secrets add column secret_updated integer not null default 0;
alter table secrets add column secret_updated_by text not null default '';
alter table orgsecrets add column secret_updated integer not null default 0;
alter table orgsecrets add column secret_updated_by text not null default '';
create index ix_builds_cron on builds (build_repo_id, build_cron, build_number) where build_cron <> '';
`

/**
 * Filters on the list of builds: one index that contains all the columns of the filters, so that
 * the rows of other builds need not be read.
 */
const buildFilters = `
create index ix_builds_filter on builds (build_repo_id, build_number, build_status, build_event, build_ref,
  build_author_login, build_actor, build_trigger, build_id);
`

/** Deployments by environment, and the users who may deploy there. */
const environments = `
create index ix_builds_deploy on builds (build_repo_id, build_deploy_to, build_number, build_event, build_status)
  where build_deploy_to <> '';
create table environments (
  environment_repo_id integer not null references repos (repo_id) on delete cascade,
  environment_name text not null,
  environment_who text not null,
  environment_people text not null,
  environment_approval integer not null,
  primary key (environment_repo_id, environment_name)
) strict, without rowid;
`

/**
 * How long the builds and logs of a repository are kept, and what the last retention run removed.
 * Without a row, the server's defaults apply.
 */
const retention = `
create table retention (
  retention_repo_id integer primary key references repos (repo_id) on delete cascade,
  retention_build_days integer not null default -1,
  retention_builds integer not null default -1,
  retention_log_days integer not null default -1,
  retention_log_mb integer not null default -1,
  retention_logs_from integer not null default 0,
  retention_ran integer not null default 0,
  retention_removed_builds integer not null default 0,
  retention_removed_logs integer not null default 0,
  retention_freed_bytes integer not null default 0,
  retention_error text not null default ''
) strict;
`

/** Named tokens, stored as hashes, and the addresses where sessions started. */
const accessTokens = `
create table access_tokens (
  access_token_id integer primary key autoincrement,
  access_token_user_id integer not null references users (user_id) on delete cascade,
  access_token_hash text not null unique,
  access_token_name text not null collate nocase,
  access_token_created integer not null,
  access_token_expires integer not null,
  access_token_last_used integer not null,
  access_token_expired integer not null,
  unique (access_token_user_id, access_token_name)
) strict;
create index ix_access_tokens_expiring on access_tokens (access_token_expires)
  where access_token_expired = 0 and access_token_expires > 0;
alter table sessions add column session_address text not null default '';
alter table sessions add column session_agent text not null default '';
`

/** Entries of the audit log, which are kept for a year (`audit-triggers.ts`). */
const audit = `
create table audit (
  audit_id integer primary key autoincrement,
  audit_time integer not null,
  audit_user_id integer not null,
  audit_user text not null collate nocase,
  audit_kind text not null,
  audit_action text not null,
  audit_target text not null,
  audit_name text not null,
  audit_details text not null,
  audit_address text not null,
  audit_agent text not null,
  audit_request text not null
) strict;
create index ix_audit_time on audit (audit_time, audit_id);
create index ix_audit_user on audit (audit_user, audit_id);
create index ix_audit_kind on audit (audit_kind, audit_id);
create index ix_audit_user_kind on audit (audit_user, audit_kind, audit_id);
`

/** The approved stages, so that the page shows what changed since the last of them. */
const approvedStages = `
create index ix_stages_approved on stages (stage_repo_id, stage_build_id) where stage_approved > 0;
`

/** The repositories that a user pinned to the top of the dashboard. */
const favorites = `
create table favorites (
  favorite_user_id integer not null references users (user_id) on delete cascade,
  favorite_repo_id integer not null references repos (repo_id) on delete cascade,
  primary key (favorite_user_id, favorite_repo_id)
) strict, without rowid;
create index ix_favorites_repo on favorites (favorite_repo_id);
`

/**
 * Filters by date, duration and environment. Ordered by creation time, so that a range of dates is
 * a range of the index. Replaces the first index of the filters.
 */
const listedBuilds = `
drop index ix_builds_filter;
create index ix_builds_listed on builds (build_repo_id, build_created, build_number, build_status, build_event, build_ref,
  build_author_login, build_actor, build_trigger, build_deploy_to, build_started, build_finished, build_id);
`

/** Filters of lists that a user saved. */
const views = `
create table views (
  view_user_id integer not null references users (user_id) on delete cascade,
  view_list text not null,
  view_name text not null,
  view_query text not null,
  view_default integer not null,
  primary key (view_user_id, view_list, view_name)
) strict, without rowid;
`

/**
 * Links to the wall for screens without an account, stored as hashes. The repositories are a JSON
 * list of ids.
 */
const wallLinks = `
create table wall_links (
  wall_link_id integer primary key autoincrement,
  wall_link_user_id integer not null references users (user_id) on delete cascade,
  wall_link_hash text not null unique,
  wall_link_name text not null collate nocase,
  wall_link_repos text not null,
  wall_link_created integer not null,
  wall_link_expires integer not null,
  wall_link_last_used integer not null,
  wall_link_expired integer not null
) strict;
create index ix_wall_links_user on wall_links (wall_link_user_id);
create index ix_wall_links_expires on wall_links (wall_link_expires) where wall_link_expires > 0;
`

export const migrations: readonly string[] = [
  firstSchema,
  actors,
  remoteRunners,
  queue,
  blocked + ignored,
  settling,
  explained,
  again,
  commits,
  causes,
  causesByBuild,
  thousands,
  roleRights,
  forge,
  namespaces,
  buildSearch,
  changedSecrets,
  buildFilters,
  environments,
  retention,
  accessTokens,
  audit,
  approvedStages,
  favorites,
  listedBuilds,
  views,
  wallLinks,
  externalUsers,
]
