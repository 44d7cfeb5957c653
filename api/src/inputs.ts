/** The bodies of calls. */
import type { Role, Visibility } from './types.ts'

/** The seven fields that the settings screen saves (specification §7, PATCH), and those that it shows where the server has them. */
export interface RepoPatch {
  visibility?: Visibility
  config_path?: string
  protected?: boolean
  trusted?: boolean
  ignore_forks?: boolean
  ignore_pull_requests?: boolean
  auto_cancel_pull_requests?: boolean
  auto_cancel_pushes?: boolean
  auto_cancel_running?: boolean
  /** Ours alone. */
  public_badge?: boolean
  timeout?: number
  throttle?: number
  counter?: number
}
export interface SecretInput {
  name: string
  data: string
  pull_request?: boolean
  pull_request_push?: boolean
}
export interface CronInput {
  name: string
  branch: string
  expr: string
}
export interface UserInput {
  login: string
  email?: string
  admin?: boolean
  machine?: boolean
  token?: string
  /** Our own server only: `*` for all that are there, or slugs between blanks (at most 200), … */
  repositories?: string
  /** … and what the person may do with them: `read` unless said. */
  role?: Role
}
export interface UserPatch {
  admin?: boolean
  active?: boolean
}
