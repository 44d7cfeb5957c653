// Builds web/dist: the static files, and compressed copies (`.br`, `.gz`) of every text file for
// servers that serve those.
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

import { build } from 'vite'

const web = fileURLToPath(new URL('../web', import.meta.url))
const dist = join(web, 'dist')
const texts = new Set(['.html', '.js', '.css', '.svg', '.json', '.txt', '.map'])
/** Smaller files gain nothing. */
const worthIt = 512

const toBrotli = promisify(brotliCompress)
const toGzip = promisify(gzip)

const compress = async (file) => {
  const bytes = await readFile(file)
  if (bytes.length < worthIt) return
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
  await Promise.all([
    toBrotli(bytes, { params }).then((small) => writeFile(`${file}.br`, small)),
    toGzip(bytes, { level: 9 }).then((small) => writeFile(`${file}.gz`, small)),
  ])
}

export async function buildWeb({ logLevel = 'warn' } = {}) {
  await build({ root: web, configFile: join(web, 'vite.config.ts'), logLevel })
  const entries = await readdir(dist, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile() && texts.has(extname(entry.name)))
  await Promise.all(files.map((entry) => compress(join(entry.parentPath, entry.name))))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildWeb()
