/**
 * Writes the audit log. Triggers of this connection see every change, whatever code makes it, and
 * write the entry in the same transaction. No entry contains the value of a secret, a token or a
 * password.
 */
import type { AuditKind } from '@flightdeck/api'
import * as schema from '@flightdeck/api/schema'
import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import { notedActor, type AuditActor } from '../lib/audit-context.ts'

const field = (name: keyof AuditActor): string => `audit_field('${name}')`
/**
 * True during a user's request; false during a sync, a webhook of the forge, or the server's own
 * work.
 */
const byCall = `${field('request')} is not null`

/** Each value is an SQL expression. */
interface Entry {
  kind: AuditKind
  action: string
  target: string
  name?: string
  details?: string
}

const insertion = ({ kind, action, target, name = "''", details = "'{}'" }: Entry): string => `
  insert into audit (audit_time, audit_user_id, audit_user, audit_kind, audit_action, audit_target, audit_name,
    audit_details, audit_address, audit_agent, audit_request)
  values (coalesce(${field('time')}, unixepoch()), coalesce(${field('userId')}, 0), coalesce(${field('login')}, ''),
    '${kind}', ${action}, substr(${target}, 1, 500), substr(${name}, 1, 500), substr(${details}, 1, 4000),
    coalesce(${field('address')}, ''), coalesce(${field('agent')}, ''), coalesce(${field('request')}, ''));`

/** The columns that differ, each with its old and new value. */
const changes = (prefix: string, names: readonly string[]): string => {
  const rows = names.map((name) => `select '${name}' as k, old.${prefix}_${name} as o, new.${prefix}_${name} as n`)
  return `(select json_group_object(k, json_array(o, n)) from (${rows.join(' union all ')}) where o is not n)`
}
const differs = (prefix: string, names: readonly string[]): string =>
  `(${names.map((name) => `old.${prefix}_${name} is not new.${prefix}_${name}`).join(' or ')})`
const columnsOf = (prefix: string, names: readonly string[]): string =>
  names.map((name) => `${prefix}_${name}`).join(', ')

const slugOf = (id: string): string => `(select repo_slug from repos where repo_id = ${id})`
const loginOf = (id: string): string => `(select user_login from users where user_id = ${id})`
const slugOfBuild = (id: string): string =>
  `(select repo_slug from builds join repos on repo_id = build_repo_id where build_id = ${id})`
const roleOf = (row: 'old' | 'new'): string =>
  `case when ${row}.perm_admin = 1 then 'admin' when ${row}.perm_write = 1 then 'write' when ${row}.perm_read = 1 then 'read' else 'none' end`

interface Trigger extends Entry {
  /** For example `after insert on users`. */
  after: string
  when?: string
}

const rights: readonly Trigger[] = [
  {
    after: 'insert on users',
    kind: 'rights',
    action: "'user.created'",
    target: 'new.user_login',
    details: "json_object('admin', new.user_admin, 'machine', new.user_machine)",
  },
  {
    after: 'update of user_admin, user_active on users',
    when: differs('user', ['admin', 'active']),
    kind: 'rights',
    action: "'user.changed'",
    target: 'new.user_login',
    details: changes('user', ['admin', 'active']),
  },
  { after: 'delete on users', kind: 'rights', action: "'user.deleted'", target: 'old.user_login' },
  {
    after: 'insert on perms',
    // Permissions from a role or from the forge are not granted by a user.
    when: `${byCall} and new.perm_from_role = 0 and ${slugOf('new.perm_repo_id')} is not null`,
    kind: 'rights',
    action: "'access.granted'",
    target: slugOf('new.perm_repo_id'),
    name: loginOf('new.perm_user_id'),
    details: `json_object('role', ${roleOf('new')})`,
  },
  {
    after: 'update of perm_read, perm_write, perm_admin on perms',
    when: `${byCall} and ${differs('perm', ['read', 'write', 'admin'])}`,
    kind: 'rights',
    action: "'access.changed'",
    target: slugOf('new.perm_repo_id'),
    name: loginOf('new.perm_user_id'),
    details: `json_object('role', json_array(${roleOf('old')}, ${roleOf('new')}))`,
  },
  {
    after: 'delete on perms',
    // Skipped if the user or the repository was deleted.
    when: `${byCall} and old.perm_from_role = 0 and ${loginOf('old.perm_user_id')} is not null
      and ${slugOf('old.perm_repo_id')} is not null`,
    kind: 'rights',
    action: "'access.removed'",
    target: slugOf('old.perm_repo_id'),
    name: loginOf('old.perm_user_id'),
    details: `json_object('role', ${roleOf('old')})`,
  },
]

const tokens: readonly Trigger[] = [
  {
    after: 'insert on invitations',
    when: byCall,
    kind: 'tokens',
    action: "'user.invited'",
    target: loginOf('new.invitation_user_id'),
  },
  {
    after: 'update of user_password on users',
    when: 'old.user_password is not new.user_password',
    kind: 'tokens',
    action: "case when new.user_password is null then 'password.removed' else 'password.changed' end",
    target: 'new.user_login',
  },
  {
    after: 'update of user_token_hash on users',
    when: 'old.user_token_hash is not new.user_token_hash',
    kind: 'tokens',
    action: `case when new.user_token_hash is null then 'token.revoked' when old.user_token_hash is null
      then 'token.created' else 'token.replaced' end`,
    target: 'new.user_login',
    name: "'personal token'",
  },
  {
    after: 'insert on access_tokens',
    kind: 'tokens',
    action: "'token.created'",
    target: loginOf('new.access_token_user_id'),
    name: 'new.access_token_name',
    details: "json_object('expires', new.access_token_expires)",
  },
  {
    after: 'delete on access_tokens',
    when: `${byCall} and ${loginOf('old.access_token_user_id')} is not null`,
    kind: 'tokens',
    action: "'token.revoked'",
    target: loginOf('old.access_token_user_id'),
    name: 'old.access_token_name',
  },
]

const wallRepos = `(select json_group_array(repo_slug) from repos
  where repo_id in (select value from json_each(new.wall_link_repos)))`
const wallLinks: readonly Trigger[] = [
  {
    after: 'insert on wall_links',
    kind: 'tokens',
    action: "'wall_link.created'",
    target: loginOf('new.wall_link_user_id'),
    name: 'new.wall_link_name',
    details: `json_object('expires', new.wall_link_expires, 'repositories', ${wallRepos})`,
  },
  {
    after: 'delete on wall_links',
    when: `${byCall} and ${loginOf('old.wall_link_user_id')} is not null`,
    kind: 'tokens',
    action: "'wall_link.revoked'",
    target: loginOf('old.wall_link_user_id'),
    name: 'old.wall_link_name',
  },
]

/** For both tables of secrets. An entry never contains a value, only that it changed. */
const ofSecrets = (table: string, target: (row: 'old' | 'new') => string): Trigger[] => [
  {
    after: `insert on ${table}`,
    kind: 'secrets',
    action: "'secret.created'",
    target: target('new'),
    name: 'new.secret_name',
    details: "json_object('pull_request', new.secret_pull_request)",
  },
  {
    after: `update of secret_data, secret_pull_request, secret_pull_request_push on ${table}`,
    when: differs('secret', ['data', 'pull_request', 'pull_request_push']),
    kind: 'secrets',
    action: "'secret.changed'",
    target: target('new'),
    name: 'new.secret_name',
    details: `json_patch(${changes('secret', ['pull_request', 'pull_request_push'])},
      json_object('value', case when old.secret_data is not new.secret_data then 'changed' end))`,
  },
  {
    after: `delete on ${table}`,
    when: `${target('old')} is not null`,
    kind: 'secrets',
    action: "'secret.deleted'",
    target: target('old'),
    name: 'old.secret_name',
  },
]
const secrets: readonly Trigger[] = [
  ...ofSecrets('secrets', (row) => slugOf(`${row}.secret_repo_id`)),
  ...ofSecrets('orgsecrets', (row) => `${row}.secret_namespace`),
]

/** Every setting that `PATCH` accepts. The counter is not audited, because builds change it too. */
const repoSettings = Object.keys({ ...schema.repoSettings, ...schema.systemSettings }).filter(
  (name) => name !== 'counter',
)
const cronSettings = ['expr', 'branch', 'target', 'disabled']
const retentionSettings = ['build_days', 'builds', 'log_days', 'log_mb']
const environmentSettings = ['who', 'people', 'approval']

const settings: readonly Trigger[] = [
  {
    after: `update of ${columnsOf('repo', ['active', 'user_id', ...repoSettings])} on repos`,
    when: `${byCall} and ${differs('repo', ['active', 'user_id', ...repoSettings])}`,
    kind: 'settings',
    action: `case when new.repo_active > old.repo_active then 'repo.activated'
      when new.repo_active < old.repo_active then 'repo.disabled' else 'repo.changed' end`,
    target: 'new.repo_slug',
    details: `json_patch(${changes('repo', repoSettings)}, case when old.repo_user_id is not new.repo_user_id
      then json_object('owner', json_array(${loginOf('old.repo_user_id')}, ${loginOf('new.repo_user_id')})) else '{}' end)`,
  },
  { after: 'delete on repos', when: byCall, kind: 'settings', action: "'repo.deleted'", target: 'old.repo_slug' },
  {
    after: 'insert on cron',
    when: byCall,
    kind: 'settings',
    action: "'cron.created'",
    target: slugOf('new.cron_repo_id'),
    name: 'new.cron_name',
    details: "json_object('expr', new.cron_expr, 'branch', new.cron_branch)",
  },
  {
    after: `update of ${columnsOf('cron', cronSettings)} on cron`,
    when: `${byCall} and ${differs('cron', cronSettings)}`,
    kind: 'settings',
    action: "'cron.changed'",
    target: slugOf('new.cron_repo_id'),
    name: 'new.cron_name',
    details: changes('cron', cronSettings),
  },
  {
    after: 'delete on cron',
    when: `${byCall} and ${slugOf('old.cron_repo_id')} is not null`,
    kind: 'settings',
    action: "'cron.deleted'",
    target: slugOf('old.cron_repo_id'),
    name: 'old.cron_name',
  },
  {
    after: 'insert on retention',
    when: byCall,
    kind: 'settings',
    action: "'retention.changed'",
    target: slugOf('new.retention_repo_id'),
    details: `json_object(${retentionSettings.map((name) => `'${name}', new.retention_${name}`).join(', ')})`,
  },
  {
    after: `update of ${columnsOf('retention', retentionSettings)} on retention`,
    when: `${byCall} and ${differs('retention', retentionSettings)}`,
    kind: 'settings',
    action: "'retention.changed'",
    target: slugOf('new.retention_repo_id'),
    details: changes('retention', retentionSettings),
  },
  ...(['insert', 'delete'] as const).map((verb): Trigger => {
    const row = verb === 'insert' ? 'new' : 'old'
    return {
      after: `${verb} on environments`,
      when: `${byCall} and ${slugOf(`${row}.environment_repo_id`)} is not null`,
      kind: 'settings',
      action: verb === 'insert' ? "'environment.protected'" : "'environment.unprotected'",
      target: slugOf(`${row}.environment_repo_id`),
      name: `${row}.environment_name`,
      details: `json_object('who', ${row}.environment_who, 'people', ${row}.environment_people, 'approval', ${row}.environment_approval)`,
    }
  }),
  {
    after: `update of ${columnsOf('environment', environmentSettings)} on environments`,
    when: `${byCall} and ${differs('environment', environmentSettings)}`,
    kind: 'settings',
    action: "'environment.changed'",
    target: slugOf('new.environment_repo_id'),
    name: 'new.environment_name',
    details: changes('environment', environmentSettings),
  },
]

const work: readonly Trigger[] = [
  {
    after: 'update of stage_status on stages',
    when: `old.stage_status = 'blocked' and new.stage_status not in ('blocked', 'killed', 'skipped', 'error') and ${byCall}`,
    kind: 'approvals',
    action: "case new.stage_status when 'declined' then 'stage.declined' else 'stage.approved' end",
    target: slugOfBuild('new.stage_build_id'),
    name: `(select '#' || build_number from builds where build_id = new.stage_build_id) || ' ' || new.stage_name`,
  },
  {
    after: 'insert on builds',
    when: `new.build_event in ('promote', 'rollback')`,
    kind: 'deployments',
    action: "case new.build_event when 'rollback' then 'deployment.rollback' else 'deployment.promote' end",
    target: slugOf('new.build_repo_id'),
    name: "'#' || new.build_number",
    details: `json_object('environment', new.build_deploy_to, 'commit', new.build_after, 'of', new.build_parent)`,
  },
]

const definition = ({ after, when, ...entry }: Trigger, index: number): string =>
  `create temp trigger audit_${index} after ${after} ${when === undefined ? '' : `when ${when} `}begin ${insertion(entry)} end;`

/** Creates the triggers, which record all later changes by this connection. */
export const writeAudit = (db: DatabaseSyncInstance): void => {
  db.function('audit_field', (name: unknown) => notedActor()?.[name as keyof AuditActor] ?? null)
  db.exec([...rights, ...tokens, ...wallLinks, ...secrets, ...settings, ...work].map(definition).join('\n'))
}
