// The weight of the dashboard's first load over the wire (brotli), without the API (issue 4). Run alone it prints the table.
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { extname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { brotliCompressSync } from 'node:zlib'
import { root } from './lib/project.mjs'

const dist = join(root, 'web/dist')

/** KiB per kind, and for everything together with the page itself. */
export const budget = { script: 130, style: 10, font: 40, total: 180 }

const kinds = { '.js': 'script', '.css': 'style', '.woff2': 'font', '.html': 'page', '.svg': 'page' }

/** Woff2 is compressed already; everything else travels as brotli. */
function weigh(file) {
  const bytes = readFileSync(join(dist, file))
  return file.endsWith('.woff2') ? bytes.length : brotliCompressSync(bytes).length
}

/** The files of the first load: the page, its entry, the dashboard's own chunk, their static imports, styles and the Latin font. */
export function firstLoad(manifest, names) {
  const files = new Set(['index.html'])
  const add = (key) => {
    const chunk = manifest[key]
    if (!chunk || files.has(chunk.file)) return
    files.add(chunk.file)
    for (const style of chunk.css ?? []) files.add(style)
    for (const next of chunk.imports ?? []) add(next)
  }
  for (const [key, chunk] of Object.entries(manifest)) {
    if (chunk.isEntry || /features\/dashboard\//.test(chunk.src ?? '')) add(key)
  }
  for (const name of names) if (/inter-latin-wght-normal.*\.woff2$/.test(name)) files.add(name)
  return [...files]
}

/** Prints the table and answers whether every line stays within its budget. */
export function checkBudget() {
  const manifestFile = join(dist, '.vite/manifest.json')
  if (!existsSync(manifestFile)) {
    console.log('web/dist/.vite/manifest.json is missing: build the web part first.')
    return false
  }
  const names = readdirSync(dist, { recursive: true }).map(String)
  const sizes = { script: 0, style: 0, font: 0, page: 0, total: 0 }
  for (const file of firstLoad(JSON.parse(readFileSync(manifestFile, 'utf8')), names)) {
    const size = weigh(file)
    sizes[kinds[extname(file)] ?? 'page'] += size
    sizes.total += size
  }
  const lines = Object.entries(budget).map(([kind, limit]) => ({ kind, limit, size: sizes[kind] / 1024 }))
  for (const { kind, limit, size } of lines) {
    const verdict = size > limit ? 'TOO MUCH' : 'ok'
    console.log(`  ${kind.padEnd(7)} ${size.toFixed(1).padStart(6)} of ${limit} KiB  ${verdict}`)
  }
  return lines.every(({ limit, size }) => size <= limit)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href && !checkBudget()) process.exitCode = 1
