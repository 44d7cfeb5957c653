/** Builds, stages, steps and log lines (docs/api §1.4 to §1.7). */
import * as z from 'zod/mini'
import { present, time, whole } from './schema-values.ts'
import { buildEvents, statuses } from './status.ts'

export const status = z.enum(statuses)

export const runnerNeeds = z.object({
  kind: present.text,
  type: present.text,
  os: present.text,
  arch: present.text,
  variant: present.text,
  kernel: present.text,
  labels: present.map,
})

export const waiting = z.object({
  reason: z.enum(['approval', 'dependency', 'paused', 'runner', 'limit', 'place', 'start']),
  text: z.string(),
  position: z.optional(whole),
  of: z.optional(whole),
  busy: z.optional(whole),
  places: z.optional(whole),
  scope: z.optional(z.enum(['pipeline', 'repository'])),
  limit: z.optional(z.int()),
  stages: present.texts,
  needs: z.optional(runnerNeeds),
  machine: present.text,
})

export const ended = z.object({
  reason: z.enum([
    'needs',
    'failure',
    'error',
    'no-failure',
    'early',
    'condition',
    'canceled',
    'superseded',
    'timeout',
    'restarted',
    'declined',
  ]),
  text: z.string(),
  by: present.text,
  at: present.number,
})
export const leftOut = z.object({ name: z.string(), text: z.string() })

export const step = z.object({
  id: whole,
  step_id: whole,
  number: z.int().check(z.positive()),
  name: z.string(),
  status,
  error: present.text,
  errignore: present.flag,
  exit_code: whole,
  started: present.number,
  stopped: present.number,
  version: whole,
  depends_on: present.texts,
  image: present.text,
  detached: present.flag,
  schema: present.text,
  waiting: z.optional(waiting),
  ended: z.optional(ended),
})

const excerpts = z.optional(
  z.array(z.object({ line: whole, lines: z.array(z.object({ number: whole, text: z.string() })) })),
)

export const stage = z.object({
  id: whole,
  repo_id: whole,
  build_id: whole,
  number: z.int().check(z.positive()),
  name: z.string(),
  kind: present.text,
  type: present.text,
  status,
  error: present.text,
  errignore: z.boolean(),
  exit_code: whole,
  machine: present.text,
  os: z.string(),
  arch: z.string(),
  variant: present.text,
  kernel: present.text,
  limit: present.number,
  throttle: present.number,
  started: time,
  stopped: time,
  created: time,
  updated: time,
  version: whole,
  on_success: z.boolean(),
  on_failure: z.boolean(),
  depends_on: present.texts,
  labels: present.map,
  approved: present.number,
  approved_by: present.text,
  declined: present.number,
  declined_by: present.text,
  waiting: z.optional(waiting),
  ended: z.optional(ended),
  excerpts,
  taken_over: present.number,
  ignored: present.texts,
  left_out: z.optional(z.array(leftOut)),
  steps: z.optional(z.array(step).check(z.minLength(1))),
})

const buildCause = z.object({
  stage: whole,
  step: whole,
  stage_name: z.string(),
  step_name: z.string(),
  line: z.int().check(z.positive()),
  text: z.string(),
})

export const build = z.object({
  id: whole,
  repo_id: whole,
  trigger: z.string(),
  number: z.int().check(z.positive()),
  parent: present.number,
  status,
  error: present.text,
  event: z.enum(buildEvents),
  action: z.string(),
  link: z.string(),
  timestamp: time,
  title: present.text,
  message: z.string(),
  before: z.string(),
  after: z.string(),
  ref: z.string(),
  source_repo: z.string(),
  source: z.string(),
  target: z.string(),
  author_login: z.string(),
  author_name: z.string(),
  author_email: z.string(),
  author_avatar: z.string(),
  sender: z.string(),
  params: present.map,
  cron: present.text,
  deploy_to: present.text,
  deploy_id: present.number,
  debug: present.flag,
  started: time,
  finished: time,
  created: time,
  updated: time,
  version: whole,
  actor: present.text,
  canceled: present.number,
  canceled_by: present.text,
  declined: present.number,
  declined_by: present.text,
  waiting: z.optional(waiting),
  ended: z.optional(ended),
  again: z.optional(z.union([z.object({ only: z.literal('failed') }), z.object({ stage: z.string() })])),
  excerpts,
  cause: z.optional(buildCause),
  stages: z.optional(z.array(stage).check(z.minLength(1))),
})

/** In lists: never with its stages (docs/api §1.15). */
export const listedBuild = build.check(z.refine((value) => value.stages === undefined, 'has no stages in a list'))
const stepCommands = z.object({
  name: z.string(),
  image: present.text,
  commands: z.array(z.string()),
  environment: z.optional(z.record(z.string(), z.union([z.string(), z.object({ from_secret: z.string() })]))),
  settings: present.text,
})
const stageCommands = z.object({
  stage: z.string(),
  settings: present.text,
  steps: z.array(stepCommands),
  services: z.optional(z.array(stepCommands)),
  cut: z.optional(z.literal(true)),
})
export const buildDetails = z.object({
  file: z.optional(
    z.object({ path: z.string(), commit: z.string(), text: z.string(), cut: z.optional(z.literal(true)) }),
  ),
  left_out: z.optional(z.array(leftOut)),
  waiting_stages: z.optional(z.array(stageCommands)),
  approved: z.optional(z.object({ build: whole, text: z.string() })),
  attempts: z.array(
    z
      .extend(build, { taken_over: present.texts })
      .check(z.refine((value) => value.stages === undefined, 'has no stages in a list')),
  ),
})
export const knownLines = z.nullable(
  z.object({ build: z.number(), stage: z.number(), step: z.number(), lines: z.string() }),
)
/** The response is `null` when the trigger was skipped. */
export const startedBuild = z.nullable(listedBuild)

const listedCommit = { sha: z.string(), title: z.string(), author: z.string(), time }
export const changedBy = z.object({
  ...listedCommit,
  merge: z.optional(z.literal(true)),
  files: z.array(z.string()),
  total: z.optional(whole),
})
export const stepChanges = z.nullable(
  z.object({
    since: z.object({ build: whole, stage: whole, step: whole, ref: z.string(), commit: z.string() }),
    commits: z.optional(z.array(changedBy)),
    more: z.optional(z.literal(true)),
    without: z.optional(whole),
    file: z.optional(z.object({ path: z.string(), same: z.boolean(), line: z.optional(whole) })),
  }),
)
const sourceText = z.object({
  kind: z.literal('text'),
  path: z.string(),
  commit: z.string(),
  from: whole,
  lines: z.array(z.string()),
  total: whole,
})
const sourceOther = z.object({
  kind: z.enum(['binary', 'large', 'link', 'submodule', 'folder']),
  path: z.string(),
  commit: z.string(),
})
const sourceSeveral = z.object({ kind: z.literal('several'), paths: z.array(z.string()), commit: z.string() })
export const sourceFile = z.union([sourceText, sourceOther, sourceSeveral])
export const sourceAuthors = z.object({
  path: z.string(),
  since: z.optional(z.object({ build: whole, commit: z.string() })),
  from: whole,
  lines: z.array(whole),
  commits: z.array(
    z.object({ ...listedCommit, after: z.optional(z.boolean()), earliest: z.optional(z.literal(true)) }),
  ),
})

const usualTime = { count: whole, median: time, low: time, high: time }
export const usualTimes = z.object({
  build: z.optional(z.object(usualTime)),
  steps: z.array(z.object({ stage: z.string(), step: z.string(), ...usualTime })),
})
export const repoTimes = z.object({
  branch: z.string(),
  builds: z.array(z.object({ number: whole, commit: z.string(), created: time })),
  steps: z.array(
    z.object({
      stage: z.string(),
      step: z.string(),
      runs: z.array(z.object({ build: whole, seconds: time, passed: z.boolean() })),
    }),
  ),
})
const failedPlace = z.object({ slug: z.string(), number: whole, stage: whole, step: whole, created: time })
export const buildHistory = z.object({
  steps: z.array(
    z.object({
      stage: whole,
      step: whole,
      seen: z.optional(
        z.object({
          times: z.int().check(z.gte(2)),
          more: z.optional(z.literal(true)),
          repos: z.int().check(z.positive()),
          since: time,
          places: z.array(failedPlace),
          ended: z.optional(z.object({ slug: z.string(), number: whole, commit: z.string() })),
        }),
      ),
      passed: z.optional(z.object({ build: whole, stage: whole, step: whole })),
      runs: z.optional(
        z.object({
          branch: present.text,
          count: z.int().check(z.gte(3)),
          failed: whole,
          mixed: z.array(z.object({ commit: z.string(), failed: whole, passed: whole })),
        }),
      ),
    }),
  ),
})
/** A shell script. */
export const stepScript = z.object({ text: z.string() })

export const line = z.object({
  pos: time,
  out: z.string(),
  time,
  tenth: z.optional(z.int().check(z.gte(0), z.lte(9))),
  began: z.optional(time),
})
/** `null` for a step without output. */
export const log = z.nullable(z.array(line))

export const searchAnswer = z.object({
  builds: z.object({
    items: z.array(z.object({ namespace: z.string(), name: z.string(), build: listedBuild })),
    more: z.boolean(),
    indexing: z.boolean(),
  }),
})

/** A build as the dashboard shows it. Title and message have at most 200 characters. */
export const lastBuild = z.object({
  number: z.int().check(z.positive()),
  version: whole,
  status,
  title: present.text,
  message: z.string(),
  target: z.string(),
  created: time,
  started: time,
  finished: time,
})
/** A repository's last builds, newest first. `id` is the repository's. */
export const repoLastBuilds = z.object({ id: whole, builds: z.array(lastBuild).check(z.minLength(1)) })

export const filteredBuilds = z.object({ items: z.array(listedBuild), next: z.optional(z.number()) })

/** The number of builds that match a filter. `capped`: older builds were not counted. */
export const buildCounts = z.object({
  total: whole,
  capped: z.boolean(),
  statuses: z.record(z.string(), whole),
  events: z.record(z.string(), whole),
})
