/**
 * Reads the variables of Drone's documentation: a compose file for Drone starts Flightdeck once its
 * image is replaced. Flightdeck's own variables and flags take precedence.
 */
import { trimEndChars } from '@flightdeck/api'
import type { Flag, Given } from './table.ts'
import { UsageError, readBoolean } from './values.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Variables that differ only in their name. */
const same: readonly (readonly [drone: string, ours: Flag])[] = [
  ['DRONE_GITEA_SERVER', '--gitea'],
  ['DRONE_GITEA_CLIENT_ID', 'gitea-client-id'],
  ['DRONE_GITEA_CLIENT_SECRET', 'gitea-client-secret'],
  ['DRONE_GITHUB_SERVER', '--github'],
  ['DRONE_GITHUB_CLIENT_ID', 'github-client-id'],
  ['DRONE_GITHUB_CLIENT_SECRET', 'github-client-secret'],
  ['DRONE_GITLAB_SERVER', '--gitlab'],
  ['DRONE_GITLAB_CLIENT_ID', 'gitlab-client-id'],
  ['DRONE_GITLAB_CLIENT_SECRET', 'gitlab-client-secret'],
  ['DRONE_GOGS_SERVER', '--gogs'],
  ['DRONE_RPC_SECRET', 'rpc-secret'],
  ['DRONE_USER_FILTER', '--forge-organizations'],
  ['DRONE_STATUS_NAME', '--status-name'],
]

/** All variables that are read; they are removed from the environment of child processes. */
export const droneNames: readonly string[] = [
  ...same.map(([name]) => name),
  'DRONE_SERVER_HOST',
  'DRONE_SERVER_PROTO',
  'DRONE_SERVER_PROXY_HOST',
  'DRONE_SERVER_PROXY_PROTO',
  'DRONE_SERVER_PORT',
  'DRONE_USER_CREATE',
  'DRONE_REGISTRATION_CLOSED',
  'DRONE_PROMETHEUS_ANONYMOUS_ACCESS',
]

const userFields = (text: string): ReadonlyMap<string, string> =>
  new Map(
    text.split(',').map((field) => {
      const [key = '', ...value] = field.split(':')
      return [key.trim(), value.join(':').trim()] as const
    }),
  )

/**
 * `username:octocat,machine:false,admin:true,token:…`: the user becomes an administrator at the
 * first sign-in. The token is ignored, because it would stay in a file forever. A machine account
 * cannot sign in.
 */
function firstAdmin(text: string): string | undefined {
  const fields = userFields(text)
  const username = fields.get('username') ?? ''
  if (!/^[\w.-]{1,100}$/.test(username)) {
    // The message leaves out the text, which may contain a token.
    throw new UsageError('DRONE_USER_CREATE must look like username:octocat,admin:true')
  }
  const isOn = (name: string): boolean => readBoolean(optional(fields.get(name), 'DRONE_USER_CREATE'))
  const isMachine = isOn('machine')
  return isOn('admin') && !isMachine ? username : undefined
}

const optional = (text: string | undefined, from: string) => (text ? { text, from } : undefined)

const protocol = (environment: Environment, name: string): string | undefined => {
  const text = environment[name]
  if (text && !/^https?$/i.test(text)) throw new UsageError(`${name} must be http or https, not "${text}"`)
  return text?.toLowerCase()
}

/** Drone accepts its own address with or without a protocol. */
const hostOf = (text: string): string => trimEndChars(text.replace(/^https?:\/\//i, ''), '/')

/** With its own certificates, Drone uses https. */
function isEncrypted(environment: Environment): boolean {
  const { DRONE_TLS_CERT: cert, DRONE_TLS_KEY: key, DRONE_TLS_AUTOCERT: autocert } = environment
  return Boolean(cert || key) || readBoolean(optional(autocert, 'DRONE_TLS_AUTOCERT'))
}

function addresses(environment: Environment): Given {
  const { DRONE_SERVER_HOST: host, DRONE_SERVER_PROXY_HOST: proxy } = environment
  const proto = protocol(environment, 'DRONE_SERVER_PROTO')
  const proxyProto = protocol(environment, 'DRONE_SERVER_PROXY_PROTO')
  if (!host) return {}
  const scheme = isEncrypted(environment) ? 'https' : proto || 'http'
  return {
    '--public-url': { text: `${scheme}://${hostOf(host)}`, from: 'DRONE_SERVER_HOST' },
    // The address for the forge's webhooks.
    ...(proxy && {
      '--forge-hook-url': { text: `${proxyProto || scheme}://${hostOf(proxy)}`, from: 'DRONE_SERVER_PROXY_HOST' },
    }),
  }
}

/** `:80`, as Drone writes it. An address in front of it is ignored: `--host` sets it. */
function port(environment: Environment): Given {
  const text = environment['DRONE_SERVER_PORT']
  // Drone's image always sets it; without DRONE_SERVER_HOST the settings are not Drone's.
  if (!text || !environment['DRONE_SERVER_HOST']) return {}
  const number = /^(?:[\w.[\]:-]*:)?(\d{1,5})$/.exec(text)?.[1]
  if (number === undefined) throw new UsageError(`DRONE_SERVER_PORT must look like :80, not "${text}"`)
  return { '--port': { text: number, from: 'DRONE_SERVER_PORT' } }
}

/** Converts these variables to Flightdeck's settings. An empty one counts as unset. */
export function fromDrone(environment: Environment): Given {
  const given: Given = { ...addresses(environment), ...port(environment) }
  for (const [name, flag] of same) {
    const text = environment[name]
    if (text) given[flag] = { text, from: name }
  }
  const closed = environment['DRONE_REGISTRATION_CLOSED']
  if (closed && readBoolean({ text: closed, from: 'DRONE_REGISTRATION_CLOSED' }))
    given['--forge-access'] = { text: 'invited', from: 'DRONE_REGISTRATION_CLOSED' }
  const open = environment['DRONE_PROMETHEUS_ANONYMOUS_ACCESS']
  if (open && readBoolean({ text: open, from: 'DRONE_PROMETHEUS_ANONYMOUS_ACCESS' }))
    given['--metrics-access'] = { text: 'anyone', from: 'DRONE_PROMETHEUS_ANONYMOUS_ACCESS' }
  const create = environment['DRONE_USER_CREATE']
  const admin = create ? firstAdmin(create) : undefined
  if (admin) given['--forge-admins'] = { text: admin, from: 'DRONE_USER_CREATE' }
  return given
}

/**
 * Settings of a Drone server that have no effect here. A fixed list, because this server can run
 * inside a Drone build, whose variables have the same prefix.
 */
const unusedGroups = new Set(
  'ADMISSION AGENTS AZURE BITBUCKET CLEANUP COOKIE CONVERT CRON DATABASE DATADOG GITEA GITEE GITHUB GITLAB GOGS HTTP INCOMING JSONNET LICENSE LIMIT LOGS MAX PPROF PROMETHEUS REDIS REGISTRATION REGISTRY REPOSITORY RPC RUNNER S3 SECRET SERVER STARLARK STASH STATUS TLS USER VALIDATE WEBHOOK YAML'.split(
    ' ',
  ),
)
const unusedSingles = new Set(
  'ADMINS DOCKER_CONFIG GIT_ALWAYS_AUTH GIT_IMAGE GIT_IMAGE_PULL GIT_PASSWORD GIT_USERNAME LICENSE MIN_AGE'.split(' '),
)
const isUnused = (name: string): boolean => {
  const [prefix, group = '', ...rest] = name.split('_')
  if (prefix !== 'DRONE') return false
  const isInGroup = rest.length > 0 && unusedGroups.has(group)
  return isInGroup || unusedSingles.has(name.slice('DRONE_'.length))
}

/** The parts of DRONE_USER_CREATE other than the name and `admin:true`. */
function unusedOfUser(text: string): string[] {
  const fields = userFields(text)
  const isMachine = /^(true|t|1|yes|on)$/i.test(fields.get('machine') ?? '')
  const ignored = [...(fields.get('token') ? ['the token'] : []), ...(isMachine ? ['the machine account'] : [])]
  return ignored.length > 0 ? [`${ignored.join(' and ')} in DRONE_USER_CREATE (create it on the page Users)`] : []
}

/**
 * One sentence that names the Drone settings that Flightdeck ignores; undefined if there are none.
 */
export function unusedDroneWords(environment: Environment): string | undefined {
  const names = Object.keys(environment)
    .filter((name) => isUnused(name) && !droneNames.includes(name) && environment[name])
    .toSorted()
  const unused = [...names, ...unusedOfUser(environment['DRONE_USER_CREATE'] ?? '')]
  return unused.length > 0 ? `Flightdeck ignores these settings of Drone: ${unused.join(', ')}` : undefined
}
