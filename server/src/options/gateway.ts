/** The settings of a gateway: `--server`, and the options that it needs or excludes. */
import { hostName } from '../http/hosts.ts'
import type { Options } from './options.ts'
import { forgeRows } from './forge-rows.ts'
import { hasFlag, type Flag, type Given } from './table.ts'
import { list, sharedSecret, UsageError, webAddress, readBoolean } from './values.ts'

/** Options without effect in a gateway, which runs no builds and has no accounts. */
const ofOwnCi: readonly Flag[] = [
  '--repos',
  '--admin',
  '--admin-password-file',
  '--capacity',
  '--run-as',
  '--isolation',
  '--expose',
  '--default-access',
  '--public-pages',
  '--log-limit',
  '--metrics-access',
  '--time-zone',
  '--rpc-secret-file',
  'rpc-secret',
  '--runner-timeout',
  ...forgeRows.map(({ flag }) => flag),
]

const isLoopback = (name: string | null): boolean =>
  name === 'localhost' || name === '[::1]' || (name !== null && /^127\.\d+\.\d+\.\d+$/.test(name))

export function gatewayOptions(given: Given): Pick<Options, 'serverToken' | 'unused'> {
  const server = given['--server']
  const serverToken = tokenIn(given)
  if (!server) {
    if (serverToken) throw new UsageError(`${serverToken.from} requires --server`)
    return { serverToken: null, unused: [] }
  }
  const useless = ofOwnCi.flatMap((flag) => given[flag] ?? [])
  const conflict = useless.find(({ from }) => hasFlag({ flag: from }))
  if (conflict) {
    throw new UsageError(`${conflict.from} can’t be combined with ${server.from}`)
  }
  if (serverToken) checkReach(given, serverToken.from)
  return { serverToken: serverToken?.given ?? null, unused: useless.map(({ from }) => from) }
}

function tokenIn(given: Given) {
  const file = given['--server-token-file']
  const token = sharedSecret(file, given['server-token'])
  const from = file?.from ?? given['server-token']?.from
  const allowWrites = readBoolean(given['--allow-writes'])
  const share = readBoolean(given['--share-server-token'])
  if (token === undefined || from === undefined) {
    const useless = allowWrites ? '--allow-writes' : share ? '--share-server-token' : undefined
    if (!useless) return null
    throw new UsageError(`${given[useless]?.from} requires --server-token-file or FLIGHTDECK_SERVER_TOKEN`)
  }
  // A token must be valid in a header. The error does not repeat it, because it is a secret.
  if (!/^[\x21-\x7e]{1,1000}$/.test(token)) throw new UsageError(`${from} must hold one line, a token`)
  return { from, given: { token, allowWrites } }
}

/** Every visitor of the address reads with the token owner's permissions. */
function checkReach(given: Given, from: string): void {
  if (readBoolean(given['--share-server-token'])) return
  const host = given['--host']
  const publicUrl = webAddress(given['--public-url'])
  const beyond = [
    host && !isLoopback(addressName(host.text)) ? host : undefined,
    publicUrl && !isLoopback(hostName(new URL(publicUrl).host)) ? given['--public-url'] : undefined,
    list(given['--allow-host']).some((name) => !isLoopback(hostName(name))) ? given['--allow-host'] : undefined,
  ].find((source) => source !== undefined)
  if (!beyond) return
  throw new UsageError(
    `${beyond.from}=${beyond.text} lets others reach this address, and with ${from} all of them read as the owner of that token: ` +
      'add --share-server-token to allow it',
  )
}

const addressName = (host: string): string | null => hostName(host.includes(':') ? `[${host}]` : host)
