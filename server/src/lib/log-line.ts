/**
 * The server's own log: one entry per line, with untrusted names and addresses escaped. An entry
 * cannot look like two, color a terminal or fill a disk.
 */

import { inspect } from 'node:util'
import type { LogLevel } from './log.ts'

const maxTextLength = 1_000
const maxFrames = 20

// Everything that moves a cursor, ends a line or turns the direction of writing; a line break is
// one of them.
const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

const escaped = (character: string): string => {
  const code = character.codePointAt(0) ?? 0
  return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`
}

/** Truncated first, so that only the part that is kept is escaped. */
export function oneLine(text: string, longest = maxTextLength): string {
  const cut = text.length > longest ? `${text.slice(0, longest)}… (${text.length} characters)` : text
  return cut.replaceAll(invisible, escaped)
}

/** The stack frames. The message is untrusted, and may contain lines that look like frames. */
function framesOf(error: Error): string[] {
  const { stack = '', message } = error
  const at = stack.indexOf(message)
  const frames = at < 0 ? stack : stack.slice(at + message.length)
  return frames
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .slice(0, maxFrames)
    .map((line) => `    ${oneLine(line.trim(), 500)}`)
}

/** The text of one entry, with the stack of an error below it. */
export function logLine(message: string, error?: unknown): string {
  if (error === undefined) return oneLine(message)
  if (!(error instanceof Error)) return oneLine(`${message}: ${typeof error === 'string' ? error : inspect(error)}`)
  // The error's message appears once, even if the entry's text contains it.
  const text = message.includes(error.message) ? message : `${message}: ${error.name}: ${error.message}`
  return [oneLine(text), ...framesOf(error)].join('\n')
}

/**
 * One JSON object per entry, for `--log-format json`. The message of a failed request contains the
 * request's id.
 */
export function logJson(
  message: string,
  error?: unknown,
  now = new Date(),
  level: LogLevel = error === undefined ? 'info' : 'error',
): string {
  const request = /\(request ([\da-f-]{36})\)/.exec(message)?.[1]
  return JSON.stringify({
    time: now.toISOString(),
    level,
    message: oneLine(message),
    ...(request !== undefined && { request_id: request }),
    ...(error !== undefined && { error: errorText(error) }),
    ...(error instanceof Error && { stack: framesOf(error).map((frame) => frame.trim()) }),
  })
}

const errorText = (error: unknown): string =>
  oneLine(
    error instanceof Error ? `${error.name}: ${error.message}` : typeof error === 'string' ? error : inspect(error),
  )
