import type { Again, Build } from '@flightdeck/api'

import { ownClient } from '../own-client.ts'
import type { Action } from '../action.ts'
import { restartBuild, type BuildAddress } from './builds.ts'

/** Our own server alone: a part of the build runs again, the rest is taken over. */
export const rerunPart = (build: BuildAddress): Action<Again, Build> => {
  const { subject, stale, failed } = restartBuild(build)
  return {
    name: 'again',
    subject,
    async send(again) {
      const made = await ownClient.restartPart(build.namespace, build.name, build.number, { ...again })
      if (!made?.number) throw new Error('the server did not create a build')
      return made
    },
    ...(stale && { stale }),
    failed,
  }
}
