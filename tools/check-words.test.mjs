import { expect, test } from 'vitest'
import { faultsOf, fileNameFault, wideComments } from './check-words.mjs'

const clean = 'server/src/store/x.ts'

test.each([
  ['cites a tracker', '// See issue 12.'],
  ['names a limit after the superlative', 'const mostBuilds = 10'],
  ['calls a timeout patience', 'export const patience = 10'],
  ['speaks of a reader as a man', '// The stream ends when he leaves.'],
  ['names a function that publishes after telling', 'async function tell(id) {}'],
  ['names a function that discards after forgetting', 'const forget = () => {}'],
  ['calls a search through several logs far', 'export class FarStore {}'],
  ['has an old-fashioned phrase', '/** Writes the file anew. */'],
  ['titles a test with one', "test('a failure counts as ever', () => {})"],
  ['opens with a pronoun', '/** Whoever asks first gets it. */'],
])('a line that %s is refused', (_what, line) => {
  expect(faultsOf(clean, `const maxBuilds = 10\n${line}\n`)).toEqual([
    expect.stringMatching(/^server.src.store.x.ts:2: /),
  ])
})

test('the words of the glossary are not', () => {
  expect(faultsOf(clean, '// The reader leaves.\nconst maxBuilds = 10\nconst almost = the.most\n')).toEqual([])
})

test('the page is checked as well; documents only for citations of a tracker', () => {
  expect(faultsOf('web/src/app/x.ts', '// he leaves')).toHaveLength(1)
  expect(faultsOf('docs/x.md', '// he leaves')).toEqual([])
  expect(faultsOf('docs/x.md', '// issue 12')).toHaveLength(1)
})

test.each(['const said = read()', 'let hurry = false', 'const backFor = 3_000', 'const settledAfter = 500'])(
  '`%s` needs a better name, except in the server’s tests',
  (line) => {
    expect(faultsOf('web/src/app/x.ts', line)).toHaveLength(1)
    expect(faultsOf('e2e/x.ts', line)).toHaveLength(1)
    expect(faultsOf(clean, line)).toHaveLength(1)
    expect(faultsOf('server/src/store/x.test.ts', line)).toEqual([])
    expect(faultsOf('web/src/app/x.ts', 'const graceMs = 500\nconst rowsAfter = count + 1')).toEqual([])
  },
)

test.each(['near.ts', 'keys-ahead.ts', 'far-search.ts', 'use-held-order.ts', 'places.test.ts', 'crowd.system.test.ts'])(
  'a file may not be called %s',
  (name) => {
    expect(fileNameFault(`web/src/app/${name}`)).toHaveLength(1)
    expect(fileNameFault(`docs/${name}`)).toEqual([])
  },
)

test.each(['approval-gates.ts', 'usual-times.ts', 'nearest-location.ts', 'outside-press.ts', 'search.ts'])(
  'a file may be called %s',
  (name) => {
    expect(fileNameFault(`server/src/store/${name}`)).toEqual([])
  },
)

test('a comment is at most 100 columns wide, code and documents are not limited here', () => {
  const comment = (columns) => `  // ${'x '.repeat(columns)}`.slice(0, columns - 1) + '.'
  expect(comment(100)).toHaveLength(100)
  expect(wideComments('web/src/app/x.ts', `${comment(100)}\n${comment(101)}\n`)).toEqual([
    expect.stringMatching(/^web.src.app.x.ts:2: /),
  ])
  expect(wideComments('web/src/app/x.tsx', `      {/* ${'x '.repeat(60)}*/}`)).toHaveLength(1)
  expect(wideComments('web/src/app/x.ts', `${' '.repeat(100)}call()`)).toEqual([])
  expect(wideComments('web/src/app/x.ts', `${comment(90)} https://example.com/a`)).toEqual([])
  expect(wideComments('docs/x.md', comment(101))).toEqual([])
})
