/** For tests: parses a feed with a strict XML parser. */
import { SaxesParser } from 'saxes'

export interface AtomElement {
  name: string
  /** The name with its namespace. */
  uri: string
  attributes: Readonly<Record<string, string>>
  children: AtomElement[]
  text: string
}

/** Throws at the first position that is not well-formed XML 1.0 with namespaces. */
export function readXml(text: string): AtomElement {
  const parser = new SaxesParser({ xmlns: true })
  const root: AtomElement = { name: '', uri: '', attributes: {}, children: [], text: '' }
  const open = [root]
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ local, uri, attributes }) => {
    const values = Object.fromEntries(Object.entries(attributes).map(([name, { value }]) => [name, value]))
    const element: AtomElement = { name: local, uri, attributes: values, children: [], text: '' }
    open.at(-1)?.children.push(element)
    open.push(element)
  })
  parser.on('text', (part) => {
    const element = open.at(-1)
    if (element) element.text += part
  })
  parser.on('closetag', () => {
    open.pop()
  })
  parser.write(text).close()
  const [document] = root.children
  if (!document || root.children.length > 1) throw new Error('a document has one element')
  return document
}

export const all = (element: AtomElement, name: string): AtomElement[] =>
  element.children.filter((child) => child.name === name)
export const textOf = (element: AtomElement, name: string): string => all(element, name)[0]?.text ?? ''
export const hrefOf = (element: AtomElement, rel: string): string =>
  all(element, 'link').find(({ attributes }) => attributes['rel'] === rel)?.attributes['href'] ?? ''

const dateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/

/**
 * The rules of RFC 4287 (§4.1.1, §4.1.2, §4.2) that feed readers depend on. Returns the violations.
 */
export function faultsOf(feed: AtomElement): string[] {
  const faults: string[] = []
  const check = (isGood: boolean, fault: string) => {
    if (!isGood) faults.push(fault)
  }
  const one = (element: AtomElement, name: string) =>
    check(all(element, name).length === 1, `${element.name} has one ${name}`)
  const isAbsolute = (address: string) => URL.canParse(address)
  const every = (element: AtomElement) => {
    for (const name of ['id', 'title', 'updated']) one(element, name)
    check(isAbsolute(textOf(element, 'id')), `the id of a ${element.name} is an IRI`)
    check(textOf(element, 'title').trim() !== '', `a ${element.name} has a title`)
    for (const name of ['updated', 'published'])
      for (const { text } of all(element, name)) check(dateTime.test(text), `${name} is a date: ${text}`)
    const alternates = all(element, 'link').filter(({ attributes }) => attributes['rel'] === 'alternate')
    check(alternates.length === 1, `a ${element.name} has one alternate`)
    for (const { attributes } of all(element, 'link'))
      check(isAbsolute(attributes['href'] ?? ''), `the link is absolute: ${attributes['href']}`)
    for (const author of all(element, 'author'))
      check(all(author, 'name').length === 1 && textOf(author, 'name') !== '', 'an author has a name')
    for (const child of element.children) check(child.uri === feed.uri, `${child.name} is Atom`)
  }
  check(feed.name === 'feed' && feed.uri === 'http://www.w3.org/2005/Atom', 'the document is a feed')
  every(feed)
  check(hrefOf(feed, 'self') !== '', 'the feed has its own address')
  const entries = all(feed, 'entry')
  check(all(feed, 'author').length > 0 || entries.every((entry) => all(entry, 'author').length > 0), 'authors')
  for (const entry of entries) every(entry)
  const ids = entries.map((entry) => textOf(entry, 'id'))
  check(new Set(ids).size === ids.length, 'ids are unique')
  return faults
}
