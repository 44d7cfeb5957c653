/** Converts rows of the database to entities of the API. The columns are in `tables/`. */
import type { LeftOut, Stage, User } from '@flightdeck/api'
import { builds } from './tables/builds.ts'
import { cron } from './tables/cron.ts'
import { repos } from './tables/repos.ts'
import { orgSecrets, secrets } from './tables/secrets.ts'
import { stages } from './tables/stages.ts'
import { steps } from './tables/steps.ts'
import { users } from './tables/users.ts'
import type { StageRow, UserRow } from './schema.ts'

export const toUser = (row: UserRow): User => ({ ...users.toEntity(row), has_password: row.user_password !== null })
export const toRepo = repos.toEntity
export const toBuild = builds.toEntity
/** The stage as a runner receives it. */
export const toStage = stages.toEntity
/** The stage for readers of a whole build. */
export const toReportedStage = (row: StageRow): Stage => ({
  ...stages.toEntity(row),
  ...(row.stage_left_out && { left_out: JSON.parse(row.stage_left_out) as LeftOut[] }),
})
export const toStep = steps.toEntity
export const toCron = cron.toEntity
/** Without its value, which leaves the store only through `listSealedSecrets`. */
export const toSecret = secrets.toEntity
export const toOrgSecret = orgSecrets.toEntity
