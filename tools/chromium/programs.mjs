// Small helpers of tools/chromium.mjs.
import { spawn, spawnSync } from 'node:child_process'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'

/** The user's cache folder for downloaded browsers. */
export const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'flightdeck', 'chromium')

/** The possible paths of these programs in PATH. */
export const inPath = (...names) =>
  (process.env.PATH ?? '').split(delimiter).flatMap((folder) => names.map((name) => join(folder, name)))

/** Whether a browser starts: a binary with missing libraries doesn't. */
export const starts = (path) =>
  spawnSync(path, ['--no-sandbox', '--version'], { stdio: 'ignore', timeout: 20_000 }).status === 0

/** Runs a command and waits for its end; throws with its output if it fails. */
export function must(command, args, options = {}) {
  const { status, stderr, error } = spawnSync(command, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
    timeout: 8 * 60_000,
    ...options,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', ...options.env },
  })
  if (status === 0) return
  throw new Error(`${command} ${args.at(-1)}: ${error?.message ?? stderr.trim().split('\n').slice(-3).join(' ')}`)
}

/**
 * Runs a command, and ends it if it prints no progress for some time. Resolves with whether it
 * succeeded.
 */
export function runWhileAlive(command, args, { env, progress, patience, limit }) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
    const kill = () => child.kill('SIGKILL')
    const impatient = setTimeout(kill, patience)
    const atMost = setTimeout(kill, limit)
    const listen = (chunk) => {
      if (progress.test(String(chunk))) clearTimeout(impatient)
    }
    child.stdout.on('data', listen)
    child.stderr.on('data', listen)
    const end = (ok) => {
      clearTimeout(impatient)
      clearTimeout(atMost)
      resolve(ok)
    }
    child.on('error', () => end(false))
    child.on('close', (code) => end(code === 0))
  })
}
