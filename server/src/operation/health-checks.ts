/**
 * Checks what the server needs to work. The sentences contain no paths or addresses, because anyone
 * can read them.
 */
import { mkdir, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ManagedRunnerState } from '@flightdeck/api'
import { diskProblem } from '../lib/disk-space.ts'
import { publicMessage } from '../lib/public-text.ts'
import { storageFailure } from '../store/errors.ts'
import type { Db } from '../store/open.ts'
import { saveSetting } from '../store/settings.ts'
import type { LoopMonitor } from './loop-monitor.ts'
import type { HealthCheck } from './health.ts'

/** The event loop delay within the last seconds that counts as failing. */
const maxLoopDelayMs = 1_000
const forgeTimeoutMs = 2_500

/** Writes a row, because a read-only database would otherwise look healthy. */
export const databaseCheck = (db: Db): HealthCheck => ({
  name: 'database',
  maxAgeMs: 2_000,
  async check() {
    try {
      await saveSetting(db, 'health-check', new Date().toISOString())
      return null
    } catch (error) {
      return storageFailure(error) ?? `The database cannot be written: ${publicMessage(error)}`
    }
  },
})

/** `folder`: any folder of the file system that is checked. */
export const diskCheck = (folder: string): HealthCheck => ({
  name: 'disk',
  maxAgeMs: 2_000,
  check: () => diskProblem(folder),
})

/** Writes a file: the folder may be on a disk of its own, or read-only. */
export const logsCheck = (folder: string): HealthCheck => ({
  name: 'logs',
  maxAgeMs: 2_000,
  async check() {
    // A start removes unfinished logs, whose names end so.
    const path = join(folder, 'health-check.tmp')
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await writeFile(path, 'written by /readyz\n', { mode: 0o600 })
      await unlink(path)
      return null
    } catch (error) {
      return `Logs cannot be written: ${publicMessage(error)}`
    }
  },
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

/**
 * The state of the managed Docker runner. `starting` is healthy: fetching its image may take
 * minutes.
 */
export const dockerCheck = (state: () => ManagedRunnerState): HealthCheck => ({
  name: 'docker',
  maxAgeMs: 0,
  check() {
    const { state: current, error } = state()
    return current === 'failing' ? `The Docker runner fails: ${error ?? 'it ended'}` : null
  },
})

/**
 * `url`: the address at which this server reaches the forge. Any response below 500 counts as
 * healthy.
 */
export const forgeCheck = (title: string, url: string): HealthCheck => ({
  name: 'forge',
  maxAgeMs: 15_000,
  async check() {
    try {
      const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(forgeTimeoutMs) })
      await response.body?.cancel()
      return response.status < 500 ? null : `${title} responded with status ${response.status}`
    } catch {
      return `${title} cannot be reached`
    }
  },
})
