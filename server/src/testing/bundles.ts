/**
 * For tests: bundles of the server, its worker threads and its spawner, built from the current
 * sources.
 */
import { mkdir, readdir, rename, rmdir } from 'node:fs/promises'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../../..')
/** Beside the installed packages, so that the bundle finds the package that it does not contain. */
const folder = join(root, 'node_modules/.cache/flightdeck-server-test')
export const serverBundle = join(folder, 'main.js')
export const workerScript = join(folder, 'pipeline-worker.js')
export const searchScript = join(folder, 'log-search-worker.js')
export const buildSearchScript = join(folder, 'build-search-worker.js')
export const spawnerScript = join(folder, 'spawner.js')
export const outputScript = join(folder, 'output-worker.js')

interface Builder {
  buildServer: (folder: string) => Promise<void>
}

/**
 * Once before all tests (vitest.config.ts). Renamed rather than overwritten, so that another run on
 * this machine, or another checkout that shares the installed packages by hard links, finds its own
 * bundle or the new one, and never half of one.
 */
export async function setup(): Promise<void> {
  const { buildServer } = (await import(join(root, 'tools/build-server.mjs'))) as Builder
  const built = `${folder}.${process.pid}`
  await buildServer(built)
  await mkdir(folder, { recursive: true })
  for (const name of await readdir(built)) await rename(join(built, name), join(folder, name))
  await rmdir(built)
}
