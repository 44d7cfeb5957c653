import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Plugin } from 'vite'

const { resolve } = createRequire(import.meta.url)
const fileOf = (name: string, file: string): string => join(dirname(resolve(`${name}/package.json`)), 'cjs', file)
const store = 'use-sync-external-store-shim'

const files = new Map([
  ['react', fileOf('react', 'react.production.js')],
  ['react/jsx-runtime', fileOf('react', 'react-jsx-runtime.production.js')],
  ['react-dom', fileOf('react-dom', 'react-dom.production.js')],
  ['react-dom/client', fileOf('react-dom', 'react-dom-client.production.js')],
  ['scheduler', fileOf('scheduler', 'scheduler.production.js')],
  ['use-sync-external-store/shim', fileOf('use-sync-external-store', `${store}.production.js`)],
  [
    'use-sync-external-store/shim/with-selector',
    fileOf('use-sync-external-store', `${store}/with-selector.production.js`),
  ],
])
const taken = new Set(files.values())

const exportsOf = (code: string): string[] => [
  ...new Set([...code.matchAll(/\bexports\.(\w+)/g)].map(([, name = '']) => name)),
]
const namesOf = (source: string): string[] => exportsOf(readFileSync(files.get(source) ?? '', 'utf8'))

/** What an import does not have is `undefined`, as it would be of an object. */
const withoutMissing = (code: string, name: string, known: readonly string[]): string =>
  code.replaceAll(new RegExp(`\\b${name}\\.(\\w+)`, 'g'), (text, member: string) =>
    known.includes(member) ? text : 'undefined',
  )

/** The same as a module: `exports.x = …` is a name that is exported, and `x = require('y')` an import of all of it. */
export function asModule(code: string, known: (source: string) => readonly string[] = namesOf): string {
  const imports = [...code.matchAll(/^(?:var)?\s*(\w+) = require\("([\w/-]+)"\)[,;]\n/gm)]
  const body = imports
    .reduce((text, [all, name = '', from = '']) => withoutMissing(text.replace(all, ''), name, known(from)), code)
    .replaceAll(/^exports\.(\w+) =/gm, 'let exported_$1 =')
    .replaceAll(/\bexports\.(\w+)/g, 'exported_$1')
  const list = exportsOf(code).map((name) => `exported_${name} as ${name}`)
  const heads = imports.map(([, name = '', from = '']) => `import * as ${name} from '${from}'`)
  return [...heads, body, `export { ${list.join(', ')} }`, ''].join('\n')
}

/** Base UI copies all of React to ask for what an old one may lack; that copy alone would keep all names of it in the first load. */
const safeReact = /\/@base-ui\/utils\/safeReact\.mjs$/
const safe = `import { useId, useInsertionEffect, useLayoutEffect } from 'react'
export const SafeReact = { useId, useInsertionEffect, useLayoutEffect }
`

/**
 * React comes as CommonJS only: each of our files would copy all of its names when it is first run and ask for each one through a
 * getter, and nothing of it could be left out. Its production files are of one plain form, so the build takes them as modules.
 */
export const reactModulesPlugin: Plugin = {
  name: 'flightdeck-react-modules',
  apply: 'build',
  enforce: 'pre',
  resolveId: (source) => files.get(source),
  transform(code, id) {
    if (safeReact.test(id)) return { code: safe, map: null }
    return taken.has(id) ? { code: asModule(code), map: null } : undefined
  },
}
