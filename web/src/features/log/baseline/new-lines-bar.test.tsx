import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'

import { NewLinesBar } from './new-lines-bar.tsx'
import type { NewLines } from './use-new-lines.ts'
import type { OnlyNew } from './use-only-new.ts'

const ignore = () => undefined
const all: OnlyNew = { lines: undefined, toggle: ignore, show: ignore, left: false }
const address = { namespace: 'acme', name: 'web', build: 7, stage: 1, step: 2 }
const run = { build: 41, stage: 1, step: 2, print: new Uint8Array() }
/** The visible text, without markup and repeated spaces. */
const textOf = (newLines: NewLines, view = all): string =>
  renderToStaticMarkup(
    <NewLinesBar address={address} newLines={newLines} view={view} compact={false} onGone={ignore} />,
  )
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
const known = (count: number): NewLines => ({ state: 'known', run, lines: new Uint32Array(count) })

test.each([
  [
    'an offer names the run where it is known',
    { state: 'offered', build: 41, compare: ignore },
    'Compare with the last successful run (#41)',
  ],
  [
    'and no run where it is not',
    { state: 'offered', build: undefined, compare: ignore },
    'Compare with the last successful run',
  ],
  ['no new line has no button', known(0), 'No new lines since the last successful run ( #41 )'],
  ['one new line', known(1), '1 line not in the last successful run ( #41 ) Only new lines'],
  ['two new lines', known(2), '2 lines not in the last successful run ( #41 ) Only new lines'],
  [
    'before a log is read',
    { state: 'reading', progress: undefined, stop: ignore },
    'Looking for the last successful run… Stop',
  ],
  [
    'without a byte yet',
    { state: 'reading', progress: { build: 41, bytes: 0 }, stop: ignore },
    'Reading the log of #41… Stop',
  ],
  [
    'with the first bytes',
    { state: 'reading', progress: { build: 41, bytes: 100_000 }, stop: ignore },
    'Reading the log of #41… 0.1 MB Stop',
  ],
  ['a failure that can be tried again', { state: 'without', words: 'No.', again: ignore }, 'No. Try again'],
  ['and one that cannot', { state: 'without', words: 'No.' }, 'No.'],
  ['while nothing is known', { state: 'waiting' }, ''],
] as [string, NewLines, string][])('%s', (_title, newLines, text) => {
  expect(textOf(newLines)).toBe(text)
})

test('a step that did not fail has no bar', () => {
  expect(textOf({ state: 'none' })).toBe('')
  expect(
    renderToStaticMarkup(
      <NewLinesBar address={address} newLines={{ state: 'none' }} view={all} compact={false} onGone={ignore} />,
    ),
  ).toBe('')
})

test('shows whether all lines are shown, and why', () => {
  expect(textOf(known(1), { ...all, lines: new Uint32Array(1) })).toMatch(/^Only new lines are shown\. 1 line/)
  const left = 'Showing all lines, because the linked line is not new.'
  expect(textOf(known(1), { ...all, left: true })).toContain(`${left} ${left} 1 line`)
  expect(textOf(known(1))).not.toContain('shown')
})

const htmlOf = (newLines: NewLines, view = all): string =>
  renderToStaticMarkup(
    <NewLinesBar address={address} newLines={newLines} view={view} compact={false} onGone={ignore} />,
  )

test('a placeholder is shown only while loading', () => {
  expect(htmlOf({ state: 'waiting' })).toContain('animate-pulse')
  expect(htmlOf(known(1))).not.toContain('animate-pulse')
})

test('the button has its pressed state', () => {
  expect(htmlOf(known(1))).toContain('aria-pressed="false"')
  expect(htmlOf(known(1), { ...all, lines: new Uint32Array(1) })).toContain('aria-pressed="true"')
})
