/**
 * The variables that Drone's documentation names, so that a compose file of Drone starts Flightdeck when the name of its image is
 * changed. Our own variables, and flags, win.
 */
import type { Flag, Given } from './table.ts'
import { UsageError, yesOrNo } from './values.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** What means the same under another name. */
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

/** All that are read, so that no program that the server starts sees them. */
export const droneNames: readonly string[] = [
  ...same.map(([name]) => name),
  'DRONE_SERVER_HOST',
  'DRONE_SERVER_PROTO',
  'DRONE_USER_CREATE',
  'DRONE_REGISTRATION_CLOSED',
  'DRONE_PROMETHEUS_ANONYMOUS_ACCESS',
]

/** `username:octocat,admin:true`; the other fields (`machine`, `token`) belong to accounts without a person. */
function firstAdmin(text: string): string | undefined {
  const fields = new Map(
    text.split(',').map((field) => {
      const [key = '', ...value] = field.split(':')
      return [key.trim(), value.join(':').trim()] as const
    }),
  )
  const username = fields.get('username') ?? ''
  if (!/^[\w.-]{1,100}$/.test(username)) {
    // The text is not repeated: it may hold a token.
    throw new UsageError('DRONE_USER_CREATE must be such as username:octocat,admin:true')
  }
  if (fields.has('token') || yesOrNo(optional(fields.get('machine'), 'DRONE_USER_CREATE'))) {
    throw new UsageError(
      'DRONE_USER_CREATE names an account with a token, or of a machine, which Flightdeck does not take from the environment: create it on the page Users',
    )
  }
  return yesOrNo(optional(fields.get('admin'), 'DRONE_USER_CREATE')) ? username : undefined
}

const optional = (text: string | undefined, from: string) => (text ? { text, from } : undefined)

function publicAddress(environment: Environment): Given {
  const { DRONE_SERVER_HOST: host, DRONE_SERVER_PROTO: proto } = environment
  if (!host) return {}
  if (proto && !/^https?$/.test(proto)) throw new UsageError(`DRONE_SERVER_PROTO must be http or https, not "${proto}"`)
  return { '--public-url': { text: `${proto || 'http'}://${host}`, from: 'DRONE_SERVER_HOST' } }
}

/** What these variables say, as our own settings. An empty one counts as unset. */
export function fromDrone(environment: Environment): Given {
  const given: Given = publicAddress(environment)
  for (const [name, flag] of same) {
    const text = environment[name]
    if (text) given[flag] = { text, from: name }
  }
  const closed = environment['DRONE_REGISTRATION_CLOSED']
  if (closed && yesOrNo({ text: closed, from: 'DRONE_REGISTRATION_CLOSED' }))
    given['--forge-access'] = { text: 'invited', from: 'DRONE_REGISTRATION_CLOSED' }
  const open = environment['DRONE_PROMETHEUS_ANONYMOUS_ACCESS']
  if (open && yesOrNo({ text: open, from: 'DRONE_PROMETHEUS_ANONYMOUS_ACCESS' }))
    given['--metrics-access'] = { text: 'anyone', from: 'DRONE_PROMETHEUS_ANONYMOUS_ACCESS' }
  const create = environment['DRONE_USER_CREATE']
  const admin = create ? firstAdmin(create) : undefined
  if (admin) given['--forge-admins'] = { text: admin, from: 'DRONE_USER_CREATE' }
  return given
}

/**
 * Settings of a Drone server that mean nothing here. A fixed list: a build of Drone's, in which this server may run, has variables
 * of the same beginning.
 */
const unusedNames =
  /^DRONE_(?:ADMINS|AGENTS_\w+|BITBUCKET_\w+|CLEANUP_\w+|COOKIE_\w+|CONVERT_\w+|CRON_\w+|DATABASE_\w+|DATADOG_\w+|GIT_(?:ALWAYS_AUTH|USERNAME|PASSWORD)|GITEA_\w+|GITHUB_\w+|GITLAB_\w+|GOGS_\w+|HTTP_\w+|JSONNET_\w+|LICENSE|LOGS_\w+|MAX_\w+|PROMETHEUS_\w+|REDIS_\w+|REGISTRATION_\w+|REPOSITORY_\w+|RPC_\w+|RUNNER_\w+|S3_\w+|SERVER_\w+|STARLARK_\w+|STASH_\w+|STATUS_\w+|TLS_\w+|USER_\w+|VALIDATE_\w+|WEBHOOK_\w+)$/

/** One sentence about the settings of Drone that Flightdeck does not use, by name only; undefined where there are none. */
export function unusedDroneWords(environment: Environment): string | undefined {
  const unused = Object.keys(environment)
    .filter((name) => unusedNames.test(name) && !droneNames.includes(name) && environment[name])
    .toSorted()
  return unused.length > 0 ? `Flightdeck does not use ${unused.join(', ')} of Drone` : undefined
}
