/**
 * Finds the log line that best explains why a step failed, and its fingerprint for matching equal
 * failures.
 */
import { createFinder, failedTestIn, nameAndMessage, normalise, readFingerprint } from '@flightdeck/cause'
import { createHash } from 'node:crypto'
import { createRowReader } from '../logs/row-reader.ts'

export interface FailedLog {
  /** The last bytes of the saved log, unpacked. */
  bytes: Uint8Array
  /** The log's start is missing. */
  cut: boolean
  exitCode: number
  /** Fingerprint of the log that the step had when it last passed. */
  known?: Uint8Array
}

export interface FoundCause {
  /** From 1, as on the page. */
  line: number
  /** The line; for a test that failed its name and what is wrong. */
  text: string
  /** Equal for equal failures; empty where the line says so little that others end with it, too. */
  print: string
}

const maxTextLength = 300
/** Invisible characters, and those that change the direction of text. */
const unseen = /[\p{Cc}\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/gu
/** Kinds that fit any failure: the last line, the command, a summary. */
const vague: ReadonlySet<string> = new Set(['end', 'command', 'summary'])
/** Shorter lines (`FAIL`, `Error: #`) are too common to match. */
const minLetters = 12
const others = /\P{L}/gu

/** No string of a row holds these bytes: its quotes are escaped. */
const rowStart = Buffer.from('{"pos"')

const printOf = (text: string, reason: string): string => {
  const line = normalise(text)
  if (vague.has(reason) || line.replace(others, '').length < minLetters) return ''
  return createHash('sha256').update(line).digest('base64url').slice(0, 22)
}

export function causeOf({ bytes, cut, exitCode, known }: FailedLog): FoundCause | null {
  const from = cut ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).indexOf(rowStart) : 0
  if (from < 0) return null
  const outputs: string[] = []
  let first = 0
  const rows = createRowReader((out, pos) => {
    if (outputs.length === 0) first = pos
    outputs.push(out)
  })
  rows.push(bytes.subarray(from))
  if (outputs.length === 0) return null
  // A row may hold less or more than a line; where none has an end, each is one (docs/api §1.7).
  const text = (outputs.some((out) => out.includes('\n')) ? outputs.join('') : outputs.join('\n')).replace(/\n$/, '')
  const finder = createFinder()
  finder.push(text)
  const [found] = finder.end({ exitCode, known: known && readFingerprint(known) })
  if (!found) return null
  const test = failedTestIn(text, found.line - 1)
  const message = (test && nameAndMessage(test)) ?? found.text
  const shown = message.replace(unseen, ' ').trim().slice(0, maxTextLength)
  return { line: first + found.line, text: shown, print: printOf(found.text, found.reason) }
}
