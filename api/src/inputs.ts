/** The bodies of calls. */
import type { Role } from './types.ts'

export interface SecretInput {
  name: string
  data: string
  pull_request?: boolean
  pull_request_push?: boolean
}
/** What can be changed; the name cannot. */
export type SecretPatch = Partial<Omit<SecretInput, 'name'>>
export interface CronInput {
  name: string
  branch: string
  expr: string
}
/** What can be changed. */
export interface CronPatch {
  /** Our own server only: the new expression. Drone ignores `expr` in a change. */
  expression?: string
  branch?: string
  target?: string
  disabled?: boolean
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
