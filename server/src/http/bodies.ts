/**
 * Reading what a request carries: bounded, and refused in the words that clients know from Go
 * (docs/api §2.0, §2.1).
 */
import { createBodyLimit, droppableBody } from './body-limit.ts'
import type { Call } from './context.ts'
import { checkValues } from '../lib/json-check.ts'
import { Refusal } from '../lib/refusal.ts'
import { runYielding } from '../lib/event-loop.ts'

/** No call of the API needs more; a pipeline file to sign is the largest. */
const bodyLimit = 1024 * 1024
/**
 * For callers that are not authenticated yet, as in a form that may contain a token: thousands
 * could each hold that much memory for a minute.
 */
const strangersLimit = 16 * 1024
/** Nor more values of JSON, or fields of a form: reading them cannot be interrupted. */
const maxValues = 10_000
const maxFields = 1_000

/** Of all bodies that are being received. */
const limit = createBodyLimit(64 * 1024 * 1024)

const tooLarge = () => new Refusal(413, `The request is too large: at most ${bodyLimit / 1024 / 1024} MB are accepted`)
const tooLargeOfStranger = () =>
  new Refusal(413, `The request is too large: at most ${strangersLimit / 1024} kB are accepted before signing in`)

/** Before anything is read: a body that says it is too large. */
export function checkLength(c: Call): void {
  if (Number(c.req.header('content-length') ?? 0) > bodyLimit) throw tooLarge()
}

/**
 * Read once and cached: forms are searched for a token, and a body with a form content type may be
 * JSON (`curl -d`).
 */
function bytesOf(c: Call): Promise<Uint8Array<ArrayBuffer>> {
  const cached = c.get('bytes')
  if (cached) return cached
  const bytes = readBytes(c)
  c.set('bytes', bytes)
  return bytes
}

async function readBytes(c: Call): Promise<Uint8Array<ArrayBuffer>> {
  const body = c.req.raw.body
  if (!body) return new Uint8Array()
  const chunks: Uint8Array[] = []
  const isStranger = !c.get('user')
  const received = limit.begin()
  let size = 0
  try {
    for await (const chunk of droppableBody(body, received)) {
      size += chunk.byteLength
      if (size > bodyLimit) throw tooLarge()
      // The remaining bytes are read and dropped: closing the connection in the middle of a body
      // would lose the response.
      if (isStranger && size > strangersLimit) continue
      chunks.push(chunk)
      limit.add(received, chunk.byteLength)
    }
    if (isStranger && size > strangersLimit) throw tooLargeOfStranger()
  } catch (error) {
    // The client disconnected; this is not a failure to log.
    throw error instanceof Refusal ? error : new Refusal(400, 'unexpected EOF')
  } finally {
    limit.remove(received)
  }
  const bytes = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.byteLength
  }
  return bytes
}

/** `mark` separates two fields. */
function checkFields(text: string, mark: string): void {
  let fields = 1
  for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + mark.length)) {
    fields += 1
    if (fields > maxFields) throw new Refusal(413, 'The request is too large: it holds too many fields')
  }
}

async function readForm(c: Call): Promise<URLSearchParams> {
  const form = new URLSearchParams()
  const type = c.req.header('content-type') ?? ''
  if (/^application\/x-www-form-urlencoded\b/i.test(type)) {
    const text = new TextDecoder().decode(await bytesOf(c))
    checkFields(text, '&')
    return runYielding(() => new URLSearchParams(text))
  }
  if (/^multipart\/form-data\b/i.test(type)) {
    const bytes = await bytesOf(c)
    checkFields(new TextDecoder('latin1').decode(bytes), '\r\n--')
    const fields = await new Response(bytes, { headers: { 'Content-Type': type } }).formData().catch(() => null)
    if (!fields) throw new Refusal(400, 'multipart: malformed body')
    for (const [name, value] of fields) if (typeof value === 'string') form.append(name, value)
  }
  return form
}

/** The fields of a urlencoded or multipart body; empty for every other body, which stays unread. */
export function formOf(c: Call): Promise<URLSearchParams> {
  const cached = c.get('form')
  if (cached) return cached
  const form = /^(POST|PUT|PATCH)$/.test(c.req.method) ? readForm(c) : Promise.resolve(new URLSearchParams())
  c.set('form', form)
  return form
}

export const queryOf = (c: Call): URLSearchParams => new URL(c.req.url).searchParams

/** A "form" parameter: the body's before the query's (docs/api §0 "params"). */
export const formValue = async (c: Call, name: string): Promise<string | null> =>
  (await formOf(c)).get(name) ?? queryOf(c).get(name)

/** Where a body is optional. */
export const hasBody = async (c: Call): Promise<boolean> => (await bytesOf(c)).length > 0

type Kind = 'string' | 'bool' | 'int64' | '[]string'
interface Kinds {
  string: string
  bool: boolean
  int64: number
  '[]string': string[]
}
type Fields = Record<string, Kind>
type KindOf<Value> = Value extends boolean
  ? 'bool'
  : Value extends number
    ? 'int64'
    : Value extends readonly string[]
      ? '[]string'
      : 'string'
/** Every field of an input with its kind: a missing one does not compile. */
export type FieldsOf<Input> = { readonly [K in keyof Input]-?: KindOf<NonNullable<Input[K]>> }
type Decoded<F extends Fields> = { [K in keyof F]?: Kinds[F[K]] }

const nameOf = (value: unknown): string => {
  if (Array.isArray(value)) return 'array'
  return typeof value === 'boolean' ? 'bool' : typeof value
}
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every((item) => typeof item === 'string')
const fits = (value: unknown, kind: Kind): boolean => {
  if (kind === '[]string') return isTexts(value)
  return kind === 'int64' ? Number.isSafeInteger(value) : nameOf(value) === kind
}

/** `nonsense` starts like `null`, and Go's error has the position of the first wrong character. */
function literalFault(text: string): string | undefined {
  const begun = text.trimStart()
  const literal = ['null', 'true', 'false'].find((text) => text[0] === begun[0])
  if (!literal) return undefined
  const at = [...literal].findIndex((letter, index) => begun[index] !== letter)
  const letter = begun[at]
  if (at < 0 || letter === undefined) return undefined
  const character = JSON.stringify(letter).replaceAll('"', "'")
  return `invalid character ${character} in literal ${literal} (expecting '${literal[at]}')`
}

/** Go's message for a text that is not JSON. */
export function syntaxFault(text: string, error: unknown): string {
  const literal = literalFault(text)
  if (literal) return literal
  const message = error instanceof Error ? error.message : ''
  const at = Number(/position (\d+)/.exec(message)?.[1] ?? text.length)
  if (text.trim() === '') return 'EOF'
  const character = /^Unexpected token '(.)'/su.exec(message)?.[1] ?? text[at]
  if (character === undefined || /end of JSON|Unterminated/.test(message)) return 'unexpected EOF'
  return `invalid character ${JSON.stringify(character).replaceAll('"', "'")} looking for beginning of value`
}

/**
 * The known fields of a JSON body; unknown fields and `null` are ignored, wrong types refused.
 * `type` is the name of the reference server's input type, which its messages contain.
 */
export async function decodeBody<const F extends Fields>(c: Call, type: string, fields: F): Promise<Decoded<F>> {
  const bytes = await bytesOf(c)
  await checkValues(bytes, maxValues)
  const text = new TextDecoder().decode(bytes)
  let body: unknown
  try {
    body = await runYielding(() => JSON.parse(text) as unknown)
  } catch (error) {
    throw new Refusal(400, syntaxFault(text, error))
  }
  if (body === null) return {}
  if (typeof body !== 'object' || Array.isArray(body)) {
    throw new Refusal(400, `json: cannot unmarshal ${nameOf(body)} into Go value of type ${type}`)
  }
  const decoded: Record<string, unknown> = {}
  for (const [name, kind] of Object.entries(fields)) {
    const value: unknown = Object.hasOwn(body, name) ? (body as Record<string, unknown>)[name] : undefined
    if (value === undefined || value === null) continue
    if (!fits(value, kind)) {
      const given = typeof value === 'number' && kind === 'int64' ? `number ${value}` : nameOf(value)
      throw new Refusal(400, `json: cannot unmarshal ${given} into Go struct field ${type}.${name} of type ${kind}`)
    }
    decoded[name] = value
  }
  return decoded as Decoded<F>
}
