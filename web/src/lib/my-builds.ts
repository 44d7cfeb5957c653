import type { Build, User } from '@flightdeck/api'

import { actorOf } from './actor.ts'

/** Whether this user started the build or wrote its commit. */
export const isMine = (build: Build, { login }: User): boolean =>
  [actorOf(build).login, build.author_login].some((other) => other?.toLowerCase() === login.toLowerCase())
