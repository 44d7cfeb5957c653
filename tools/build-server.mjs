// Bundles server/src/main.ts into server/dist/main.js. The SQLite package stays outside: it brings a compiled binary.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'

const root = join(import.meta.dirname, '..')

/** `folder`: where `main.js` is laid. */
export async function buildServer(folder = join(root, 'server/dist')) {
  const bundle = await rolldown({
    input: join(root, 'server/src/main.ts'),
    platform: 'node',
    external: [/^node:/, '@photostructure/sqlite'],
    logLevel: 'warn',
  })
  await bundle.write({
    dir: folder,
    entryFileNames: 'main.js',
    format: 'esm',
    sourcemap: true,
    codeSplitting: false,
  })
  await bundle.close()
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await buildServer()
