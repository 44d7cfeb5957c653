/** Repositories and what belongs to one (docs/api §1.3, §1.8 to §1.11). */
import * as z from 'zod/mini'
import { build, listedBuild, status } from './schema-builds.ts'
import { buildEvents } from './status.ts'
import { present, time, whole } from './schema-values.ts'

export const permissions = z.object({ read: z.boolean(), write: z.boolean(), admin: z.boolean() })

/**
 * What repository administrators can change. Flightdeck's additions are optional, because other
 * servers lack them.
 */
export const repoSettings = {
  visibility: z.enum(['public', 'private', 'internal']),
  config_path: z.string(),
  protected: z.boolean(),
  ignore_forks: z.boolean(),
  ignore_pull_requests: z.boolean(),
  auto_cancel_pull_requests: z.boolean(),
  auto_cancel_pushes: z.boolean(),
  auto_cancel_running: z.boolean(),
  /** Flightdeck only: the badge of a hidden repository is public for anyone with its URL. */
  public_badge: z.optional(z.boolean()),
}
/** What only system administrators can change. */
export const systemSettings = {
  trusted: z.boolean(),
  /** In minutes. */
  timeout: whole,
  throttle: present.number,
  /** The last assigned build number. */
  counter: whole,
}
/** Body of `PATCH /api/repos/{namespace}/{name}`. A `throttle` of 0 removes the throttle. */
export const repoPatch = z.partial(z.object({ ...repoSettings, ...systemSettings, throttle: whole }))

const repoFields = {
  id: whole,
  uid: z.string(),
  user_id: whole,
  namespace: z.string(),
  name: z.string(),
  slug: z.string(),
  scm: z.string(),
  git_http_url: z.string(),
  git_ssh_url: z.string(),
  link: z.string(),
  default_branch: z.string(),
  private: z.boolean(),
  active: z.boolean(),
  synced: time,
  created: time,
  updated: time,
  version: whole,
  archived: z.boolean(),
  ...repoSettings,
  ...systemSettings,
}

export const repo = z.object({ ...repoFields, build: z.optional(build), permissions: z.optional(permissions) })
/** A repository in responses that include nothing else. */
export const plainRepo = repo.check(
  z.refine(
    (value) => value.build === undefined && value.permissions === undefined,
    'has neither build nor permissions',
  ),
)
const numbers = z.array(z.number())
const texts = z.array(z.string())
/** Flightdeck only (repo-columns.ts). */
export const repoColumns = z.object({
  id: numbers,
  namespace: texts,
  name: texts,
  active: numbers,
  version: numbers,
  number: numbers,
  build: z.object({
    id: numbers,
    status: z.array(status),
    event: z.array(z.enum(buildEvents)),
    message: texts,
    target: texts,
    after: texts,
    trigger: texts,
    author_login: texts,
    author_avatar: texts,
    sender: texts,
    created: numbers,
    started: z.array(z.nullable(z.number())),
    finished: z.array(z.nullable(z.number())),
    version: numbers,
    /** Any keys of a build. */
    rest: z.array(z.union([z.literal(0), z.record(z.string(), z.unknown())])),
  }),
})
/** `build`: the latest one, without its stages. */
export const repoWithLatest = z.object({ ...repoFields, build: z.optional(listedBuild) })
/** An item of the recent and the incomplete list. */
export const repoWithBuild = z.object({ ...repoFields, build: listedBuild })
/** A build event: with stages and steps (docs/api §1.16). */
export const buildEventMessage = z.object({ ...repoFields, build })

export const cron = z.object({
  id: whole,
  repo_id: whole,
  name: z.string(),
  expr: z.string(),
  next: time,
  prev: time,
  event: z.string(),
  branch: z.string(),
  target: present.text,
  disabled: z.boolean(),
  created: time,
  updated: time,
  version: whole,
  failed: present.number,
  error: present.text,
  last: z.optional(z.object({ number: whole, status, created: time })),
})

/** Flightdeck only. */
export const cronTimes = z.object({ times: z.array(time), zone: z.string() })

export const secretUses = z.object({
  build: z.optional(whole),
  uses: z.array(z.object({ name: z.string(), pipelines: z.array(z.string()) })),
})

/** A secret, without its value. */
export const secret = z.object({
  id: present.number,
  repo_id: present.number,
  namespace: present.text,
  name: present.text,
  type: present.text,
  pull_request: present.flag,
  pull_request_push: present.flag,
  updated: present.number,
  updated_by: present.text,
  overridden_in: z.optional(z.array(z.string())),
  data: z.optional(z.never()),
})

/** An account without a role on the repository. */
export const person = z.object({ login: z.string().check(z.minLength(1)), avatar: z.string() })
export const collaborator = z.object({
  user_id: whole,
  repo_id: z.string(),
  login: z.string(),
  avatar: z.string(),
  read: z.boolean(),
  write: z.boolean(),
  admin: z.boolean(),
  synced: time,
  created: time,
  updated: time,
})

/** The response of sign and encrypt. */
export const sealed = z.object({ data: z.string().check(z.minLength(1)) })
