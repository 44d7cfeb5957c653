/**
 * The player as a program of its own:
 *
 *     node player.js --server URL --secret-file FILE [--name N] [--capacity N] [--type T]
 *       [--labels a=b,…] [--pause MS] [--batch MS] [--duplicate P] [--reorder P] [--stale P]
 *       [--die POINT]
 *
 * `--die` ends it as `kill -9` would at the first such point (see `PlayerOptions.at`). Each step
 * runs its commands only with `--shell`.
 *
 * In a container it takes the variables of official runners, `DRONE_RPC_HOST` and others, and runs
 * each step as a container through the mounted socket.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { parseArgs } from 'node:util'
import { createEngine } from './engine.ts'
import { docOf, startPlayer, type PlayerOptions, type StepContext } from './player.ts'

const text = { type: 'string' } as const
const { values } = parseArgs({
  options: {
    server: text,
    'secret-file': text,
    name: text,
    capacity: text,
    type: text,
    os: text,
    arch: text,
    labels: text,
    pause: text,
    batch: text,
    duplicate: text,
    reorder: text,
    stale: text,
    die: text,
    shell: { type: 'boolean' },
  },
})

async function shell({ details, stage, step, signal, log }: StepContext): Promise<number> {
  const commands = docOf({ ...details, stage })?.steps.find((one) => one.name === step.name)?.commands ?? []
  const child = spawn('/bin/sh', ['-ec', commands.join('\n')], { signal, stdio: ['ignore', 'pipe', 'pipe'] })
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (data: string) => {
      for (const line of data.split(/(?<=\n)/)) log(line)
    })
  }
  const [code] = (await once(child, 'close')) as [number | null]
  return code ?? 137
}

const number = (value: string | undefined, otherwise: number) => (value === undefined ? otherwise : Number(value))
const pairs = (text: string, between: string) =>
  Object.fromEntries(text.split(',').flatMap((pair) => (pair ? [pair.split(between)] : [])))
const { env } = process

const filterOf = (type: string, labels: string | undefined, between: string) => ({
  kind: 'pipeline',
  type,
  os: values.os ?? 'linux',
  arch: values.arch ?? 'amd64',
  ...(labels && { labels: pairs(labels, between) }),
})

function fromFlags(): PlayerOptions {
  return {
    server: values.server ?? '',
    secret: readFileSync(values['secret-file'] ?? '', 'utf8').trim(),
    name: values.name ?? 'player',
    capacity: number(values.capacity, 2),
    filter: filterOf(values.type ?? 'docker', values.labels, '='),
    pauseMs: number(values.pause, 10_000),
    batchMs: number(values.batch, 1_000),
    faults: {
      duplicate: number(values.duplicate, 0),
      reorder: number(values.reorder, 0),
      stale: number(values.stale, 0),
    },
    ...(values.shell && { run: shell }),
  }
}

function fromEnvironment(host: string): PlayerOptions {
  const memory = number(env['DRONE_MEMORY_LIMIT'], 0)
  const engine = createEngine('/var/run/docker.sock', env['DRONE_RUNNER_CLONE_IMAGE'] ?? 'drone/git:latest', memory)
  return {
    server: `${env['DRONE_RPC_PROTO'] ?? 'http'}://${host}`,
    secret: env['DRONE_RPC_SECRET'] ?? '',
    name: env['DRONE_RUNNER_NAME'] ?? hostname(),
    capacity: number(env['DRONE_RUNNER_CAPACITY'], 2),
    filter: filterOf('docker', env['DRONE_RUNNER_LABELS'], ':'),
    // The image sets the pause of its player; the official runner pauses for 10 s.
    pauseMs: number(env['PLAYER_PAUSE'], 10_000),
    ...engine,
  }
}

const host = env['DRONE_RPC_HOST']
const player = startPlayer({
  ...(host === undefined ? fromFlags() : fromEnvironment(host)),
  at(point, stage) {
    process.stdout.write(`${point} ${stage.id} ${stage.name}\n`)
    if (point === values.die) process.kill(process.pid, 'SIGKILL')
  },
})
process.once('SIGTERM', () => player.kill())
await player.ended
