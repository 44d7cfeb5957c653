/** One line of terminal output as segments of styled text, as a terminal would show it. */
import { trimEndChars } from '@flightdeck/api'

import { findLinks, safeHref, type FoundLink } from './links.ts'
import { scan, type Sink } from './scan.ts'
import { Row } from './screen.ts'
import type { Segment } from './segment.ts'
import { applySgr, plainStyle, sameStyle, type Style } from './style.ts'

export interface ParsedLine {
  segments: Segment[]
  /** The style at the end, with which the next line starts. */
  style: Style
}

/** Sequences other than SGR move the cursor or erase, which needs the slow path, cell by cell. */
const movesCursor = /[\r\b]|\u001b\[[0-9;]*[CDGJK]/

const count = (parameters: string): number => Math.max(1, Number.parseInt(parameters, 10) || 1)

/** `8;parameters;address`: the hyperlink sequence. An empty URL ends the link. */
const hyperlink = (body: string): { href: string | undefined } | undefined => {
  if (!body.startsWith('8;')) return undefined
  const separator = body.indexOf(';', 2)
  return separator === -1 ? undefined : { href: safeHref(body.slice(separator + 1)) }
}

/** Collects text in order: the fast path, for lines without overwriting. */
class Strip {
  readonly segments: Segment[] = []
  write(text: string, style: Style, href: string | undefined): void {
    const last = this.segments.at(-1)
    if (last && sameStyle(last.style, style) && last.href === href) last.text += text
    else this.segments.push({ text, style, href })
  }
}

const moveCursor = (row: Row, parameters: string, final: string, style: Style): void => {
  // Of a whole screen (`J`), a log only has this row.
  if (final === 'K' || final === 'J') row.erase(Math.min(2, Number.parseInt(parameters, 10) || 0))
  else if (final === 'C') row.move(count(parameters), style)
  else if (final === 'D') row.move(-count(parameters), style)
  else if (final === 'G') row.moveTo(count(parameters) - 1, style)
}

const splitSegment = (segment: Segment, offset: number, links: readonly FoundLink[]): Segment[] => {
  const end = offset + segment.text.length
  const pieces: Segment[] = []
  let at = offset
  const cut = (to: number, href: string | undefined): void => {
    if (to > at) pieces.push({ ...segment, text: segment.text.slice(at - offset, to - offset), href })
    at = Math.max(at, to)
  }
  for (const link of links) {
    if (link.end <= offset || link.start >= end) continue
    cut(Math.max(link.start, offset), undefined)
    cut(Math.min(link.end, end), link.href)
  }
  cut(end, undefined)
  return pieces
}

/** Turns plain URLs into links, even if the color changes within one. */
const withPlainLinks = (segments: Segment[]): Segment[] => {
  const links = findLinks(segments.map((segment) => segment.text).join(''))
  if (links.length === 0) return segments
  let offset = 0
  let next = 0
  return segments.flatMap((segment) => {
    const end = offset + segment.text.length
    while ((links[next]?.end ?? Infinity) <= offset) next++
    let last = next
    while ((links[last]?.start ?? Infinity) < end) last++
    const pieces = segment.href ? [segment] : splitSegment(segment, offset, links.slice(next, last))
    offset = end
    return pieces
  })
}

/** Parses a line without its line end. `start` is the style at the end of the previous line. */
export const parseLine = (text: string, start: Style = plainStyle): ParsedLine => {
  // CR LF is a line end, not a command to overwrite the line.
  const line = trimEndChars(text, '\r')
  const row = movesCursor.test(line) ? new Row() : undefined
  const strip = new Strip()
  const target = row ?? strip
  let style = start
  let href: string | undefined
  const sink: Sink = {
    text: (piece) => target.write(piece, style, href),
    csi: (parameters, final) => {
      if (final === 'm') style = applySgr(style, parameters)
      else if (row) moveCursor(row, parameters, final, style)
    },
    osc: (body) => {
      const link = hyperlink(body)
      if (link) href = link.href
    },
    control: (code) => {
      if (code === '\r') row?.carriageReturn()
      else row?.move(-1, style)
    },
  }
  scan(line, sink)
  return { segments: withPlainLinks(row ? row.segments() : strip.segments), style }
}

/** The visible text of the line, without control sequences. */
export const plainText = (text: string): string =>
  /[\u0000-\u0008\u000a-\u001f\u007f-\u009f]/.test(text)
    ? parseLine(text)
        .segments.map((segment) => segment.text)
        .join('')
    : text

/** Only the style at the end of a line; cheaper than parsing the whole line. */
export const styleAfter = (text: string, start: Style): Style => {
  let style = start
  scan(text, {
    text: () => undefined,
    osc: () => undefined,
    control: () => undefined,
    csi: (parameters, final) => {
      if (final === 'm') style = applySgr(style, parameters)
    },
  })
  return style
}
