/**
 * Reads untrusted JSON: every field is checked before use, nothing throws, and texts have limits.
 */

/**
 * Larger bodies are not read; GitHub cuts its own at 25 MB, but a push of hundreds of commits has
 * less than one.
 */
export const maxHookBytes = 5_000_000

/** Characters of a text that may have many lines: a message, a description. */
export const maxTextLength = 65_536
/** Characters of a name, a ref or an address. */
const maxNameLength = 2_048

/** A JSON object whose fields may be missing. */
export class Json {
  readonly #value: Readonly<Record<string, unknown>>

  constructor(value: unknown) {
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    this.#value = isObject ? (value as Record<string, unknown>) : {}
  }

  /** Only own properties, so that `constructor` is not found. */
  #field(name: string): unknown {
    return Object.hasOwn(this.#value, name) ? this.#value[name] : undefined
  }

  has(name: string): boolean {
    const field = this.#field(name)
    return field !== undefined && field !== null
  }

  /** An object, empty if it is none. */
  at(name: string): Json {
    return new Json(this.#field(name))
  }

  /**
   * One line without control characters: a name, a ref, an address. `''` if it is none or too long.
   */
  text(name: string): string {
    const field = this.#field(name)
    if (typeof field !== 'string' || field.length > maxNameLength || /\p{Cc}/u.test(field)) return ''
    return field
  }

  /** A line for people: a title, a person's name. Control characters become spaces. */
  line(name: string): string {
    const field = this.#field(name)
    return typeof field === 'string' ? field.slice(0, maxNameLength).replaceAll(/\p{Cc}/gu, ' ') : ''
  }

  /** A text of many lines, cut to its limit, without NUL. */
  long(name: string): string {
    const field = this.#field(name)
    return typeof field === 'string' ? field.slice(0, maxTextLength).replaceAll('\0', '') : ''
  }

  /** An address of a page or a picture, `''` unless it is of the web. */
  url(name: string): string {
    const text = this.text(name)
    return /^https?:\/\/[^/\s]/i.test(text) ? text : ''
  }

  /** A forge's id as text: a positive number or its digits, else `''`. */
  id(name: string): string {
    const field = this.#field(name)
    if (typeof field === 'number') return Number.isSafeInteger(field) && field > 0 ? String(field) : ''
    return typeof field === 'string' && /^[1-9]\d{0,18}$/.test(field) ? field : ''
  }

  /** A positive number, else 0. */
  count(name: string): number {
    return Number(this.id(name) || 0)
  }

  number(name: string): number | undefined {
    const field = this.#field(name)
    return typeof field === 'number' ? field : undefined
  }

  flag(name: string): boolean {
    return this.#field(name) === true
  }

  /** A full sha of 40 or 64 digits, also of zeros; else `''`. */
  sha(name: string): string {
    const field = this.#field(name)
    return typeof field === 'string' && /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(field) ? field : ''
  }

  list(name: string): Json[] {
    const field = this.#field(name)
    return Array.isArray(field) ? field.map((item) => new Json(item)) : []
  }

  /** Keys and values of an object. */
  entries(): [string, unknown][] {
    return Object.entries(this.#value)
  }

  /** The raw value, where a field may have several shapes. */
  raw(name: string): unknown {
    return this.#field(name)
  }
}

/**
 * The body's object, or why it is not one. Bytes that are not UTF-8, such as in the message of an
 * old commit, become U+FFFD, as in Drone.
 */
export function readBody(body: Uint8Array): Json | string {
  if (body.byteLength > maxHookBytes) return `The body has more than ${maxHookBytes} bytes.`
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(body))
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'The body is not a JSON object.'
    return new Json(value)
  } catch {
    return 'The body is not JSON.'
  }
}

/** A sha of zeros, which forges write for what is not there. */
export const isZeroSha = (sha: string): boolean => /^0+$/.test(sha)
