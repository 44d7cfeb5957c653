// `node tools/docker-tests.mjs`: starts a separate Docker daemon, runs the tests that need one, and
// stops it. Needs root and Debian's packages docker.io and git. It changes no firewall rules and
// does not touch other daemons.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { checkNode, install, program, run } from './lib/project.mjs'

checkNode()
install()

const folder = mkdtempSync(join(tmpdir(), 'flightdeck-dockerd-'))
const socket = join(folder, 'docker.sock')
const places = ['--data-root', join(folder, 'data'), '--exec-root', join(folder, 'exec'), '-p', join(folder, 'pid')]
const manners = ['--iptables=false', '--ip6tables=false', '--bridge=none', '--storage-driver=vfs']

const answers = () =>
  new Promise((resolve) => {
    const ping = request({ socketPath: socket, path: '/_ping', agent: false }, (answer) => {
      answer.resume()
      resolve(answer.statusCode === 200)
    })
    ping.on('error', () => resolve(false))
    ping.end()
  })

// Ctrl-C reaches all three processes: the tests end, and then this one cleans up.
process.on('SIGINT', () => {})

let output = ''
const daemon = spawn('dockerd', [...manners, ...places, '-H', `unix://${socket}`], {
  env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/sbin` },
  stdio: ['ignore', 'ignore', 'pipe'],
})
daemon.stderr.setEncoding('utf8').on('data', (text) => (output = `${output}${text}`.slice(-4_000)))
const closed = once(daemon, 'close').catch((error) => (output += String(error)))
daemon.on('error', (error) => (output += `${error.message}\n`))

async function up() {
  for (let tries = 0; tries < 300; tries++) {
    if (daemon.exitCode !== null || daemon.pid === undefined) return false
    if (await answers()) return true
    await delay(200)
  }
  return false
}

let status = 1
try {
  if (await up()) {
    const env = { DOCKER_HOST: `unix://${socket}`, DOCKER_TESTS_OWN: '1' }
    const words = process.argv.slice(2)
    status = (await run(program('vitest'), ['run', 'server/src/docker', ...words], { env })).status
  } else console.error(`dockerd did not start:\n${output}`)
} finally {
  if (daemon.pid !== undefined && daemon.exitCode === null) {
    daemon.kill('SIGTERM')
    await closed
  }
  // If the daemon was killed, its containerd is still running.
  const left = join(folder, 'exec/containerd/containerd.pid')
  if (existsSync(left)) {
    try {
      process.kill(Number(readFileSync(left, 'utf8')), 'SIGTERM')
    } catch {
      // It has ended with the daemon.
    }
  }
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}
process.exit(status)
