/** Which builds the feed shows: this person's, those that wait for this person, or all. */
import type { RepoWithBuild, User } from '@flightdeck/api'

import { whoOf } from '../../lib/who.ts'

export type Shown = 'all' | 'mine' | 'waiting'

export const readShown = (value: string | null): Shown => (value === 'mine' || value === 'waiting' ? value : 'all')

const isSame = (login: string | undefined, me: User): boolean => login?.toLowerCase() === me.login.toLowerCase()

/** Whether this person started the build or wrote its commit. */
export const isMine = ({ build }: RepoWithBuild, me: User): boolean =>
  isSame(whoOf(build).login, me) || isSame(build.author_login, me)
