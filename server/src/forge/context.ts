/** What the parts of the forge's room share. */
import type { Build, Repo, User } from '@flightdeck/api'
import type { EventBus } from '../interfaces/events.ts'
import type { GitReader } from '../interfaces/git.ts'
import type { Hook, HookSource } from '../interfaces/hook.ts'
import type { Mirrors } from '../interfaces/mirrors.ts'
import type { SecretsBox } from '../lib/secrets-box.ts'
import type { Db } from '../store/open.ts'
import type { Driver } from './driver.ts'
import type { Tokens } from './tokens.ts'

/** The part of the CI that a forge uses. */
export interface ForgeCi {
  readonly events: EventBus
  trigger(repoId: number, hook: Hook, source?: HookSource): Promise<Build | null>
  /** Ends the builds of a pull request that have not started. */
  cancelWaiting(repoId: number, ref: string, by: string): Promise<void>
}

export interface ForgeContext {
  readonly db: Db
  readonly driver: Driver
  readonly tokens: Tokens
  readonly box: SecretsBox
  readonly mirrors: Mirrors
  readonly git: GitReader
  readonly ci: ForgeCi
  /** Where people reach this server, without a slash at the end. */
  readonly publicUrl: string
  /** Where the forge sends its webhooks to. */
  readonly hookUrl: string
  /** First part of the names of statuses. */
  readonly statusName: string
  readonly statusSkipped: boolean
  /** Unix seconds. */
  readonly now: () => number
  /** Logs an error with its stack. */
  readonly log: (message: string, error?: unknown) => void
  /** Enables a repository whose mirror exists, or disables it. */
  readonly activate: (repo: Repo, by: User) => Promise<Repo>
  readonly deactivate: (repo: Repo) => Promise<Repo>
  /** Ends all calls when the server stops. */
  readonly stopped: AbortSignal
}
