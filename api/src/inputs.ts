/** The bodies of calls. */
import type { Json } from './schemas.ts'

export type SecretInput = Json<'SecretInput'>
/** What can be changed; the name cannot. */
export type SecretPatch = Json<'SecretPatch'>
export type CronInput = Json<'CronInput'>
/** What can be changed. */
export type CronPatch = Json<'CronPatch'>
export type UserInput = Json<'UserInput'>
export type UserPatch = Json<'UserPatch'>
