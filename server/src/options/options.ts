/** The schema of all settings, which the server reads from flags and environment. */
import { cpus } from 'node:os'
import { resolve } from 'node:path'
import type { RetentionLimits } from '@flightdeck/api'
import type { Isolation } from '../machine/protection.ts'
import type { MetricsAccess } from '../http/context.ts'
import type { DefaultAccess } from '../store/default-access.ts'
import type { DockerOptions } from '../startup/docker-runner.ts'
import { dockerOptions } from './docker.ts'
import { fromDrone } from './drone.ts'
import { forgeOptions, type ForgeOptions } from './forge.ts'
import { gatewayOptions } from './gateway.ts'
import { retentionBounds } from '../lib/limits.ts'
import { logLevels, type LogLevel } from '../lib/log.ts'
import { hasFlag, rows, type Given } from './table.ts'
import {
  UsageError,
  administrator,
  choice,
  hosts,
  isolation,
  key,
  origins,
  pathList,
  sharedSecret,
  timeZone,
  webAddress,
  readInteger,
  readBoolean,
} from './values.ts'

export interface Options {
  /**
   * The Drone server behind the gateway, without a trailing slash; `undefined` for the embedded
   * server.
   */
  server: string | undefined
  /** The token for every request to that server. */
  serverToken: { token: string; allowWrites: boolean } | null
  /** Settings from the environment that have no effect in a gateway. */
  unused: readonly string[]
  port: number
  host: string
  /** Without a trailing slash; `undefined`: derived from host and port once the port is known. */
  publicUrl: string | undefined
  data: string
  repos: string | undefined
  /** Without a password, one is generated if none exists. */
  admin: { login: string; password: string | undefined } | undefined
  adminPasswordFile: string | undefined
  capacity: number
  runAs: string | undefined
  /** `undefined`: the best mode that works on this machine. */
  isolation: Isolation | undefined
  /** Paths that steps can read besides the system. */
  expose: readonly string[]
  /** The access of new users to repositories. */
  defaultAccess: DefaultAccess
  /** Whether guests can see the pages of public repositories. */
  publicPages: boolean
  /** Maximum bytes of one step's log. */
  logLimit: number
  /** Seconds that running stages get to finish after SIGTERM. */
  drainTimeout: number
  /** Default retention of repositories without their own; 0: no limit. */
  retention: RetentionLimits
  logFormat: 'text' | 'json'
  /** Less important entries are dropped. */
  logLevel: LogLevel
  metricsAccess: MetricsAccess
  /** The time zone of cron jobs. */
  timeZone: string
  /** Whether to trust the headers about the client that a proxy sends. */
  trustProxy: boolean
  /** Origins of other web pages that can call the API from a browser. */
  allowOrigins: readonly string[]
  /** Additional accepted names in the Host header. */
  allowHosts: readonly string[]
  /** `undefined`: stored in a file in the data folder. */
  secretsKey: Buffer | undefined
  /** The secret of runners on other machines; without it they cannot connect. */
  rpcSecret: string | undefined
  /** The secret's file, if it is stored in one. */
  rpcSecretFile: string | undefined
  /** Seconds without a heartbeat after which a remote runner counts as lost. */
  runnerTimeout: number
  /** The managed Docker runner. */
  docker: DockerOptions | undefined
  /** The source of repositories and users. */
  forge: ForgeOptions | undefined
}

/**
 * `--flag value` and `--flag=value`; a flag wins over its environment variable, an empty variable
 * counts as unset.
 */
function collect(argv: readonly string[], environment: Record<string, string | undefined>): Given {
  const given: Given = fromDrone(environment)
  for (const option of rows) {
    const text = environment[option.environment]
    if (text) given[option.flag] = { text, from: option.environment }
  }
  for (let i = 0; i < argv.length; i++) {
    const argument = argv[i] ?? ''
    const [name, inline] = argument.includes('=')
      ? [argument.slice(0, argument.indexOf('=')), argument.slice(argument.indexOf('=') + 1)]
      : [argument]
    const secret = rows.find(({ flag }) => !hasFlag({ flag }) && `--${flag}` === name)
    if (secret) {
      const file = rows.find(({ flag }) => flag === `${name}-file`)
      const alternatives = [...(file ? [`${file.flag} FILE`] : []), `${secret.environment} in the environment`]
      throw new UsageError(
        `Don’t pass secrets on the command line, where other users can see them. Use ${alternatives.join(', or ')}`,
      )
    }
    const option = rows.find((candidate) => hasFlag(candidate) && candidate.flag === name)
    if (!option) throw new UsageError(`Unknown option ${name}. --help lists the options.`)
    const isAlone = option.value === '' || (option.optional && (argv[i + 1] ?? '--').startsWith('--'))
    const text = inline ?? (isAlone ? 'true' : argv[++i])
    if (text === undefined || text === '')
      throw new UsageError(`${option.flag} needs a value: ${option.flag} ${option.value}`)
    const before = given[option.flag]
    const isMore = option.many && before?.from === option.flag
    given[option.flag] = { text: isMore ? `${before.text},${text}` : text, from: option.flag }
  }
  return given
}

const megabyte = 1024 * 1024

/** Reads the settings, or throws `UsageError`. */
export function parseOptions(argv: readonly string[], environment: Record<string, string | undefined>): Options {
  const given = collect(argv, environment)
  const { serverToken, unused } = gatewayOptions(given)
  return {
    server: webAddress(given['--server']),
    serverToken,
    unused,
    port: readInteger(given['--port'], 0, 65535) ?? 8080,
    host: given['--host']?.text ?? '127.0.0.1',
    publicUrl: webAddress(given['--public-url']),
    data: resolve(given['--data']?.text ?? './data'),
    repos: given['--repos'] && resolve(given['--repos'].text),
    admin: administrator(given),
    adminPasswordFile: given['--admin-password-file'] && resolve(given['--admin-password-file'].text),
    capacity: readInteger(given['--capacity'], 1, 1000) ?? cpus().length,
    runAs: given['--run-as']?.text,
    isolation: isolation(given['--isolation']),
    expose: pathList(given['--expose']).map((path) => resolve(path)),
    defaultAccess: choice(given['--default-access'], ['none', 'read', 'write']) ?? 'none',
    publicPages: readBoolean(given['--public-pages']),
    logLimit: (readInteger(given['--log-limit'], 1, 100_000) ?? 250) * megabyte,
    drainTimeout: readInteger(given['--drain-timeout'], 0, 7 * 24 * 3600) ?? 0,
    retention: {
      build_days: readInteger(given['--retain-build-days'], 0, retentionBounds.build_days) ?? 0,
      builds: readInteger(given['--retain-builds'], 0, retentionBounds.builds) ?? 0,
      log_days: readInteger(given['--retain-log-days'], 0, retentionBounds.log_days) ?? 0,
      log_mb: readInteger(given['--retain-log-mb'], 0, retentionBounds.log_mb) ?? 0,
    },
    logLevel: choice(given['--log-level'], logLevels) ?? 'info',
    logFormat: choice(given['--log-format'], ['text', 'json']) ?? 'text',
    metricsAccess: choice(given['--metrics-access'], ['token', 'loopback', 'anyone']) ?? 'token',
    timeZone: timeZone(given['--time-zone']) ?? 'UTC',
    trustProxy: readBoolean(given['--trust-proxy']),
    allowOrigins: origins(given['--allow-origin']),
    allowHosts: hosts(given['--allow-host']),
    secretsKey: key(given['secrets-key']),
    rpcSecret: sharedSecret(given['--rpc-secret-file'], given['rpc-secret']),
    rpcSecretFile: given['--rpc-secret-file'] && resolve(given['--rpc-secret-file'].text),
    runnerTimeout: readInteger(given['--runner-timeout'], 1, 86_400) ?? 180,
    docker: dockerOptions(given, environment['DOCKER_HOST']),
    forge: forgeOptions(given),
  }
}

/**
 * The settings that were given, for the backup: without values of secrets, and the password of the
 * administrator. Secrets are named only, so that the operator knows what to keep elsewhere.
 */
export function describeGiven(
  argv: readonly string[],
  environment: Record<string, string | undefined>,
): Record<string, string> {
  const given = collect(argv, environment)
  const described: Record<string, string> = {}
  for (const { flag } of rows) {
    const source = given[flag]
    if (!source || flag === '--data') continue
    if (!hasFlag({ flag })) described[source.from] = 'secret, not in this file'
    else described[flag] = flag === '--admin' ? (source.text.split(':', 1)[0] ?? '') : source.text
  }
  return described
}
