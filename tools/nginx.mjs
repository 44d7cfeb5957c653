// Prints the path of nginx for the test of docs/guide/behind-nginx.md. If it is not installed,
// downloads Debian's package (0.6 MB) and unpacks it into the user's cache folder, without setting
// up a service or changing the system.
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { spawnSync } from 'node:child_process'
import { inPath, must } from './chromium/programs.mjs'

const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'flightdeck', 'nginx')
const unpacked = join(cache, 'usr/sbin/nginx')
const starts = (path) => spawnSync(path, ['-v'], { stdio: 'ignore', timeout: 20_000 }).status === 0

function fetched() {
  const work = `${cache}.${process.pid}`
  try {
    mkdirSync(work, { recursive: true })
    must('apt-get', ['download', '-qq', 'nginx', 'nginx-common'], { cwd: work, timeout: 60_000 })
    for (const name of readdirSync(work).filter((file) => file.endsWith('.deb'))) {
      must('dpkg-deb', ['-x', join(work, name), join(work, 'tree')])
    }
    rmSync(cache, { recursive: true, force: true })
    mkdirSync(dirname(cache), { recursive: true })
    renameSync(join(work, 'tree'), cache)
    return unpacked
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

try {
  const present = [...inPath('nginx'), '/usr/sbin/nginx', unpacked].find((path) => existsSync(path) && starts(path))
  const path = present ?? fetched()
  if (!starts(path)) throw new Error(`${path} does not start`)
  console.log(path)
} catch (error) {
  console.error(`No nginx for the tests: ${error.message}`)
  console.error('Install nginx, or run apt-get update.')
  process.exit(1)
}
