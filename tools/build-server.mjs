// Bundles server/src/main.ts into server/dist/main.js, and the worker threads (pipeline files, log
// search, step output) and the process that starts steps into files beside it. The SQLite package
// is not bundled, because it has a compiled binary.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'

const root = join(import.meta.dirname, '..')

/**
 * V8 keeps a program's source in memory, with two bytes per character if any character is outside
 * of Latin-1: 2.7 MB more because of a few symbols in messages. Escaped, they mean the same in
 * strings, templates and patterns, but not in raw strings.
 */
const latin = {
  name: 'latin',
  // The last hook: later code generation would undo the escapes.
  generateBundle(_, files) {
    for (const file of Object.values(files)) if (file.type === 'chunk') file.code = inLatin(file.code)
  },
}
/** Exported for its test. */
export function inLatin(code) {
  const raw = code.split('\n').find((line) => line.includes('String.raw') && /[^\0-\xff]/.test(line))
  if (raw) throw new Error(`a raw text may hold characters of Latin-1 only: ${raw.trim()}`)
  return code.replaceAll(/[^\0-\xff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

async function bundle(source, folder, name) {
  const made = await rolldown({
    input: join(root, source),
    platform: 'node',
    external: [/^node:/, '@photostructure/sqlite'],
    logLevel: 'warn',
  })
  await made.write({
    dir: folder,
    entryFileNames: name,
    format: 'esm',
    sourcemap: true,
    codeSplitting: false,
    // Comments are for readers of the source, and would stay in memory.
    comments: { legal: true, annotation: false, jsdoc: false },
    plugins: [latin],
  })
  await made.close()
}

/** `folder`: the output folder of `pipeline-worker.js`. */
export const buildWorker = (folder) =>
  bundle('server/src/pipeline-files/pipeline-worker.ts', folder, 'pipeline-worker.js')

const buildSearcher = (folder) => bundle('server/src/logs/search/search-worker.ts', folder, 'log-search-worker.js')
const buildOutputReader = (folder) => bundle('server/src/runner/output/output-worker.ts', folder, 'output-worker.js')
const buildFinder = (folder) =>
  bundle('server/src/store/build-search/search-worker.ts', folder, 'build-search-worker.js')
const buildSpawner = (folder) => bundle('server/src/runner/processes/spawner.ts', folder, 'spawner.js')

/** `folder`: the output folder of `main.js`, which expects the other files beside it. */
export async function buildServer(folder = join(root, 'server/dist')) {
  const main = bundle('server/src/main.ts', folder, 'main.js')
  await Promise.all(
    [buildWorker, buildSearcher, buildFinder, buildOutputReader, buildSpawner].map((make) => make(folder)).concat(main),
  )
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await buildServer()
