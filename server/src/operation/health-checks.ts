/** What a server needs to do its work. The sentences name no path and no address: anyone may read them. */
import type { ManagedRunnerState } from '@flightdeck/api'
import { diskProblem } from '../lib/disk-space.ts'
import { errorMessage } from '../lib/error-message.ts'
import type { Db } from '../store/open.ts'
import { saveSetting } from '../store/settings.ts'
import type { LoopMonitor } from './loop-monitor.ts'
import type { HealthCheck } from './health.ts'

/** An event loop that was late by this much within the last seconds. */
const maxLoopDelayMs = 1_000
const forgeTimeoutMs = 2_500

/** A row is really written: a database that can be read only looks well otherwise. */
export const databaseCheck = (db: Db): HealthCheck => ({
  name: 'database',
  maxAgeMs: 2_000,
  async check() {
    try {
      await saveSetting(db, 'health-check', new Date().toISOString())
      return null
    } catch (error) {
      return `The database cannot be written: ${errorMessage(error)}`
    }
  },
})

/** `folder`: any folder of the file system that is checked. */
export const diskCheck = (folder: string): HealthCheck => ({
  name: 'disk',
  maxAgeMs: 2_000,
  check: () => diskProblem(folder),
})

export const loopCheck = (monitor: LoopMonitor): HealthCheck => ({
  name: 'event_loop',
  maxAgeMs: 500,
  check() {
    const delayMs = monitor.maxRecentDelayMs()
    return delayMs < maxLoopDelayMs
      ? null
      : `The server was busy for ${Math.round(delayMs)} ms within the last ten seconds`
  },
})

/** Of the Docker runner that this server keeps. `starting` is no trouble: fetching its image may take minutes. */
export const dockerCheck = (state: () => ManagedRunnerState): HealthCheck => ({
  name: 'docker',
  maxAgeMs: 0,
  check() {
    const { state: current, error } = state()
    return current === 'failing' ? `The Docker runner fails: ${error ?? 'it ended'}` : null
  },
})

/** `url`: where this server reaches the forge. Any answer below 500 shows that it is there. */
export const forgeCheck = (title: string, url: string): HealthCheck => ({
  name: 'forge',
  maxAgeMs: 15_000,
  async check() {
    try {
      const answer = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(forgeTimeoutMs) })
      await answer.body?.cancel()
      return answer.status < 500 ? null : `${title} responded with status ${answer.status}`
    } catch {
      return `${title} cannot be reached`
    }
  },
})
