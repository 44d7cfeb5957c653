/**
 * Reads a webhook's JSON body before its sender is verified, so parsing is cheap whatever it
 * contains.
 */
import { checkValues } from '../../lib/json-check.ts'
import { yieldToEventLoop } from '../../lib/event-loop.ts'
import { Refusal } from '../../lib/refusal.ts'

/**
 * A push of a thousand commits has 45,000. Parsing cannot be interrupted, and objects of this many
 * different keys take 30 ms.
 */
const maxValues = 60_000
/** Bytes that are decoded before the event loop gets a turn. */
const sliceBytes = 256 * 1024
/** Of a form: a hook has one or two. */
const maxFields = 1_000

const [ampersand, plus, percent, space] = [0x26, 0x2b, 0x25, 0x20]
const fieldName = new TextEncoder().encode('payload=')

const digitOf = (byte = 0): number => {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const letter = byte | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x61 + 10 : -1
}

/**
 * The first field `payload` of a form, still encoded. Throws a 413 for a form of too many fields.
 */
function findField(form: Uint8Array): Uint8Array | null {
  let fields = 1
  for (let start = 0; ; fields += 1) {
    if (fields > maxFields) throw new Refusal(413, 'The webhook has too many fields')
    const end = form.indexOf(ampersand, start)
    const field = form.subarray(start, end < 0 ? form.length : end)
    if (fieldName.every((byte, index) => field[index] === byte)) return field.subarray(fieldName.length)
    if (end < 0) return null
    start = end + 1
  }
}

/** `%XX` and `+` as bytes (https://url.spec.whatwg.org/#urlencoded-parsing). */
async function decodeField(field: Uint8Array): Promise<Uint8Array> {
  const bytes = new Uint8Array(field.length)
  let size = 0
  for (let at = 0, checked = 0; at < field.length; at += 1) {
    if (at - checked >= sliceBytes) {
      checked = at
      await yieldToEventLoop()
    }
    const byte = field[at] ?? 0
    const [high, low] = byte === percent ? [digitOf(field[at + 1]), digitOf(field[at + 2])] : [-1, -1]
    if (high >= 0 && low >= 0) {
      bytes[size] = high * 16 + low
      at += 2
    } else bytes[size] = byte === plus ? space : byte
    size += 1
  }
  return bytes.subarray(0, size)
}

/**
 * The JSON of a hook, which may be sent as a form, GitHub's and Gogs's default for hooks that are
 * set up manually (`payload=…`); any other body unchanged. Throws a 413 for one that would take
 * long to parse.
 */
export async function readPayload(contentType: string | undefined, body: Uint8Array): Promise<Uint8Array> {
  const isForm = /^application\/x-www-form-urlencoded\b/i.test(contentType ?? '')
  const field = isForm ? findField(body) : null
  const payload = field ? await decodeField(field) : body
  await checkValues(payload, maxValues)
  return payload
}
