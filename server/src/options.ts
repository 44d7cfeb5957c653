/** The one schema of all settings (issue 3, "Start"): parsing, validation, `--help` and the table of the README. */
import { cpus } from 'node:os'
import { resolve } from 'node:path'

export interface Options {
  port: number
  host: string
  /** Without a slash at the end; `undefined` = made from host and port once the port is known. */
  publicUrl: string | undefined
  data: string
  repos: string | undefined
  admin: { login: string; password: string } | undefined
  capacity: number
  runAs: string | undefined
}

/** What is wrong with the way the program was started; the process ends with status 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

interface OptionFacts {
  flag: string
  value: string
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
    value: 'LOGIN:PASSWORD',
    environment: 'FLIGHTDECK_ADMIN',
    shownDefault: '`admin`, generated',
    about: 'administrator; on a later start it sets the password',
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
    shownDefault: 'nobody, when started as root',
    about: 'when started as root: steps run as this account, never as root unless told so by name',
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
type Given = Partial<Record<Flag, { text: string; from: string }>>

/** `--flag value` and `--flag=value`; a flag wins over its environment variable, an empty variable counts as unset. */
function collect(argv: readonly string[], environment: Record<string, string | undefined>): Given {
  const given: Given = {}
  for (const option of table) {
    const text = environment[option.environment]
    if (text) given[option.flag] = { text, from: option.environment }
  }
  for (let i = 0; i < argv.length; i++) {
    const word = argv[i] ?? ''
    const [name, inline] = word.includes('=')
      ? [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)]
      : [word]
    const option = table.find((candidate) => candidate.flag === name)
    if (!option) throw new UsageError(`Unknown option ${name}. --help lists the options.`)
    const text = inline ?? argv[++i]
    if (text === undefined || text === '')
      throw new UsageError(`${option.flag} needs a value: ${option.flag} ${option.value}`)
    given[option.flag] = { text, from: option.flag }
  }
  return given
}

type Source = { text: string; from: string } | undefined

function wholeNumber(source: Source, least: number, most: number): number | undefined {
  if (!source) return undefined
  const number = Number(source.text)
  if (!/^\d+$/.test(source.text) || number < least || number > most) {
    throw new UsageError(`${source.from} must be a whole number from ${least} to ${most}, not "${source.text}"`)
  }
  return number
}

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

function account(source: Source): Options['admin'] {
  if (!source) return undefined
  const colon = source.text.indexOf(':')
  const login = colon < 0 ? '' : source.text.slice(0, colon)
  const password = source.text.slice(colon + 1)
  if (!/^[.a-zA-Z0-9_-]{1,50}$/.test(login) || password === '') {
    // The text is not repeated: it may hold a password.
    throw new UsageError(
      `${source.from} must be LOGIN:PASSWORD, the login of letters, digits, dot, dash and underscore`,
    )
  }
  return { login, password }
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
    admin: account(given['--admin']),
    capacity: wholeNumber(given['--capacity'], 1, 1000) ?? cpus().length,
    runAs: given['--run-as']?.text,
  }
}

export function helpText(): string {
  const left = (option: OptionFacts) => `  ${option.flag} ${option.value}`
  const width = Math.max(...table.map((option) => left(option).length)) + 2
  const pad = ' '.repeat(width)
  const rows = table.map(
    (option) =>
      `${left(option).padEnd(width)}${option.about}\n${pad}${option.environment}, default: ${option.shownDefault.replaceAll('`', '')}`,
  )
  return [
    'Usage: npm start -- [options]',
    '',
    ...rows,
    `${'  --help'.padEnd(width)}shows this text`,
    `${'  --version'.padEnd(width)}shows the version`,
    '',
  ].join('\n')
}

/** The table of the README, to stand between its two markers. */
export function optionTable(): string {
  const cell = (text: string) => text.replaceAll('|', '\\|')
  const rows = table.map(
    (option: OptionFacts) =>
      `| \`${option.flag} ${option.value}\` | \`${option.environment}\` | ${cell(option.shownDefault)} | ${cell(option.about)} |`,
  )
  return ['| option | environment | default | meaning |', '| --- | --- | --- | --- |', ...rows, ''].join('\n')
}
