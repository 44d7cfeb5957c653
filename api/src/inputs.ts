/** Request bodies. */
import type { Json } from './schemas.ts'

export type SecretInput = Json<'SecretInput'>
export type SecretPatch = Json<'SecretPatch'>
export type CronInput = Json<'CronInput'>
export type CronPatch = Json<'CronPatch'>
export type UserInput = Json<'UserInput'>
export type UserPatch = Json<'UserPatch'>
