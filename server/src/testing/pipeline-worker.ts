/** For tests: the program of the threads that read pipeline files, bundled from the sources as they are. */
import { join } from 'node:path'

const root = join(import.meta.dirname, '../../..')
const folder = join(root, 'node_modules/.cache/flightdeck-worker-test')
export const workerScript = join(folder, 'pipeline-worker.js')

interface Builder {
  buildWorker: (folder: string) => Promise<void>
}

/** Once before all tests (vitest.config.ts). */
export async function setup(): Promise<void> {
  const { buildWorker } = (await import(join(root, 'tools/build-server.mjs'))) as Builder
  await buildWorker(folder)
}
