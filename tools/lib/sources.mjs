import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './project.mjs'

/** All source files of the packages, relative to the project's root. */
export function sourceFiles() {
  return ['api', 'cause', 'web', 'server'].flatMap((folder) => [...sources(folder)])
}

function* sources(folder) {
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory() && entry.name !== 'dist' && entry.name !== 'node_modules') yield* sources(path)
    else if (/\.(ts|tsx|mts)$/.test(entry.name)) yield path
  }
}

/** Tests, and helpers that only tests use. */
export const isTest = (file) =>
  /(\.(test|e2e)|\/test-[^/]+)\.[a-z]+$/.test(file) || /\/(test|testing|fixtures)\//.test(file)
