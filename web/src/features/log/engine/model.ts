/**
 * A step's log: entries ordered and deduplicated by `pos`, joined to lines (docs/api §1.7: an entry
 * can hold less or more than a line, and the first `pos` can be above 0). Text is stored as bytes,
 * everything about entries and lines as numbers.
 */
import type { Line, LineMoment } from '@flightdeck/api'
import { plainStyle, styleAfter, type Style } from './ansi/index.ts'
import { Bytes } from './bytes.ts'
import { Numbers } from './numbers.ts'

const newline = 0x0a
const escapeCode = 0x1b

/** The prefix of a command before its output (`set -x`, and the runners' own scripts). */
const groupMark = '+ '

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** Stores each distinct style once; lines refer to it by number. */
class Styles {
  readonly #list: Style[] = [plainStyle]
  readonly #ids = new Map<string, number>([['-1,-1,0', 0]])

  id(style: Style): number {
    const key = `${style.fg},${style.bg},${style.flags}`
    const known = this.#ids.get(key)
    if (known !== undefined) return known
    this.#ids.set(key, this.#list.length)
    return this.#list.push(style) - 1
  }

  get(id: number): Style {
    return this.#list[id] ?? plainStyle
  }
}

const unknownTenth = 15
const secondsOf = (time: number): number => Math.floor(time / 16)
const tenthOf = (time: number): number | undefined => (time % 16 === unknownTenth ? undefined : time % 16)

export interface Group {
  end: number
  seconds: number
  /** The last group, which can still grow. */
  last: boolean
}

export class LogModel {
  readonly #bytes = new Bytes()
  readonly #styles = new Styles()
  // One item per entry.
  readonly #positions = new Numbers()
  readonly #ends = new Numbers()
  /** In seconds; the lowest bits hold the tenths, or that they are unknown. */
  readonly #times = new Numbers()
  // One item per line.
  readonly #starts = new Numbers()
  readonly #firsts = new Numbers()
  readonly #lineStyles = new Numbers()
  /** Lines that start a group: the commands that runners print, `+ npm test`. */
  readonly #groups = new Numbers()
  /** Whether any entry had a line end. Until then each entry counts as a line. */
  #hasLineEnds = false
  /** Whether the last line contains an escape character. */
  #escapes = false
  #missing = 0
  #began: number | undefined
  /** Existing lines have changed since a caller set this to false. */
  rewritten = false

  get lines(): number {
    return this.#starts.length
  }
  get entries(): number {
    return this.#positions.length
  }
  get bytes(): number {
    return this.#bytes.length
  }
  /** The number of missing entries in between, without those that a runner dropped at the start. */
  get missing(): number {
    return this.#missing
  }
  /** The `pos` of the first entry, which is the number of entries that a runner dropped. */
  get firstPosition(): number {
    return this.entries === 0 ? 0 : this.#positions.at(0)
  }

  /** When the log started, in Unix milliseconds, if known. */
  get began(): number | undefined {
    return this.#began
  }

  /** The number of commands that start here. */
  get groups(): number {
    return this.#groups.length
  }
  /** The lines on which they start. */
  groupStarts(): Uint32Array<ArrayBuffer> {
    return Uint32Array.from({ length: this.groups }, (_, index) => this.#groups.at(index))
  }
  /**
   * The group that starts on this line: the line after its last one, and how long its command took,
   * if known.
   */
  groupAt(line: number): Group | undefined {
    const index = this.#groups.lowerBound(line)
    if (index >= this.groups || this.#groups.at(index) !== line) return undefined
    const last = index === this.groups - 1
    const end = last ? this.lines : this.#groups.at(index + 1)
    return { end, last, seconds: Math.max(0, this.time(last ? end - 1 : end) - this.time(line)) }
  }

  /** Adds entries in any order; existing ones are ignored. */
  add(entries: readonly Line[]): void {
    const last = this.#lastPosition()
    let expected = last
    const inOrder = entries.every((entry) => {
      const higher = entry.pos > expected
      expected = entry.pos
      return higher
    })
    if (inOrder) this.#append(entries)
    else this.#merge(entries, last)
  }

  #lastPosition(): number {
    return this.entries === 0 ? -1 : this.#positions.at(this.entries - 1)
  }

  #merge(entries: readonly Line[], last: number): void {
    const fresh = new Map<number, Line>()
    for (const entry of entries) if (!fresh.has(entry.pos) && !this.#has(entry.pos)) fresh.set(entry.pos, entry)
    const sorted = [...fresh.values()].toSorted((a, b) => a.pos - b.pos)
    const first = sorted[0]
    if (!first) return
    if (first.pos > last) {
      this.#append(sorted)
      return
    }
    // Late entries belong earlier: the entries after them are removed and appended again.
    const from = this.#positions.lowerBound(first.pos)
    const later = this.#entriesFrom(from)
    this.#truncate(from)
    this.#append([...sorted, ...later].toSorted((a, b) => a.pos - b.pos))
  }

  #has(position: number): boolean {
    const at = this.#positions.lowerBound(position)
    return at < this.entries && this.#positions.at(at) === position
  }

  #entriesFrom(from: number): Line[] {
    const entries: Line[] = []
    for (let i = from; i < this.entries; i++) {
      const out = decoder.decode(this.#bytes.read(i === 0 ? 0 : this.#ends.at(i - 1), this.#ends.at(i)))
      const tenth = tenthOf(this.#times.at(i))
      entries.push({
        pos: this.#positions.at(i),
        out,
        time: secondsOf(this.#times.at(i)),
        ...(tenth !== undefined && { tenth }),
      })
    }
    return entries
  }

  #truncate(entries: number): void {
    const end = entries === 0 ? 0 : this.#ends.at(entries - 1)
    this.rewritten = true
    for (const list of [this.#positions, this.#ends, this.#times]) list.truncate(entries)
    this.#bytes.truncate(end)
    let lines = this.lines
    while (lines > 0 && this.#starts.at(lines - 1) >= end) lines--
    for (const list of [this.#starts, this.#firsts, this.#lineStyles]) list.truncate(lines)
    this.#groups.truncate(this.#groups.lowerBound(lines))
    this.#escapes = true
    this.#missing = entries === 0 ? 0 : this.#positions.at(entries - 1) - this.#positions.at(0) + 1 - entries
  }

  /** Appends lines in order. */
  #append(entries: readonly Line[]): void {
    if (!this.#hasLineEnds && entries.some((entry) => entry.out.includes('\n'))) {
      this.#hasLineEnds = true
      const before = this.#entriesFrom(0)
      this.#truncate(0)
      this.#write(before)
    }
    this.#write(entries)
  }

  #write(entries: readonly Line[]): void {
    if (entries.length === 0) return
    let start = this.#bytes.length
    const text = entries.map((entry) => entry.out).join('')
    const encoded = encoder.encode(text)
    // Encoding the whole batch is fast; entries are measured individually only if it contains
    // multi-byte characters.
    const oneByteEach = encoded.length === text.length
    const openBefore = start > 0 && this.#hasLineEnds && this.#bytes.at(start - 1) !== newline
    this.#bytes.push(encoded)
    let inLine = openBefore
    for (const entry of entries) {
      const length = oneByteEach ? entry.out.length : encoder.encode(entry.out).length
      this.#pushEntry(entry, start + length)
      inLine = this.#splitLines(entry.out, start, oneByteEach, inLine)
      start += length
    }
  }

  #pushEntry(entry: Line, end: number): void {
    const gap = this.entries === 0 ? 0 : entry.pos - this.#lastPosition() - 1
    this.#missing += gap
    this.#positions.push(entry.pos)
    this.#ends.push(end)
    this.#times.push(entry.time * 16 + (entry.tenth ?? unknownTenth))
    this.#began ??= entry.began
  }

  /** Records where lines start within an entry; returns whether its last line is still open. */
  #splitLines(out: string, start: number, oneByteEach: boolean, wasInLine: boolean): boolean {
    let inLine = wasInLine && this.#hasLineEnds
    let at = 0
    let offset = start
    while (at < out.length) {
      if (!inLine) {
        if (out.startsWith(groupMark, at)) this.#groups.push(this.lines)
        this.#openLine(offset)
      }
      const end = out.indexOf('\n', at)
      const piece = at === 0 && end === -1 ? out : out.slice(at, end === -1 ? out.length : end + 1)
      if (!this.#escapes && piece.includes('\u001b')) this.#escapes = true
      offset += oneByteEach ? piece.length : encoder.encode(piece).length
      at += piece.length
      inLine = end === -1
    }
    return inLine
  }

  #openLine(offset: number): void {
    const before = this.lines - 1
    let style = before < 0 ? 0 : this.#lineStyles.at(before)
    if (this.#escapes && before >= 0) {
      const bytes = this.#bytes.read(this.#starts.at(before), offset)
      if (bytes.includes(escapeCode))
        style = this.#styles.id(styleAfter(decoder.decode(bytes), this.#styles.get(style)))
    }
    this.#escapes = false
    this.#starts.push(offset)
    this.#firsts.push(this.entries - 1)
    this.#lineStyles.push(style)
  }

  #lineEnd(line: number): number {
    return line + 1 < this.lines ? this.#starts.at(line + 1) : this.#bytes.length
  }

  /** The original text of a line, without its line end. */
  text(line: number): string {
    return decoder.decode(this.bytesOf(line))
  }

  /**
   * The text as UTF-8. Read it before the log changes: it may be a view of the log's own memory.
   */
  bytesOf(line: number): Uint8Array {
    const end = this.#lineEnd(line)
    const ended = this.#bytes.at(end - 1) === newline
    return this.#bytes.read(this.#starts.at(line), ended ? end - 1 : end)
  }

  /** The style with which a line starts. */
  style(line: number): Style {
    return this.#styles.get(this.#lineStyles.at(line))
  }
  /**
   * The line's number on the screen and in links: from 1, without gaps, even if entries are empty,
   * contain several lines or a partial one, or skip positions. Each entry that the runner dropped
   * at the start counts as one line.
   */
  numberOf(line: number): number {
    return this.firstPosition + line + 1
  }
  /** The line with this number, or the nearest existing one. */
  lineNumbered(number: number): number {
    return Math.max(0, Math.min(number - this.firstPosition, this.lines) - 1)
  }
  time(line: number): number {
    return secondsOf(this.#times.at(this.#firsts.at(line)))
  }
  /** The tenths of a second, if known. */
  tenth(line: number): number | undefined {
    return tenthOf(this.#times.at(this.#firsts.at(line)))
  }
  moment(line: number): LineMoment {
    const tenth = this.tenth(line)
    return { time: this.time(line), ...(tenth !== undefined && { tenth }) }
  }
  lengthInBytes(line: number): number {
    return this.#lineEnd(line) - this.#starts.at(line)
  }

  /** The original text of some lines, byte for byte. */
  raw(from: number, to: number): Uint8Array[] {
    if (this.#hasLineEnds) {
      const start = this.#starts.at(from)
      const end = to >= this.lines ? this.#bytes.length : this.#starts.at(to)
      const parts: Uint8Array[] = []
      const step = 1 << 20
      for (let at = start; at < end; at += step) parts.push(this.#bytes.read(at, Math.min(end, at + step)))
      return parts
    }
    const lines: string[] = []
    for (let line = from; line < Math.min(to, this.lines); line++) lines.push(this.text(line))
    return [encoder.encode(lines.join('\n'))]
  }
}
