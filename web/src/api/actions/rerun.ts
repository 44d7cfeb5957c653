import type { Again, Build } from '@flightdeck/api'

import { ownClient } from '../own-client.ts'
import type { Action } from '../action.ts'
import { restartBuild, type BuildAddress } from './builds.ts'

/** Only on our own server: reruns a part of the build and reuses the rest. */
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
