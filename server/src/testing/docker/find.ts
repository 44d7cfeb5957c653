/**
 * For tests: a running Docker, if this machine has one. `tools/docker-tests.mjs` starts one for the
 * tests.
 */
import { connectDocker, type KnownDocker } from '../../docker/api.ts'
import type { ImageNames } from './images.ts'

const host = process.env['DOCKER_HOST']
const socket = host?.startsWith('unix://') ? host.slice('unix://'.length) : '/var/run/docker.sock'

export async function findDocker(): Promise<KnownDocker | undefined> {
  try {
    return await connectDocker(socket, AbortSignal.timeout(5_000))
  } catch {
    console.warn(
      `No Docker answers at ${socket}: the tests of --docker are skipped. node tools/docker-tests.mjs starts one and runs them.`,
    )
    return undefined
  }
}

/**
 * A developer's Docker can have the official images, so their names are used only in the tests' own
 * Docker.
 */
export const isOwnDocker = process.env['DOCKER_TESTS_OWN'] === '1'
export const imageNames: ImageNames = isOwnDocker
  ? { runner: 'drone/drone-runner-docker:1', git: 'drone/git:latest' }
  : { runner: 'flightdeck-test/drone-runner-docker:1', git: 'flightdeck-test/git:latest' }
