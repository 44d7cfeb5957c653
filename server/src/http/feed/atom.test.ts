import { expect, it } from 'vitest'
import { all, faultsOf, readXml, textOf } from '../../testing/read-atom.ts'
import { atomDocument, xmlText, type AtomFeed } from './atom.ts'

const entry = {
  id: 'urn:uuid:00000000-0000-8000-8000-000000000001',
  title: 'title',
  published: 1,
  updated: 2,
  page: 'http://ci.example.com/a/b/1',
  author: 'Ada',
  category: 'failure',
  summary: 'summary',
}
const feed: AtomFeed = {
  id: 'urn:uuid:00000000-0000-8000-8000-000000000000',
  title: 'Builds',
  self: 'http://ci.example.com/api/user/feed.atom?show=mine&text="x"',
  page: 'http://ci.example.com/builds-feed',
  version: '1.2.3',
  updated: 0,
  entries: [],
}

it.each([
  ['markup', '<b>&amp;"\'</b>', '<b>&amp;"\'</b>'],
  ['the end of CDATA', 'a]]>b', 'a]]>b'],
  ['a comment and an instruction', '<!-- x --><?xml x?>', '<!-- x --><?xml x?>'],
  ['control characters', 'a\0b\u001Bc\u007F\u0085', 'a\uFFFDb\uFFFDc\u007F\u0085'],
  ['lone surrogates', 'a\uD800b\uDC00c', 'a\uFFFDb\uFFFDc'],
  ['a pair of surrogates', '🚀', '🚀'],
  ['what is no character', 'a\uFFFEb\uFFFF', 'a\uFFFDb\uFFFD'],
  ['line ends', 'a\r\nb\rc\n', 'a\r\nb\rc\n'],
])('%s', (_, text, read) => {
  const document = readXml(
    atomDocument({ ...feed, title: text, entries: [{ ...entry, title: text, author: text, summary: text }] }),
  )
  expect(faultsOf(document)).toEqual([])
  const [first] = all(document, 'entry')
  expect(first && [textOf(document, 'title'), textOf(first, 'title'), textOf(first, 'summary')]).toEqual([
    read,
    read,
    read,
  ])
})

it('every code unit is well-formed, alone and in an attribute', () => {
  const units = Array.from({ length: 0x10000 }, (_, unit) => String.fromCharCode(unit)).join('x')
  const text = xmlText(units)
  expect(readXml(`<a b="${text}">${text}</a>`).text).toHaveLength(units.length)
})

it('an empty feed and times that no date has are valid', () => {
  expect(faultsOf(readXml(atomDocument(feed)))).toEqual([])
  const odd = { ...entry, published: Number.NaN, updated: 1e15 }
  expect(faultsOf(readXml(atomDocument({ ...feed, entries: [odd] })))).toEqual([])
})
