/** The source of repositories: folders of this machine, or the forge. */
import type { User } from '@flightdeck/api'
import type { Ci } from './ci.ts'

export type RepositorySource = Pick<Ci, 'sync' | 'enable' | 'disable'>

export interface ForgeSource extends RepositorySource {
  /** Whether this is a person of the forge. */
  hasAccount(user: User): Promise<boolean>
}
