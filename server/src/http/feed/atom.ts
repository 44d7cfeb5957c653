/** Atom documents (RFC 4287). Pure. */
import { rfc3339 } from '../rfc-time.ts'

export interface AtomEntry {
  /** An IRI that never changes, even if the entry or the server is renamed. */
  id: string
  title: string
  /** Seconds since 1970. */
  published: number
  /** Seconds since 1970. */
  updated: number
  /** The address of its page. */
  page: string
  author: string
  /** A word to sort by. */
  category: string
  /** Plain text; may have several lines. */
  summary: string
}

export interface AtomFeed {
  id: string
  title: string
  /** Its own address. */
  self: string
  /** The address of the corresponding page. */
  page: string
  /** Of the program that wrote it. */
  version: string
  /** Of a feed without entries, in seconds since 1970. */
  updated: number
  entries: readonly AtomEntry[]
}

/**
 * What no XML 1.0 document may contain, escaped or not: control characters, lone surrogates, and
 * the last two of the plane.
 */
const notXml = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  // A parser would read a plain one as a line feed.
  '\r': '&#13;',
}

/** Any text as the content of an element or an attribute in double quotes. */
export const xmlText = (text: string): string =>
  text.replaceAll(notXml, '\uFFFD').replaceAll(/[&<>"\r]/g, (character) => entities[character] ?? character)

const element = (name: string, text: string): string => `<${name}>${xmlText(text)}</${name}>`
const link = (rel: string, type: string, href: string): string =>
  `<link rel="${rel}" type="${type}" href="${xmlText(href)}"/>`
const time = (name: string, seconds: number): string => element(name, rfc3339(seconds) ?? '1970-01-01T00:00:00Z')

const entryOf = (entry: AtomEntry): string =>
  [
    '<entry>',
    element('id', entry.id),
    element('title', entry.title),
    time('published', entry.published),
    time('updated', entry.updated),
    link('alternate', 'text/html', entry.page),
    `<author>${element('name', entry.author)}</author>`,
    `<category term="${xmlText(entry.category)}"/>`,
    element('summary', entry.summary),
    '</entry>',
  ].join('')

/** When it last changed, in seconds since 1970. */
export const updatedOf = ({ updated, entries }: AtomFeed): number =>
  entries.length === 0 ? updated : Math.max(...entries.map((entry) => entry.updated))

export const atomDocument = (feed: AtomFeed): string =>
  [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    element('id', feed.id),
    element('title', feed.title),
    time('updated', updatedOf(feed)),
    link('self', 'application/atom+xml', feed.self),
    link('alternate', 'text/html', feed.page),
    // A feed without entries has no other author, and RFC 4287 asks for one.
    `<author>${element('name', 'Flightdeck')}</author>`,
    `<generator version="${xmlText(feed.version)}">Flightdeck</generator>`,
    ...feed.entries.map(entryOf),
    '</feed>',
    '',
  ].join('\n')
