// Basics for every tool: the project's path, the state of its packages, and running commands. Uses
// only Node, because it runs before packages are installed.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The top folder of the project. */
export const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..')

const minNode = [20, 19]

/** Ends the process with a clear message if this Node is too old. */
export function checkNode(version = process.versions.node) {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > minNode[0] || (major === minNode[0] && minor >= minNode[1])) return
  console.error(`Flightdeck needs Node ${minNode.join('.')} or newer; this is ${version}.`)
  process.exit(1)
}

/**
 * Whether node_modules matches package-lock.json: npm writes node_modules/.package-lock.json when
 * an installation is complete. Optional packages (those of other platforms) may be missing.
 */
export function isInstalled(top = root) {
  const packages = readPackages(join(top, 'package-lock.json'))
  const present = readPackages(join(top, 'node_modules', '.package-lock.json'))
  if (!packages || !present) return false
  return Object.entries(packages).every(([path, entry]) => {
    if (!path.startsWith('node_modules/')) return true
    const found = present[path]
    return found ? found.version === entry.version : entry.optional === true
  })
}

function readPackages(file) {
  if (!existsSync(file)) return undefined
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages
  } catch {
    return undefined
  }
}

/**
 * Runs `npm ci` if needed. Its output goes to stderr, so that it does not mix with a tool's result.
 */
export function install() {
  if (isInstalled()) return
  console.error('Installing packages (npm ci) …')
  const npm = process.env.npm_execpath?.endsWith('.js') ? [process.execPath, process.env.npm_execpath] : ['npm']
  const [command, ...before] = npm
  const { status } = spawnSync(command, [...before, 'ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
  })
  if (status !== 0) {
    console.error('npm ci failed: see above.')
    process.exit(1)
  }
}

/** Runs a script of this project as a child process, with its output on stderr. */
export function runScript(script, args = []) {
  const { status } = spawnSync(process.execPath, [join(root, script), ...args], { cwd: root, stdio: ['ignore', 2, 2] })
  return status === 0
}

/** The path of a package's program, run by this Node. */
export const program = (name) => join(root, 'node_modules', '.bin', name)

const show = (text) => process.stdout.write(text)

/**
 * Runs a command and passes its output to `write` as it arrives. Resolves with its exit status,
 * output and duration.
 */
export function run(command, args, { env = {}, quiet = false, write = show, limit = 10 * 60_000 } = {}) {
  const began = Date.now()
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const output = { stdout: '', stderr: '' }
    for (const name of ['stdout', 'stderr']) {
      child[name].setEncoding('utf8').on('data', (chunk) => {
        output[name] += chunk
        if (!quiet) write(chunk)
      })
    }
    const timer = setTimeout(() => {
      write(`${command} took longer than ${limit / 1000} s and was ended.\n`)
      child.kill('SIGKILL')
    }, limit)
    const end = (status) => {
      clearTimeout(timer)
      resolve({ ...output, status, ms: Date.now() - began })
    }
    child.on('error', (error) => {
      output.stderr += `${error.message}\n`
      end(127)
    })
    child.on('close', (code) => end(code ?? 1))
  })
}
