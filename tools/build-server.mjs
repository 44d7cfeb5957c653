// Bundles server/src/main.ts into server/dist/main.js, and beside it the programs of the threads that read pipeline files and
// search logs, and of the process that starts steps. The SQLite package stays outside: it brings a compiled binary.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'

const root = join(import.meta.dirname, '..')

async function bundle(source, folder, name) {
  const made = await rolldown({
    input: join(root, source),
    platform: 'node',
    external: [/^node:/, '@photostructure/sqlite'],
    logLevel: 'warn',
  })
  await made.write({ dir: folder, entryFileNames: name, format: 'esm', sourcemap: true, codeSplitting: false })
  await made.close()
}

/** `folder`: where `pipeline-worker.js` is laid. */
export const buildWorker = (folder) => bundle('server/src/pipeline-files/worker.ts', folder, 'pipeline-worker.js')

const buildSearcher = (folder) => bundle('server/src/logs/search/worker.ts', folder, 'log-search-worker.js')
const buildSpawner = (folder) => bundle('server/src/runner/processes/spawner.ts', folder, 'spawner.js')

/** `folder`: where `main.js` is laid, which expects the others beside itself. */
export async function buildServer(folder = join(root, 'server/dist')) {
  const main = bundle('server/src/main.ts', folder, 'main.js')
  await Promise.all([main, buildWorker(folder), buildSearcher(folder), buildSpawner(folder)])
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await buildServer()
