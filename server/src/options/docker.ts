/** The settings of the managed Docker runner. */
import { resolve } from 'node:path'
import type { DockerOptions } from '../startup/docker-runner.ts'
import type { Flag, Given } from './table.ts'
import { list, UsageError, readInteger, readBoolean } from './values.ts'

const megabyte = 1024 * 1024

const form = (given: Given, flag: Flag, pattern: RegExp, example: string): string | undefined => {
  const source = given[flag]
  if (!source) return undefined
  if (pattern.test(source.text)) return source.text
  throw new UsageError(`${source.from} must be ${example}, not "${source.text}"`)
}

/**
 * Labels become an environment variable of the runner, in which a comma or colon would start
 * another label.
 */
function labels(given: Given): Record<string, string> {
  const pairs = list(given['--docker-labels']).map((text): [string, string] => {
    const [, key, value] = /^([^=,:\s]+)=([^=,:\s]+)$/.exec(text) ?? []
    if (key !== undefined && value !== undefined) return [key, value]
    throw new UsageError(`${given['--docker-labels']?.from} must look like zone=a, not "${text}"`)
  })
  return Object.fromEntries(pairs)
}

function socket(given: Given, host: string | undefined): string {
  const chosen = given['--docker-socket']
  if (chosen) return resolve(chosen.text)
  if (!host) return '/var/run/docker.sock'
  if (/^unix:\/\/\/./.test(host)) return host.slice('unix://'.length)
  throw new UsageError(
    `DOCKER_HOST is ${host}, and only a Docker on this machine can be used: name its socket with --docker-socket`,
  )
}

export function dockerOptions(given: Given, host: string | undefined): DockerOptions | undefined {
  if (!readBoolean(given['--docker'])) {
    const useless = Object.values(given).find(({ from }) => from.startsWith('--docker-'))
    if (useless) throw new UsageError(`${useless.from} requires --docker`)
    return undefined
  }
  const server = given['--server']
  if (server) throw new UsageError(`${server.from}: --docker can’t be combined with --server`)
  const memory = readInteger(given['--docker-memory'], 6, 100_000_000)
  return {
    socket: socket(given, host),
    image:
      form(given, '--docker-image', /^[a-z0-9][\w.:/@-]*$/i, 'an image such as drone/drone-runner-docker:1') ??
      'drone/drone-runner-docker:1',
    capacity: readInteger(given['--docker-capacity'], 1, 1000) ?? 2,
    memory: memory === undefined ? undefined : memory * megabyte,
    labels: labels(given),
    network: form(given, '--docker-network', /^[a-z0-9][\w.-]*$/i, 'the name of a network'),
    port: readInteger(given['--docker-port'], 0, 65_535) ?? 0,
  }
}
