/**
 * Estimates from the bytes what a JSON text costs to parse: parsing cannot be interrupted, and a
 * megabyte of `[` or of keys takes a tenth of a second. Long strings cost next to nothing.
 */
import { Refusal } from './refusal.ts'
import { yieldToEventLoop } from './event-loop.ts'

/** What JSON is made of, as bytes. */
const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a]
const [openList, closeList, openMap, closeMap] = [0x5b, 0x5d, 0x7b, 0x7d]
const isSpace = (byte: number | undefined): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09

const opens = (byte: number | undefined): boolean => byte === openList || byte === openMap
const closes = (byte: number | undefined): boolean => byte === closeList || byte === closeMap

/** Legitimate bodies are flat; a plugin's card nests a dozen levels. */
const maxDepth = 100
/** Bytes to scan before the event loop gets a turn. */
const slice = 256 * 1024

const tooMuch = () => new Refusal(413, 'the request is too large: it holds too many values')

/**
 * Bytes of a string that are scanned individually before a native search, which is ten times as
 * fast, continues.
 */
const nearBytes = 1024

/** The index after the closing quote of the string around `at`, if no escape precedes it. */
function plainEnd(bytes: Uint8Array, at: number): number | undefined {
  const end = bytes.indexOf(quote, at)
  return end < 0 || bytes.subarray(at, end).includes(backslash) ? undefined : end + 1
}

/** The index after the closing quote of a string that starts at `at`, or the end of the bytes. */
function endOfString(bytes: Uint8Array, at: number): number {
  for (let i = at; i < bytes.length; i++) {
    if (i === at + nearBytes) {
      const end = plainEnd(bytes, i)
      if (end !== undefined) return end
    }
    if (bytes[i] === quote) return i + 1
    if (bytes[i] === backslash) i++
  }
  return bytes.length
}

/**
 * Refuses (413) a text with more than `maxCount` values or too many levels. Does not check whether
 * it is valid JSON.
 */
export async function checkValues(bytes: Uint8Array, maxCount: number): Promise<void> {
  let depth = 0
  let values = 0
  // The first part, too, waits for a turn with time left: many bodies can end in one turn.
  for (let i = 0, checked = -slice; i < bytes.length; i++) {
    if (i - checked >= slice) {
      checked = i
      await yieldToEventLoop()
    }
    const byte = bytes[i]
    if (byte === quote) i = endOfString(bytes, i + 1) - 1
    else if (byte === comma || byte === colon) values++
    else if (opens(byte)) {
      values++
      depth++
    } else if (closes(byte)) depth--
    if (values > maxCount || depth > maxDepth) throw tooMuch()
  }
}

/** A part of a list ends once it has so many bytes or values; one item may have so many more. */
const partBytes = 64 * 1024
const partValues = 4_000
const maxItemValues = 10_000

export const isList = (bytes: Uint8Array): boolean => bytes.find((byte) => !isSpace(byte)) === openList

/**
 * Splits the text of a list into texts of some items each, which are lists themselves, so that each
 * can be parsed in a separate turn. If all parts are JSON, the whole list is. All parts but the
 * first start with a placeholder item: something must follow the comma at which the text was split.
 */
export function* partsOfList(bytes: Uint8Array): Generator<string> {
  const decoder = new TextDecoder()
  let start = bytes.findIndex((byte) => !isSpace(byte)) + 1
  let begin = '['
  let depth = 1
  let values = 0
  for (let i = start; i < bytes.length && depth > 0; i++) {
    const byte = bytes[i]
    if (byte === quote) i = endOfString(bytes, i + 1) - 1
    else if (byte === comma && depth === 1 && (i - start >= partBytes || values >= partValues)) {
      yield `${begin}${decoder.decode(bytes.subarray(start, i))}]`
      start = i + 1
      begin = '[0,'
      values = 0
    } else if (byte === comma || byte === colon) values++
    else if (opens(byte)) {
      values++
      depth++
    } else if (closes(byte)) depth--
    if (values > partValues + maxItemValues || depth > maxDepth) throw tooMuch()
  }
  yield `${begin}${decoder.decode(bytes.subarray(start))}`
}
