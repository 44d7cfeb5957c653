/**
 * The player as a program of its own: `node player.js --server URL --secret-file FILE [--name N] [--capacity N] [--type T]
 * [--labels a=b,…] [--pause MS] [--batch MS] [--duplicate P] [--reorder P] [--stale P] [--die POINT]`. `--die` ends it as
 * `kill -9` would at the first such point (see `PlayerOptions.at`). Each step runs its commands only with `--shell`.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { parsePipelines } from '../../pipeline/parse.ts'
import { startPlayer, type StepContext } from './player.ts'

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
  const { pipelines } = parsePipelines(Buffer.from(details.config.Data, 'base64').toString('utf8'))
  const doc = pipelines.find((one) => (one.name || 'default') === stage.name)
  const commands = doc?.steps.find((one) => one.name === step.name)?.commands ?? []
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
const labels = Object.fromEntries((values.labels ?? '').split(',').flatMap((pair) => (pair ? [pair.split('=')] : [])))
const player = startPlayer({
  server: values.server ?? '',
  secret: readFileSync(values['secret-file'] ?? '', 'utf8').trim(),
  name: values.name ?? 'player',
  capacity: number(values.capacity, 2),
  filter: {
    kind: 'pipeline',
    type: values.type ?? 'docker',
    os: values.os ?? 'linux',
    arch: values.arch ?? 'amd64',
    ...(values.labels && { labels }),
  },
  pauseMs: number(values.pause, 10_000),
  batchMs: number(values.batch, 1_000),
  faults: {
    duplicate: number(values.duplicate, 0),
    reorder: number(values.reorder, 0),
    stale: number(values.stale, 0),
  },
  ...(values.shell && { run: shell }),
  at(point, stage) {
    process.stdout.write(`${point} ${stage.id} ${stage.name}\n`)
    if (point === values.die) process.kill(process.pid, 'SIGKILL')
  },
})
process.once('SIGTERM', () => player.kill())
await player.ended
