/** The bodies of calls. */
import type { Role } from './types.ts'

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
