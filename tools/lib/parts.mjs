// The two build outputs, their sources and their build scripts.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { root, runScript } from './project.mjs'
import { hashOf, isFresh, markFresh } from './stale.mjs'

const shared = ['api', 'cause', 'package-lock.json', 'tsconfig.json']

export const parts = [
  { name: 'web', script: 'tools/build-web.mjs', folder: 'web/dist', proof: 'web/dist/index.html', sources: ['web'] },
  {
    name: 'server',
    script: 'tools/build-server.mjs',
    folder: 'server/dist',
    proof: 'server/dist/main.js',
    sources: ['server'],
  },
]

/** Settings that are compiled into the web part. */
const settings = () => ['VITE_SERVER_URL', 'VITE_TOKEN'].map((name) => process.env[name] ?? '')

/** Builds what is stale, or everything with `force`. Returns the names of the parts that failed. */
export function build({ force = false } = {}) {
  return parts.filter((part) => existsSync(join(root, part.script)) && !buildPart(part, force)).map((part) => part.name)
}

function buildPart({ name, script, folder, proof, sources }, force) {
  const hash = hashOf([...sources, ...shared, script], name === 'web' ? settings() : [])
  if (!force && isFresh(join(root, folder), hash) && existsSync(join(root, proof))) return true
  console.error(`Building ${name} …`)
  if (!runScript(script) || !existsSync(join(root, proof))) {
    console.error(`Building ${name} failed: ${proof} was not made.`)
    return false
  }
  markFresh(join(root, folder), hash)
  return true
}
