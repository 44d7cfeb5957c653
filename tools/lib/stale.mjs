// Whether a build output matches its sources: a hash of their contents is stored in the output
// folder.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './project.mjs'

const stampName = '.stamp'
const skipped = new Set(['dist', 'node_modules'])
const isTest = (name) => /\.(test|e2e)\.[a-z]+$/.test(name)

function* filesOf(path) {
  const entries = readdirSync(path, { withFileTypes: true }).toSorted((a, b) => (a.name < b.name ? -1 : 1))
  for (const entry of entries) {
    if (skipped.has(entry.name) || isTest(entry.name)) continue
    const full = join(path, entry.name)
    if (entry.isDirectory()) yield* filesOf(full)
    else if (entry.isFile()) yield full
  }
}

/**
 * A hash of the contents of files and folders (relative to the root), and of additional strings
 * such as settings.
 */
export function hashOf(paths, words = [], top = root) {
  const hash = createHash('sha256').update(JSON.stringify(words))
  for (const path of paths) {
    const full = join(top, path)
    if (!existsSync(full)) continue
    for (const file of /\.[a-z]+$/.test(path) ? [full] : filesOf(full)) {
      hash.update(`\0${file.slice(top.length)}\0`).update(readFileSync(file))
    }
  }
  return hash.digest('hex')
}

/** Whether `folder` was built from sources with this hash. */
export function isFresh(folder, hash) {
  const stamp = join(folder, stampName)
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === hash
}

export const markFresh = (folder, hash) => writeFileSync(join(folder, stampName), hash)
