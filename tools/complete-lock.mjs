// Completes package-lock.json after `npm install` behind a registry that lacks packages of other
// platforms.
//
// Some tools have one binary package per platform as optional dependencies. If the registry doesn't
// have the package of a platform, npm omits its entry from the lock file – and `npm ci` then
// refuses the file on every machine. This adds the missing entries (name, exact version, platform),
// which npm skips on other platforms.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './lib/project.mjs'

const systems = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32']
const processors = ['arm64', 'arm', 'x64', 'ia32', 'ppc64', 'riscv64', 's390x', 'loong64', 'mips64el', 'wasm32']

/** Whether an entry of this name can be resolved from a package's folder, as Node resolves it. */
function isPresent(packages, from, name) {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    if (packages[`${at ? `${at}/` : ''}node_modules/${name}`]) return true
    if (!at.includes('/node_modules/')) return Boolean(packages[`node_modules/${name}`])
  }
}

/** The lock file entry of a package for another platform, derived from its name. */
export function lockEntryOf(name, version, dev) {
  const words = name.split(/[/-]/)
  const os = systems.filter((system) => words.includes(system))
  const cpu = processors.filter((processor) => words.includes(processor))
  if (os.length === 0 && cpu.length === 0) return undefined
  return { version, ...(cpu.length > 0 && { cpu }), ...(dev && { dev }), optional: true, ...(os.length > 0 && { os }) }
}

/** Adds the missing entries and returns their names. */
export function complete(packages) {
  const added = []
  for (const [from, entry] of Object.entries(packages)) {
    for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
      if (isPresent(packages, from, name)) continue
      const made = /^\d/.test(version) && lockEntryOf(name, version, entry.dev === true)
      if (!made) continue
      packages[`node_modules/${name}`] = made
      added.push(name)
    }
  }
  return added
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const file = join(root, 'package-lock.json')
  const lock = JSON.parse(readFileSync(file, 'utf8'))
  const added = complete(lock.packages)
  if (added.length > 0) writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`)
  console.log(`${added.length} entries added`)
}
