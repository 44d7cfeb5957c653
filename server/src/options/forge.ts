/**
 * The forge for sign-in and repositories: which one, its address, and the accounts that can sign
 * in.
 */
import type { ForgeKind, ForgeSettings } from '../forge/driver.ts'
import type { Given } from './table.ts'
import { choice, list, sharedSecret, UsageError, readBoolean } from './values.ts'

/** Which accounts of the forge may sign in. */
export type ForgeAccess = 'everybody' | 'members' | 'invited'

export interface ForgeOptions {
  settings: ForgeSettings
  /** The address at which the forge reaches this server; `undefined`: the public address. */
  hookUrl: string | undefined
  access: ForgeAccess
  /** Organizations whose members can sign in. */
  organizations: readonly string[]
  /** Logins that become administrators when they first sign in. */
  admins: readonly string[]
  /** The address of the forge may differ from the last start. */
  moved: boolean
  /** First part of the names of commit statuses. */
  statusName: string
  /** Commits without a build are reported as passed. */
  statusSkipped: boolean
}

const kinds = ['gitea', 'forgejo', 'gogs', 'github', 'gitlab'] as const satisfies readonly ForgeKind[]
const titles = { gitea: 'Gitea', forgejo: 'Forgejo', gogs: 'Gogs', github: 'GitHub', gitlab: 'GitLab' } as const
const homes: Partial<Record<ForgeKind, string>> = { github: 'https://github.com', gitlab: 'https://gitlab.com' }

type Source = { text: string; from: string } | undefined

/** Unlike the public address, a forge's address can have a path. */
function forgeAddress(source: Source): string | undefined {
  if (!source) return undefined
  const url = URL.canParse(source.text) ? new URL(source.text) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username || url.password) {
    throw new UsageError(`${source.from} must be an address such as https://git.example.com, not "${source.text}"`)
  }
  const address = `${url.origin}${url.pathname}`
  return address.endsWith('/') ? address.slice(0, -1) : address
}

function application(given: Given, kind: Exclude<ForgeKind, 'gogs'>) {
  const id = given[`${kind}-client-id`]
  const file = given[`--${kind}-client-secret-file`]
  const secret = given[`${kind}-client-secret`]
  return { id, secret: sharedSecret(file, secret), any: id ?? file ?? secret }
}

/** The forges that were named, each with its option or variable. */
function named(given: Given): { kind: ForgeKind; from: string; url: string | undefined }[] {
  return kinds.flatMap((kind) => {
    const source = given[`--${kind}`]
    if (source && /^(false|0|no|off)$/i.test(source.text)) return []
    const home = homes[kind]
    if (source) {
      const isHome = home !== undefined && /^(true|1|yes|on)$/i.test(source.text)
      return { kind, from: source.from, url: isHome ? home : forgeAddress(source) }
    }
    const app = kind === 'gogs' ? undefined : application(given, kind).any
    return app ? { kind, from: app.from, url: home } : []
  })
}

function checkUseless(given: Given): undefined {
  const names = [
    '--forge-access',
    '--forge-organizations',
    '--forge-admins',
    '--forge-api-url',
    '--forge-hook-url',
  ] as const
  const useless = names.flatMap((name) => given[name] ?? []).find(({ from }) => from.startsWith('--'))
  if (!useless) return undefined
  throw new UsageError(`${useless.from} requires a Git host: add --gitea, --forgejo, --gogs, --github or --gitlab`)
}

function settingsOf(given: Given, { kind, from, url }: { kind: ForgeKind; from: string; url: string }): ForgeSettings {
  const apiUrl = forgeAddress(given['--forge-api-url'])
  const reached = { kind, url, ...(apiUrl !== undefined && { apiUrl }) }
  if (kind === 'gogs') return reached
  const { id, secret } = application(given, kind)
  const name = `FLIGHTDECK_${kind.toUpperCase()}`
  if (!id) {
    throw new UsageError(
      `${from} needs an OAuth application on ${titles[kind]}: give its client ID in ${name}_CLIENT_ID and its secret in ${name}_CLIENT_SECRET`,
    )
  }
  if (secret === undefined) {
    throw new UsageError(
      `${id.from} needs the secret of that application: give it in ${name}_CLIENT_SECRET, or in a file with ${name}_CLIENT_SECRET_FILE`,
    )
  }
  // The error repeats neither value: one of them is a secret.
  for (const [what, text] of [[id.from, id.text] as const, [`${name}_CLIENT_SECRET`, secret] as const]) {
    if (!/^[\x21-\x7e]{1,500}$/.test(text)) throw new UsageError(`${what} must be one word`)
  }
  return { ...reached, clientId: id.text, clientSecret: secret }
}

/** Reads the settings of the forge, or throws a `UsageError` of one sentence. */
export function forgeOptions(given: Given): ForgeOptions | undefined {
  if (given['--server']) return undefined
  const [first, second] = named(given)
  if (!first) return checkUseless(given)
  if (second) {
    throw new UsageError(
      `${first.from} and ${second.from} name two Git hosts, but only one can be connected: remove one of them`,
    )
  }
  const { kind, from, url } = first
  if (url === undefined)
    throw new UsageError(`${from} belongs to a ${titles[kind]} whose address is missing: give it with --${kind} URL`)
  const organizations = list(given['--forge-organizations'])
  const access = choice(given['--forge-access'], ['everybody', 'members', 'invited'])
  if (access === 'members' && organizations.length === 0) {
    throw new UsageError(
      `${given['--forge-access']?.from} allows members, but no organizations are named: add --forge-organizations`,
    )
  }
  return {
    settings: settingsOf(given, { kind, from, url }),
    hookUrl: forgeAddress(given['--forge-hook-url']),
    access: access ?? (organizations.length > 0 ? 'members' : 'everybody'),
    organizations,
    admins: list(given['--forge-admins']),
    moved: readBoolean(given['--forge-moved']),
    statusName: given['--status-name']?.text ?? 'continuous-integration/drone',
    statusSkipped: readBoolean(given['--status-skipped']),
  }
}
