/** A parsed pipeline file (docs/api §6), independent of YAML. */

/**
 * A position in a file: the nth of `PipelineFile.pipelines`, from 0, and the path of keys in it.
 */
export interface FilePosition {
  pipeline: number
  path: readonly (string | number)[]
}

/** The text of the error build that a bad file makes (docs/api §5.2, steps 6 and 8). */
export class ConfigError extends Error {
  /**
   * A line of the file, from 1, or a position: for errors whose text, taken from Drone, has no
   * line.
   */
  readonly at: number | FilePosition | undefined

  constructor(message: string, at?: number | FilePosition) {
    super(message)
    this.name = 'ConfigError'
    this.at = at
  }
}

/**
 * One entry of `trigger` or `when`: an empty `include` matches all, `exclude` wins (docs/api §6.3).
 */
export interface Condition {
  include: readonly string[]
  exclude: readonly string[]
}

export const conditionKeys = [
  'branch',
  'event',
  'action',
  'ref',
  'repo',
  'target',
  'cron',
  'instance',
  'status',
] as const
export type ConditionKey = (typeof conditionKeys)[number]
export type Conditions = Partial<Record<ConditionKey, Condition>>

/** A value as written, or the name of a secret. */
export type EnvironmentValue = string | { from_secret: string }

export interface StepDoc {
  /** `''` if the file has none. */

  name: string
  commands: readonly string[]
  environment: Readonly<Record<string, EnvironmentValue>>
  depends_on: readonly string[]
  when: Conditions
  /** `ignore` or one of the docker runner's values; anything else means the default. */
  failure: string
  detach: boolean
  image?: string
  /** Keys that only docker takes notice of. */
  dockerOnly?: readonly string[]
}

export interface PipelineDoc {
  kind: string
  /** `docker` if a `kind: pipeline` has none; `''` for an unknown kind (docs/api §6.1). */
  type: string
  /** `''` if the file has none; the stage is then called `default`. */
  name: string
  platform: { os: string; arch: string; variant: string; version: string }
  node: Readonly<Record<string, string>>
  concurrency: { limit: number }
  depends_on: readonly string[]
  trigger: Conditions
  /** `depth`: the number of commits to fetch; 0 for all. */
  clone: { disable: boolean; depth: number; dockerOnly?: readonly string[] }
  /** Keys that only docker takes notice of. */
  dockerOnly?: readonly string[]
  /** The environment of the whole pipeline; that of a step overrides it. */
  environment: Readonly<Record<string, EnvironmentValue>>
  steps: readonly StepDoc[]
}

/** `kind: secret`: an encrypted value, or where to fetch it (docs/api §6.5). */
export interface InlineSecret {
  name: string
  /** Base64 of nonce and ciphertext; `''` if `get` is used. */
  data: string
  get?: { path: string; name: string }
}

export interface PipelineFile {
  pipelines: PipelineDoc[]
  secrets: InlineSecret[]
  /**
   * The `hmac` of the last signature document; left out if something could run that it does not
   * cover.
   */
  signature?: string
  /** What the signature covers: all documents but signatures (docs/api §6.6). */
  signedText: string
}

/** The name of a pipeline's stage. */
export const stageName = (doc: PipelineDoc): string => doc.name || 'default'
