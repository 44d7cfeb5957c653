/**
 * Splits a line of terminal output into text and control sequences. Never throws, reads each
 * character a constant number of times, and drops unknown sequences, as a terminal does.
 */

export interface Sink {
  text(text: string): void
  /**
   * `ESC [ parameters final`; sequences with intermediate or private characters are not reported.
   */
  csi(parameters: string, final: string): void
  /** `ESC ] body` up to its terminator. */
  osc(body: string): void
  /** Carriage return or backspace; other control characters are dropped. */
  control(code: '\r' | '\b'): void
}

const escape = 0x1b
const bell = 0x07

/** Not printable: C0 except tab, DEL, and C1. */
const isControl = (code: number): boolean => (code < 0x20 && code !== 0x09) || (code >= 0x7f && code <= 0x9f)

/** Starts after `ESC [`. Returns the index where the text continues. */
const readCsi = (line: string, from: number, sink: Sink): number => {
  let i = from
  while (i < line.length && line.charCodeAt(i) >= 0x30 && line.charCodeAt(i) <= 0x3f) i++
  const parameters = line.slice(from, i)
  const intermediates = i
  while (i < line.length && line.charCodeAt(i) >= 0x20 && line.charCodeAt(i) <= 0x2f) i++
  if (i >= line.length) return i
  const final = line.charCodeAt(i)
  // An invalid character ends the sequence and is kept as text.
  if (final < 0x40 || final > 0x7e) return i
  if (i === intermediates && !/[<=>?]/.test(parameters)) sink.csi(parameters, line.charAt(i))
  return i + 1
}

/**
 * Parses after `ESC ]`, `ESC P` …: a string up to BEL or `ESC \`. An unterminated one takes the
 * rest of the line.
 */
const readString = (line: string, from: number, onBody: (body: string) => void): number => {
  for (let i = from; i < line.length; i++) {
    const code = line.charCodeAt(i)
    if (code === bell || code === 0x9c) {
      onBody(line.slice(from, i))
      return i + 1
    }
    if (code === escape) {
      if (line.charCodeAt(i + 1) === 0x5c) {
        onBody(line.slice(from, i))
        return i + 2
      }
      // Any other escape cancels the string and is read on its own.
      return i
    }
  }
  return line.length
}

const nothing = (): void => undefined
const deaf: Sink = { text: nothing, csi: nothing, osc: nothing, control: nothing }

/**
 * The eight-bit forms of `ESC [`, `ESC ]`, `ESC P` …: hardly any terminal supports them in UTF-8,
 * so they are dropped.
 */
const readC1 = (line: string, from: number, code: number): number => {
  if (code === 0x9b) return readCsi(line, from, deaf)
  const opensString = code === 0x9d || code === 0x90 || code === 0x98 || code === 0x9e || code === 0x9f
  return opensString ? readString(line, from, nothing) : from
}

/** Parses after `ESC`. */
const readEscape = (line: string, from: number, sink: Sink): number => {
  const next = line.charAt(from)
  if (next === '[') return readCsi(line, from + 1, sink)
  if (next === ']') return readString(line, from + 1, (body) => sink.osc(body))
  if (next === 'P' || next === 'X' || next === '^' || next === '_') return readString(line, from + 1, nothing)
  let i = from
  while (i < line.length && line.charCodeAt(i) >= 0x20 && line.charCodeAt(i) <= 0x2f) i++
  const final = line.charCodeAt(i)
  return final >= 0x30 && final <= 0x7e ? i + 1 : i
}

/** Passes the parts of a line to the sink, in order. */
export const scan = (line: string, sink: Sink): void => {
  let start = 0
  let i = 0
  while (i < line.length) {
    const code = line.charCodeAt(i)
    if (!isControl(code)) {
      i++
      continue
    }
    if (i > start) sink.text(line.slice(start, i))
    if (code === escape) i = readEscape(line, i + 1, sink)
    else {
      if (code === 0x0d) sink.control('\r')
      else if (code === 0x08) sink.control('\b')
      i = code < 0x80 ? i + 1 : readC1(line, i + 1, code)
    }
    start = i
  }
  if (start < line.length) sink.text(line.slice(start))
}
