/** One line of a log, ready to be rendered: as text and styles, never as markup. */
import { lookOf, parseLine, type Look, type Segment } from './ansi/index.ts'
import type { Group, LogModel } from './model.ts'
import { findFileLocations, type FileLocation } from './file-locations.ts'

export interface Part {
  text: string
  look?: Look
  href?: string
  /** The number of the search hit that this part belongs to. */
  hit?: number
  /** This part of the line names a line of a file. */
  fileLocation?: FileLocation
}

export interface LineView {
  /** The index among the loaded lines. */
  index: number
  /** The line number on the screen and in links. */
  number: number
  /** Whole seconds since the step's log started. */
  time: number
  /** The tenths of a second, if known. */
  tenth?: number
  /** The time of the previous line, if there is one. */
  before?: { time: number; tenth?: number }
  parts: Part[]
  /** The number of characters that are not shown. */
  cut: number
  /** The line is a command, followed by its output. */
  group?: Group
}

/** Longer lines are truncated on screen; the download is complete. */
export const maxLineChars = 10_000

const toPart = ({ text, style, href }: Segment): Part => {
  const look = lookOf(style)
  const part: Part = { text }
  if (Object.keys(look).length > 0) part.look = look
  if (href) part.href = href
  return part
}

/** Control characters as symbols (U+2400 …), so that "raw" shows them. */
const withPictures = (text: string): string =>
  text.replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, (char) =>
    char === '\u007f' ? '\u2421' : String.fromCharCode(0x2400 + char.charCodeAt(0)),
  )

const shorten = (parts: Part[]): { parts: Part[]; cut: number } => {
  let room = maxLineChars
  let cut = 0
  const kept: Part[] = []
  for (const part of parts) {
    if (part.text.length <= room) kept.push(part)
    else {
      if (room > 0) kept.push({ ...part, text: part.text.slice(0, room) })
      cut += part.text.length - room
    }
    room = Math.max(0, room - part.text.length)
  }
  return { parts: kept, cut }
}

interface Stretch {
  start: number
  end: number
}

/** `partOf` returns the properties that a range adds to the text it covers. */
const splitPart = <S extends Stretch>(
  part: Part,
  offset: number,
  stretches: readonly S[],
  partOf: (stretch: S) => Partial<Part>,
): Part[] => {
  const pieces: Part[] = []
  let at = 0
  for (const stretch of stretches) {
    const start = Math.max(stretch.start - offset, at)
    const end = Math.min(stretch.end - offset, part.text.length)
    if (end <= start) continue
    if (start > at) pieces.push({ ...part, text: part.text.slice(at, start) })
    pieces.push({ ...part, text: part.text.slice(start, end), ...partOf(stretch) })
    at = end
  }
  if (at < part.text.length || pieces.length === 0) pieces.push({ ...part, text: part.text.slice(at) })
  return pieces
}

export interface Mark extends Stretch {
  index: number
}

const split = <S extends Stretch>(
  parts: Part[],
  stretches: readonly S[],
  partOf: (stretch: S, part: Part) => Partial<Part>,
): Part[] => {
  if (stretches.length === 0) return parts
  let offset = 0
  return parts.flatMap((part) => {
    const pieces = splitPart(part, offset, stretches, (stretch) => partOf(stretch, part))
    offset += part.text.length
    return pieces
  })
}

/** A part that is already a link stays one. */
const withPlaces = (parts: Part[]): Part[] =>
  split(parts, findFileLocations(parts.map(({ text }) => text).join('')), ({ path, line }, { href }) =>
    href === undefined ? { fileLocation: { path, line } } : {},
  )

const withMarks = (parts: Part[], marks: readonly Mark[]): Part[] =>
  split(parts, marks, ({ index }) => ({ hit: index }))

export const viewLine = (model: LogModel, index: number, raw: boolean, marks: readonly Mark[]): LineView => {
  const text = model.text(index)
  const all: Part[] = raw ? [{ text: withPictures(text) }] : parseLine(text, model.style(index)).segments.map(toPart)
  const { parts, cut } = shorten(all)
  const group = model.groupAt(index)
  return {
    index,
    number: model.numberOf(index),
    ...model.moment(index),
    ...(index > 0 && { before: model.moment(index - 1) }),
    parts: raw ? parts : withMarks(withPlaces(parts), marks),
    cut,
    ...(group && { group }),
  }
}
