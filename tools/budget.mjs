// The size of the dashboard's first load over the wire (brotli), without the API: all automatic
// requests, including response headers, as counted by `npm run bench -- weight`. Run directly, it
// prints the table.
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { extname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './lib/project.mjs'

const dist = join(root, 'web/dist')

/** KiB per kind, and for everything together with the page itself. */
export const budget = { script: 102, style: 10, font: 20, total: 136 }

const kinds = { '.js': 'script', '.css': 'style', '.woff2': 'font', '.html': 'page', '.svg': 'page' }

/**
 * Bytes of the response headers: more for pages, which have a content security policy
 * (server/src/http/security.ts).
 */
const headOf = (file) => (kinds[extname(file)] === 'page' ? 803 : 370)

/** The size over the wire: of the compressed file, if the build made one. */
function weigh(file) {
  const packed = join(dist, `${file}.br`)
  return statSync(existsSync(packed) ? packed : join(dist, file)).size + headOf(file)
}

const named = /["'](?:\.{0,2}\/)*(?:assets\/)?([\w.-]+\.(?:js|css))["']/g
/**
 * The dashboard's own chunks, and those that the shell loads after every first page
 * (web/src/app/deferred-shell.tsx).
 */
const dashboard = /^(dashboard|deferred-shell).*\.(js|css)$/
const fonts = /^(inter|jetbrains-mono)-ascii[-.].*\.woff2$/

/**
 * The files of the first load: what the page names (entry, preloads, styles), the dashboard's own
 * chunks, the deferred shell, their static imports, and the fonts of the interface and its chips.
 * `read` returns a file's text, `names` are the files in assets.
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

/** The first load of the built page: names and sizes of files below web/dist. */
export function builtFirstLoad() {
  const assets = join(dist, 'assets')
  const page = readFileSync(join(dist, 'index.html'), 'utf8')
  const files = firstLoad(page, readdirSync(assets), (name) => readFileSync(join(assets, name), 'utf8'))
  return ['index.html', 'favicon.svg', ...files.map((name) => `assets/${name}`)].map((file) => ({
    file,
    size: weigh(file),
  }))
}

/** Prints the table and returns whether every line is within its budget. */
export function checkBudget() {
  if (!existsSync(join(dist, 'index.html'))) {
    console.log('web/dist/index.html is missing: build the web part first.')
    return false
  }
  const sizes = { script: 0, style: 0, font: 0, page: 0, total: 0 }
  for (const { file, size } of builtFirstLoad()) {
    sizes[kinds[extname(file)]] += size
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
