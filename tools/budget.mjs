// The weight of the dashboard's first load over the wire (brotli), without the API (issue 4). Run alone it prints the table.
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { extname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { brotliCompressSync } from 'node:zlib'
import { root } from './lib/project.mjs'

const dist = join(root, 'web/dist')

/** KiB per kind, and for everything together with the page itself. */
export const budget = { script: 94, style: 10, font: 19, total: 125 }

const kinds = { '.js': 'script', '.css': 'style', '.woff2': 'font', '.html': 'page', '.svg': 'page' }

/** Woff2 is compressed already; everything else travels as brotli. */
function weigh(file) {
  const bytes = readFileSync(join(dist, file))
  return file.endsWith('.woff2') ? bytes.length : brotliCompressSync(bytes).length
}

const named = /["'](?:\.{0,2}\/)*(?:assets\/)?([\w.-]+\.(?:js|css))["']/g
const dashboard = /^dashboard.*\.(js|css)$/
const fonts = /^(inter|jetbrains-mono)-ascii[-.].*\.woff2$/

/**
 * The files of the first load: what the page names (entry, preloads, styles), the dashboard's own pieces, everything that
 * these import statically, and the fonts of its text and its chips. `read` gives a file's text, `names` are the files in assets.
 */
export function firstLoad(page, names, read) {
  const files = new Set()
  const add = (name) => {
    if (files.has(name) || !names.includes(name)) return
    files.add(name)
    if (!name.endsWith('.js')) return
    for (const [, next] of read(name).matchAll(/(?:from|import)\s*["']\.\/([\w.-]+\.js)["']/g)) add(next)
  }
  for (const [, name] of page.matchAll(named)) add(name)
  for (const name of names) if (dashboard.test(name) || fonts.test(name)) add(name)
  return [...files]
}

/** Prints the table and answers whether every line stays within its budget. */
export function checkBudget() {
  const pageFile = join(dist, 'index.html')
  if (!existsSync(pageFile)) {
    console.log('web/dist/index.html is missing: build the web part first.')
    return false
  }
  const names = readdirSync(join(dist, 'assets'))
  const assets = firstLoad(readFileSync(pageFile, 'utf8'), names, (name) =>
    readFileSync(join(dist, 'assets', name), 'utf8'),
  )
  const sizes = { script: 0, style: 0, font: 0, page: 0, total: 0 }
  for (const file of ['index.html', ...assets.map((name) => `assets/${name}`)]) {
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
