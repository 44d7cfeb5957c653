/** Users and the system (docs/api §1.1, §1.2, §1.12 to §1.14). */
import * as z from 'zod/mini'
import { capabilities } from './capabilities.ts'
import { runnerNeeds, waiting } from './schema-builds.ts'
import { viewLists } from './view-lists.ts'
import { present, time, whole } from './schema-values.ts'

/** `list`: the list that the filter belongs to. */
const savedView = z.object({
  list: z.enum(viewLists),
  name: z.string().check(z.minLength(1)),
  query: z.string().check(z.minLength(1)),
  default: z.boolean(),
})
/** `query`: the parameters in the list's URL, without the `?`. */
export const savedViewInput = z.object({
  list: z.string(),
  name: z.string(),
  query: z.string(),
  default: z.optional(z.boolean()),
})

const userFields = {
  id: whole,
  login: z.string().check(z.minLength(1)),
  email: z.string(),
  machine: z.boolean(),
  admin: z.boolean(),
  active: z.boolean(),
  avatar: z.string(),
  syncing: z.boolean(),
  synced: time,
  created: time,
  updated: time,
  last_login: time,
  external: z.optional(z.boolean()),
  has_password: z.optional(z.boolean()),
  shared_token: z.optional(z.enum(['reads', 'writes'])),
  sync_refused: z.optional(z.array(z.string())),
  favorites: z.optional(z.array(z.string())),
  views: z.optional(z.array(savedView)),
  capabilities: z.optional(z.array(z.enum(capabilities))),
}

export const user = z.object(userFields)
export const userWithToken = z.object({ ...userFields, token: z.string().check(z.minLength(1)) })
/** The subjects of audit log entries. */
export const auditKinds = ['rights', 'secrets', 'settings', 'tokens', 'approvals', 'deployments'] as const
export const auditEntry = z.object({
  id: whole,
  time,
  /** The login; empty: the server itself. */
  user: z.string(),
  kind: z.enum(auditKinds),
  /** For example `secret.changed`. */
  action: z.string().check(z.minLength(1)),
  /** The repository, namespace or login that the action changed. */
  target: z.string(),
  /** For example the name of a secret; empty if the target is enough. */
  name: z.string(),
  /** What changed: `[before, after]`, or a value. Never a secret. */
  details: z.record(z.string(), z.unknown()),
  address: z.string(),
  agent: z.string(),
})
/** `next`: the id to continue from; absent on the last page. */
export const auditPage = z.object({ items: z.array(auditEntry), next: z.optional(whole) })

const accessTokenFields = {
  id: whole,
  name: z.string().check(z.minLength(1)),
  created: time,
  expires: time,
  last_used: time,
}
export const accessToken = z.object(accessTokenFields)
/** The only response that includes the token's value. */
export const createdAccessToken = z.object({ ...accessTokenFields, token: z.string().check(z.minLength(1)) })
const wallLinkFields = { ...accessTokenFields, repos: z.array(z.string()) }
/** `repos`: the slugs of the repositories that the link's creator can read now. */
export const wallLink = z.object(wallLinkFields)
export const createdWallLink = z.object({ ...wallLinkFields, token: z.string().check(z.minLength(1)) })
/** The fields of a build that the wall shows; it gets no others. */
const wallBuild = z.object({
  number: whole,
  /** As the page shows it: `blocked` while waiting for approval. */
  status: z.string(),
  title: z.string(),
  branch: z.string(),
  author: z.string(),
  created: time,
  started: time,
  finished: time,
  /** The failure reason in one line; empty if unknown. */
  why: z.string(),
  /** The usual duration of such a build in seconds, while it is running. */
  usual: z.optional(whole),
})
export const wallTile = z.object({
  slug: z.string(),
  namespace: z.string(),
  name: z.string(),
  build: z.optional(wallBuild),
})
export const wall = z.object({ name: z.string(), tiles: z.array(wallTile) })
export const session = z.object({
  id: whole,
  created: time,
  expires: time,
  last_seen: time,
  /** The IP address at sign-in; empty if unknown. */
  address: z.string(),
  agent: z.string(),
  /** Whether it is the session of this request. */
  current: z.boolean(),
})
export const invitation = z.object({ url: z.string().check(z.regex(/^https?:.*\/login\/invite#\w+$/)), expires: time })
export const invited = z.object({ login: z.string().check(z.minLength(1)), expires: time })
/** A new machine user has a token, a new person an invitation. */
export const createdUser = z.object({ ...userFields, token: present.text, invitation: z.optional(invitation) })
/** Flightdeck includes the new token of a machine user, because there is no other way to get it. */
export const rotatedUser = z.object({
  ...userFields,
  message: z.literal('Token rotated successfully.'),
  token: z.optional(z.string()),
})

export const errorBody = z.object({ message: z.string() })

export const queueItem = z.object({
  repo_namespace: z.string(),
  repo_name: z.string(),
  repo_slug: z.string(),
  build_number: whole,
  build_author: z.string(),
  build_author_name: z.string(),
  build_author_email: z.string(),
  build_author_avatar: z.string(),
  build_sender: z.string(),
  build_started: time,
  build_finished: time,
  build_created: time,
  build_updated: time,
  stage_name: z.string(),
  stage_kind: z.string(),
  stage_type: z.string(),
  stage_status: z.string(),
  stage_machine: z.string(),
  stage_os: z.string(),
  stage_arch: z.string(),
  stage_variant: z.string(),
  stage_kernel: z.string(),
  /** A decimal number as a string. */
  stage_limit: z.string().check(z.regex(/^\d+$/)),
  stage_limit_repo: z.string().check(z.regex(/^\d+$/)),
  stage_started: time,
  stage_stopped: time,
})

export const stats = z.object({
  users: z.object({ total: whole }),
  repos: z.object({ active: whole }),
  builds: z.object({ pending: whole, running: whole, total: whole }),
  pipelines: z.array(
    z.object({
      subscribers: whole,
      os: z.string(),
      arch: z.string(),
      variant: z.string(),
      kernel: z.string(),
      pending: whole,
      running: whole,
    }),
  ),
  events: z.object({ subscribers: whole }),
  streams: z.record(z.string(), whole),
  watchers: z.null(),
})

export const version = z.object({ source: present.text, version: present.text, commit: present.text })

export const varz = z.object({
  scm: z.object({ url: z.string(), rate: z.object({ limit: whole, remaining: whole, reset: whole }) }),
  license: z.object({
    kind: z.string(),
    seats: whole,
    seats_used: present.number,
    seats_available: present.number,
    repos: whole,
    repos_used: present.number,
    repos_available: present.number,
    expire_at: z.string(),
  }),
})

const place = z.object({
  stage_id: whole,
  namespace: z.string(),
  name: z.string(),
  build: whole,
  stage: whole,
  stage_name: z.string(),
  status: z.enum(['pending', 'running']),
  machine: z.string(),
  created: time,
  started: time,
  waiting: z.optional(waiting),
})

export const runners = z.object({
  paused: z.boolean(),
  runners: z.array(
    z.object({
      builtin: z.boolean(),
      address: z.string(),
      machines: z.array(z.string()),
      version: z.string(),
      filter: runnerNeeds,
      present: z.boolean(),
      asked: time,
      places: whole,
      busy: whole,
      runs: z.array(place),
    }),
  ),
  queue: z.array(place),
  total: whole,
  kept: z.optional(
    z.object({
      name: z.string(),
      image: z.string(),
      state: z.enum(['starting', 'working', 'failing']),
      error: z.optional(z.string()),
      since: time,
      filter: runnerNeeds,
    }),
  ),
  dockerStart: z.optional(z.object({ command: z.string(), filter: runnerNeeds })),
  rpc: z.object({ proto: z.string(), host: z.string(), secret: z.boolean() }),
})
export const runnerSecret = z.object({ secret: z.string() })
