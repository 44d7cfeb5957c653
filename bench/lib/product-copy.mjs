// Stores the benchmarks' data below node_modules, so that it is reused between runs.
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { build } from '../../tools/lib/parts.mjs'
import { root } from '../../tools/lib/project.mjs'

export const cache = join(root, 'node_modules/.cache/flightdeck-bench')

const stampOf = (folder) => {
  const file = join(folder, '.stamp')
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}

/**
 * Builds the product and copies it, so that another build does not change what is measured. Returns
 * the path of the server's file.
 */
export function product() {
  if (build().length > 0) throw new Error('The product could not be built')
  const copy = join(cache, 'product')
  for (const part of ['web/dist', 'server/dist']) {
    const [from, to] = [join(root, part), join(copy, part)]
    if (existsSync(to) && stampOf(from) === stampOf(to)) continue
    rmSync(to, { recursive: true, force: true })
    mkdirSync(to, { recursive: true })
    cpSync(from, to, { recursive: true })
  }
  return join(copy, 'server/dist/main.js')
}
