/** The one schema of all settings (issue 3, "Start"): parsing, validation, `--help` and the table of the README. */
import { readFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { resolve } from 'node:path'
import { isolations, type Isolation } from './ci/processes/protection.ts'
import { hostName } from './http/hosts.ts'
import type { DefaultAccess } from './store/default-access.ts'

export interface Options {
  port: number
  host: string
  /** Without a slash at the end; `undefined` = made from host and port once the port is known. */
  publicUrl: string | undefined
  data: string
  repos: string | undefined
  /** Without a password: one is generated if there is none yet. */
  admin: { login: string; password: string | undefined } | undefined
  adminPasswordFile: string | undefined
  capacity: number
  runAs: string | undefined
  /** `undefined`: the best that works on this machine. */
  isolation: Isolation | undefined
  /** What steps may read besides the system. */
  expose: readonly string[]
  /** What somebody who is new may do with repositories. */
  defaultAccess: DefaultAccess
  /** Bytes of one step's log. */
  logLimit: number
  /** In which cron jobs are meant. */
  timeZone: string
  /** A proxy of ours stands in front, so that its headers about the client are true. */
  trustProxy: boolean
  /** Other web pages that may call the API from a browser. */
  allowOrigins: readonly string[]
  /** Further names of this server, as they stand in a Host header. */
  allowHosts: readonly string[]
  /** `undefined`: in a file in the data folder. */
  secretsKey: Buffer | undefined
  /** What runners on other machines must say; without it there are none. */
  rpcSecret: string | undefined
  /** Where it stands, if it does in a file. */
  rpcSecretFile: string | undefined
  /** Seconds without a sign of life after which such a runner is taken for lost. */
  runnerTimeout: number
}

/** What is wrong with the way the program was started; the process ends with status 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

interface OptionFacts {
  /** Without dashes: from the environment only, for everybody on the machine can read a command line. */
  flag: string
  /** Empty for a switch. */
  value: string
  /** May be given several times. */
  many?: true
  environment: string
  shownDefault: string
  about: string
}

const table = [
  {
    flag: '--port',
    value: 'N',
    environment: 'FLIGHTDECK_PORT',
    shownDefault: '8080',
    about: 'port to listen on; if it is taken the server says so and ends (0: any free port)',
  },
  {
    flag: '--host',
    value: 'H',
    environment: 'FLIGHTDECK_HOST',
    shownDefault: '127.0.0.1',
    about: 'address to listen on',
  },
  {
    flag: '--public-url',
    value: 'URL',
    environment: 'FLIGHTDECK_PUBLIC_URL',
    shownDefault: 'http://HOST:PORT',
    about: 'address that browsers use; for links, badges, clone addresses and the check of the Origin header',
  },
  {
    flag: '--data',
    value: 'DIR',
    environment: 'FLIGHTDECK_DATA',
    shownDefault: './data',
    about: 'folder for the database, logs, workspaces and the generated password (mode 0700)',
  },
  {
    flag: '--repos',
    value: 'DIR',
    environment: 'FLIGHTDECK_REPOS',
    shownDefault: 'none',
    about: 'git repositories on this machine, work trees or bare, as DIR/{namespace}/{name}[.git]',
  },
  {
    flag: '--admin',
    value: 'LOGIN',
    environment: 'FLIGHTDECK_ADMIN',
    shownDefault: '`admin`',
    about:
      'administrator; the variable may hold LOGIN:PASSWORD, which sets the password, also on a later start (a command line can be read by everybody on the machine)',
  },
  {
    flag: '--admin-password-file',
    value: 'FILE',
    environment: 'FLIGHTDECK_ADMIN_PASSWORD_FILE',
    shownDefault: 'generated, in the data folder',
    about: "file with the administrator's password, on one line; on a later start it sets the password",
  },
  {
    flag: '--capacity',
    value: 'N',
    environment: 'FLIGHTDECK_CAPACITY',
    shownDefault: 'number of cores',
    about: 'stages that run at once',
  },
  {
    flag: '--run-as',
    value: 'USER',
    environment: 'FLIGHTDECK_RUN_AS',
    shownDefault: 'one for each stage, when started as root',
    about: 'when started as root: all steps run as this account, never as root unless told so by name',
  },
  {
    flag: '--isolation',
    value: 'auto|sandbox|accounts|none',
    environment: 'FLIGHTDECK_ISOLATION',
    shownDefault: 'auto',
    about:
      'how steps are kept apart (see above); auto takes the best that works here, another one ends the start if it does not',
  },
  {
    flag: '--expose',
    value: 'PATH',
    many: true,
    environment: 'FLIGHTDECK_EXPOSE',
    shownDefault: 'none',
    about:
      'file or folder that sandboxed steps may read besides the system, such as a cache or a socket; several with commas, or the option again',
  },
  {
    flag: '--default-access',
    value: 'none|read|write',
    environment: 'FLIGHTDECK_DEFAULT_ACCESS',
    shownDefault: 'none',
    about: 'what new users may do with all repositories; administrators of a repository can change it',
  },
  {
    flag: '--log-limit',
    value: 'MB',
    environment: 'FLIGHTDECK_LOG_LIMIT',
    shownDefault: '250',
    about: "megabytes of one step's log; what comes later is dropped, and a last line says so",
  },
  {
    flag: '--time-zone',
    value: 'ZONE',
    environment: 'FLIGHTDECK_TIME_ZONE',
    shownDefault: 'UTC',
    about: 'time zone in which cron jobs are meant, such as Europe/Berlin',
  },
  {
    flag: '--trust-proxy',
    value: '',
    environment: 'FLIGHTDECK_TRUST_PROXY',
    shownDefault: 'false',
    about: 'behind a proxy of yours: believe its X-Forwarded-For and X-Forwarded-Proto',
  },
  {
    flag: '--allow-origin',
    value: 'URL',
    many: true,
    environment: 'FLIGHTDECK_ALLOW_ORIGIN',
    shownDefault: 'none',
    about: 'web pages of this origin may call the API from a browser (CORS); several with commas, or the option again',
  },
  {
    flag: '--allow-host',
    value: 'NAME',
    many: true,
    environment: 'FLIGHTDECK_ALLOW_HOST',
    shownDefault: 'none',
    about:
      'further name of this server; besides these it answers only to the public URL’s, to the address listened on and to localhost, also at `/healthz`; several with commas, or the option again',
  },
  {
    flag: 'secrets-key',
    value: '',
    environment: 'FLIGHTDECK_SECRETS_KEY',
    shownDefault: 'a file in the data folder',
    about: 'key that encrypts secrets and tokens, 64 hexadecimal digits; only from the environment',
  },
  {
    flag: '--rpc-secret-file',
    value: 'FILE',
    environment: 'FLIGHTDECK_RPC_SECRET_FILE',
    shownDefault: 'none',
    about: 'file with the secret of runners on other machines; with it, or with the next one, they may take stages',
  },
  {
    flag: 'rpc-secret',
    value: '',
    environment: 'FLIGHTDECK_RPC_SECRET',
    shownDefault: 'none',
    about: 'that secret itself; only from the environment',
  },
  {
    flag: '--runner-timeout',
    value: 'SECONDS',
    environment: 'FLIGHTDECK_RUNNER_TIMEOUT',
    shownDefault: '180',
    about:
      'a runner on another machine that is silent for so long is taken for lost; below 30 also those that only wait',
  },
  {
    flag: '--server',
    value: 'URL',
    environment: 'FLIGHTDECK_SERVER',
    shownDefault: 'none',
    about: 'an existing server to work with (not available yet)',
  },
] as const satisfies readonly OptionFacts[]

type Flag = (typeof table)[number]['flag']
type Row = OptionFacts & { flag: Flag }
type Given = Partial<Record<Flag, { text: string; from: string }>>
const rows: readonly Row[] = table

const hasFlag = ({ flag }: OptionFacts): boolean => flag.startsWith('--')

/** `--flag value` and `--flag=value`; a flag wins over its environment variable, an empty variable counts as unset. */
function collect(argv: readonly string[], environment: Record<string, string | undefined>): Given {
  const given: Given = {}
  for (const option of rows) {
    const text = environment[option.environment]
    if (text) given[option.flag] = { text, from: option.environment }
  }
  for (let i = 0; i < argv.length; i++) {
    const word = argv[i] ?? ''
    const [name, inline] = word.includes('=')
      ? [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)]
      : [word]
    if (name === '--rpc-secret') {
      throw new UsageError(
        'A command line can be read by everybody on this machine, so no secret there: use --rpc-secret-file FILE, or FLIGHTDECK_RPC_SECRET in the environment',
      )
    }
    const option = rows.find((candidate) => hasFlag(candidate) && candidate.flag === name)
    if (!option) throw new UsageError(`Unknown option ${name}. --help lists the options.`)
    const text = inline ?? (option.value === '' ? 'true' : argv[++i])
    if (text === undefined || text === '')
      throw new UsageError(`${option.flag} needs a value: ${option.flag} ${option.value}`)
    const before = given[option.flag]
    const isMore = option.many && before?.from === option.flag
    given[option.flag] = { text: isMore ? `${before.text},${text}` : text, from: option.flag }
  }
  return given
}

const megabyte = 1024 * 1024

type Source = { text: string; from: string } | undefined

function wholeNumber(source: Source, least: number, most: number): number | undefined {
  if (!source) return undefined
  const number = Number(source.text)
  if (!/^\d+$/.test(source.text) || number < least || number > most) {
    throw new UsageError(`${source.from} must be a whole number from ${least} to ${most}, not "${source.text}"`)
  }
  return number
}

function choice<const C extends string>(source: Source, choices: readonly C[]): C | undefined {
  if (!source) return undefined
  const chosen = choices.find((one) => one === source.text)
  if (chosen === undefined) throw new UsageError(`${source.from} must be ${choices.join(', ')}, not "${source.text}"`)
  return chosen
}

function yesOrNo(source: Source): boolean {
  if (!source) return false
  if (/^(true|1|yes|on)$/i.test(source.text)) return true
  if (/^(false|0|no|off)$/i.test(source.text)) return false
  throw new UsageError(`${source.from} must be true or false, not "${source.text}"`)
}

function timeZone(source: Source): string | undefined {
  if (!source) return undefined
  try {
    return new Intl.DateTimeFormat('en', { timeZone: source.text }).resolvedOptions().timeZone
  } catch {
    throw new UsageError(`${source.from} must be a time zone such as Europe/Berlin, not "${source.text}"`)
  }
}

function key(source: Source): Buffer | undefined {
  if (!source) return undefined
  // The text is not repeated: it is a secret.
  if (!/^[0-9a-f]{64}$/i.test(source.text)) throw new UsageError(`${source.from} must be 64 hexadecimal digits`)
  return Buffer.from(source.text, 'hex')
}

const list = (source: Source): string[] =>
  (source?.text ?? '')
    .split(',')
    .map((text) => text.trim())
    .filter((text) => text !== '')

/** Each as browsers write it in the Origin header. */
const origins = (source: Source): string[] =>
  list(source).flatMap((text) => webAddress({ text, from: source?.from ?? '' }) ?? [])

const hosts = (source: Source): string[] =>
  list(source).map((text) => {
    // An address of version 6, as it stands in an address with a port.
    const host = text.split(':').length > 2 && !text.startsWith('[') ? `[${text}]` : text
    if (hostName(host) !== null) return host
    throw new UsageError(`${source?.from} must be a name such as ci.example.com, not "${text}"`)
  })

function webAddress(source: Source): string | undefined {
  if (!source) return undefined
  const url = URL.canParse(source.text) ? new URL(source.text) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username || url.password) {
    throw new UsageError(`${source.from} must be an address such as https://ci.example.com, not "${source.text}"`)
  }
  if (url.pathname !== '/') {
    throw new UsageError(
      `${source.from}: the web part lives at the root of its origin, so no path, not "${source.text}"`,
    )
  }
  return url.origin
}

const isLogin = (text: string): boolean => /^[.a-zA-Z0-9_-]{1,50}$/.test(text)

/** Words about a password never repeat it. */
function administrator(given: Given): Options['admin'] {
  const source = given['--admin']
  const file = given['--admin-password-file']
  if (!source && !file) return undefined
  const { login, password } = source ? account(source) : { login: 'admin', password: undefined }
  return { login, password: file ? passwordIn(file) : password }
}

function account({ text, from }: { text: string; from: string }): { login: string; password: string | undefined } {
  const colon = text.indexOf(':')
  if (from === '--admin' && colon >= 0) {
    throw new UsageError(
      '--admin takes a login only: everybody on this machine can read a command line. Give the password in a file ' +
        '(--admin-password-file FILE) or in the environment (FLIGHTDECK_ADMIN=LOGIN:PASSWORD)',
    )
  }
  const login = colon < 0 ? text : text.slice(0, colon)
  const password = colon < 0 ? undefined : text.slice(colon + 1)
  if (!isLogin(login) || password === '') {
    const form = from === '--admin' ? 'a login' : 'LOGIN or LOGIN:PASSWORD, the login'
    throw new UsageError(`${from} must be ${form} of letters, digits, dot, dash and underscore`)
  }
  return { login, password }
}

function passwordIn({ text, from }: { text: string; from: string }): string {
  let password: string
  try {
    password = readFileSync(text, 'utf8').replace(/\r?\n$/, '')
  } catch (error) {
    throw new UsageError(`${from}: ${text} cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  }
  if (password === '' || /[\r\n]/.test(password))
    throw new UsageError(`${from}: ${text} must hold one line, a password`)
  return password
}

function isolation(source: Source): Isolation | undefined {
  const chosen = choice(source, ['auto', ...isolations])
  return chosen === 'auto' ? undefined : chosen
}

/** What runners and server share: from the file, else from the environment. */
function sharedSecret(file: Source, given: Source): string | undefined {
  if (!file) return given?.text
  let text: string
  try {
    text = readFileSync(file.text, 'utf8').trim()
  } catch (error) {
    throw new UsageError(`${file.from}: ${error instanceof Error ? error.message : String(error)}`)
  }
  if (text === '') throw new UsageError(`${file.from}: ${file.text} is empty`)
  return text
}

/** Reads the settings, or throws `UsageError`. */
export function parseOptions(argv: readonly string[], environment: Record<string, string | undefined>): Options {
  const given = collect(argv, environment)
  if (given['--server']) {
    throw new UsageError(`${given['--server'].from}: working with an existing server is not available yet`)
  }
  return {
    port: wholeNumber(given['--port'], 0, 65535) ?? 8080,
    host: given['--host']?.text ?? '127.0.0.1',
    publicUrl: webAddress(given['--public-url']),
    data: resolve(given['--data']?.text ?? './data'),
    repos: given['--repos'] && resolve(given['--repos'].text),
    admin: administrator(given),
    adminPasswordFile: given['--admin-password-file'] && resolve(given['--admin-password-file'].text),
    capacity: wholeNumber(given['--capacity'], 1, 1000) ?? cpus().length,
    runAs: given['--run-as']?.text,
    isolation: isolation(given['--isolation']),
    expose: list(given['--expose']).map((path) => resolve(path)),
    defaultAccess: choice(given['--default-access'], ['none', 'read', 'write']) ?? 'none',
    logLimit: (wholeNumber(given['--log-limit'], 1, 100_000) ?? 250) * megabyte,
    timeZone: timeZone(given['--time-zone']) ?? 'UTC',
    trustProxy: yesOrNo(given['--trust-proxy']),
    allowOrigins: origins(given['--allow-origin']),
    allowHosts: hosts(given['--allow-host']),
    secretsKey: key(given['secrets-key']),
    rpcSecret: sharedSecret(given['--rpc-secret-file'], given['rpc-secret']),
    rpcSecretFile: given['--rpc-secret-file'] && resolve(given['--rpc-secret-file'].text),
    runnerTimeout: wholeNumber(given['--runner-timeout'], 1, 86_400) ?? 180,
  }
}

const spelling = (option: OptionFacts) =>
  hasFlag(option) ? `${option.flag} ${option.value}`.trimEnd() : `(${option.environment})`

export function helpText(): string {
  const left = (option: OptionFacts) => `  ${spelling(option)}`
  const width = Math.max(...rows.map((option) => left(option).length)) + 2
  const pad = ' '.repeat(width)
  const lines = rows.map(
    (option) =>
      `${left(option).padEnd(width)}${option.about}\n${pad}${option.environment}, default: ${option.shownDefault.replaceAll('`', '')}`,
  )
  return [
    'Usage: npm start -- [options]',
    '',
    ...lines,
    `${'  --help'.padEnd(width)}shows this text`,
    `${'  --version'.padEnd(width)}shows the version`,
    '',
  ].join('\n')
}

/** The table of the README, to stand between its two markers. */
export function optionTable(): string {
  const cell = (text: string) => text.replaceAll('|', '\\|')
  const lines = rows.map(
    (option) =>
      `| ${hasFlag(option) ? `\`${cell(spelling(option))}\`` : '–'} | \`${option.environment}\` | ${cell(option.shownDefault)} | ${cell(option.about)} |`,
  )
  return ['| option | environment | default | meaning |', '| --- | --- | --- | --- |', ...lines, ''].join('\n')
}
