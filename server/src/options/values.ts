/**
 * Reads single settings: a text and where it came from in, a value or a `UsageError` that names the
 * setting out.
 */
import { readFileSync } from 'node:fs'
import { isolations, type Isolation } from '../machine/protection.ts'
import { hostName } from '../http/hosts.ts'
import type { Options } from './options.ts'
import type { Given } from './table.ts'
import { errorMessage } from '../lib/error-message.ts'

/** What is wrong with the way the program was started; the process ends with status 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

type Source = { text: string; from: string } | undefined

export function readInteger(source: Source, min: number, max: number): number | undefined {
  if (!source) return undefined
  const number = Number(source.text)
  if (!/^\d+$/.test(source.text) || number < min || number > max) {
    throw new UsageError(`${source.from} must be a whole number from ${min} to ${max}, not "${source.text}"`)
  }
  return number
}

export function choice<const C extends string>(source: Source, choices: readonly C[]): C | undefined {
  if (!source) return undefined
  const chosen = choices.find((one) => one === source.text)
  if (chosen === undefined) throw new UsageError(`${source.from} must be ${choices.join(', ')}, not "${source.text}"`)
  return chosen
}

export function readBoolean(source: Source): boolean {
  if (!source) return false
  if (/^(true|1|yes|on)$/i.test(source.text)) return true
  if (/^(false|0|no|off)$/i.test(source.text)) return false
  throw new UsageError(`${source.from} must be true or false, not "${source.text}"`)
}

export function timeZone(source: Source): string | undefined {
  if (!source) return undefined
  try {
    return new Intl.DateTimeFormat('en', { timeZone: source.text }).resolvedOptions().timeZone
  } catch {
    throw new UsageError(`${source.from} must be a time zone such as Europe/Berlin, not "${source.text}"`)
  }
}

export function key(source: Source): Buffer | undefined {
  if (!source) return undefined
  // The text is not repeated: it is a secret.
  if (!/^[0-9a-f]{64}$/i.test(source.text)) throw new UsageError(`${source.from} must be 64 hexadecimal digits`)
  return Buffer.from(source.text, 'hex')
}

export const list = (source: Source): string[] =>
  (source?.text ?? '')
    .split(',')
    .map((text) => text.trim())
    .filter((text) => text !== '')

/** A comma after a backslash belongs to the path. */
export const pathList = (source: Source): string[] =>
  (source?.text ?? '')
    .split(/(?<!\\),/)
    .map((text) => text.trim().replaceAll('\\,', ','))
    .filter((text) => text !== '')

/** Each as browsers write it in the Origin header. */
export const origins = (source: Source): string[] =>
  list(source).flatMap((text) => webAddress({ text, from: source?.from ?? '' }) ?? [])

export const hosts = (source: Source): string[] =>
  list(source).map((text) => {
    // An IPv6 address, written as in an address with a port.
    const host = text.split(':').length > 2 && !text.startsWith('[') ? `[${text}]` : text
    if (hostName(host) !== null) return host
    throw new UsageError(`${source?.from} must be a name such as ci.example.com, not "${text}"`)
  })

export function webAddress(source: Source): string | undefined {
  if (!source) return undefined
  const url = URL.canParse(source.text) ? new URL(source.text) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username || url.password) {
    throw new UsageError(`${source.from} must be an address such as https://ci.example.com, not "${source.text}"`)
  }
  if (url.pathname !== '/') {
    throw new UsageError(`${source.from}: must not contain a path ("${source.text}")`)
  }
  return url.origin
}

const isLogin = (text: string): boolean => /^[.a-zA-Z0-9_-]{1,50}$/.test(text)

/** Words about a password never repeat it. */
export function administrator(given: Given): Options['admin'] {
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
      '--admin takes a login only: every user of this machine can read command lines. Give the password in a file ' +
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
    throw new UsageError(`${from}: ${text} cannot be read: ${errorMessage(error)}`)
  }
  if (password === '' || /[\r\n]/.test(password))
    throw new UsageError(`${from}: ${text} must hold one line, a password`)
  return password
}

export function isolation(source: Source): Isolation | undefined {
  const chosen = choice(source, ['auto', ...isolations])
  return chosen === 'auto' ? undefined : chosen
}

/** What runners and server share: from the file, else from the environment. */
export function sharedSecret(file: Source, given: Source): string | undefined {
  if (!file) return given?.text
  let text: string
  try {
    text = readFileSync(file.text, 'utf8').trim()
  } catch (error) {
    throw new UsageError(`${file.from}: ${errorMessage(error)}`)
  }
  if (text === '') throw new UsageError(`${file.from}: ${file.text} is empty`)
  return text
}
