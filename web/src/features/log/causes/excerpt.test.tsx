import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'

import type { Cause } from '../engine/causes.ts'
import { Excerpt, type WithoutCause } from './excerpt.tsx'

const cause: Cause = {
  number: 8,
  text: 'not ok',
  index: 7,
  before: [{ number: 7, text: 'before' }],
  after: [{ number: 9, text: 'after' }],
}
interface Given {
  cause?: Cause
  loading?: boolean
  without?: WithoutCause
}
const none: WithoutCause = { error: undefined, text: 'No error line was found.' }
const htmlOf = ({ cause: found, loading = false, without = none }: Given): string =>
  renderToStaticMarkup(
    <Excerpt cause={found} causeLines={new Set([8])} loading={loading} without={without} href="/acme/web/7/1/2" />,
  )

test('while it loads there is no text yet, with an error or without', () => {
  for (const without of [none, { error: 'killed', text: 'killed' }]) {
    const html = htmlOf({ loading: true, without })
    expect(html).toContain('animate-pulse')
    expect(html).not.toContain(without.text)
  }
})

test('without an error line, a muted text says so', () => {
  const html = htmlOf({})
  expect(html).toContain('No error line was found.')
  expect(html).not.toMatch(/animate-pulse|border-danger/)
})

test('without an error line, the error of the step is shown as an error, once', () => {
  const html = htmlOf({ without: { error: 'killed', text: 'killed' } })
  expect(html.match(/killed/g)).toHaveLength(1)
  expect(html).toContain('border-danger')
})

test('the error line is shown with context, each line with its link, and only the error line is marked', () => {
  const html = htmlOf({ cause })
  expect([...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href)).toEqual(
    [7, 8, 9].map((number) => `/acme/web/7/1/2#L${number}`),
  )
  expect(html.match(/border-danger/g)).toHaveLength(1)
  expect(html).not.toMatch(/animate-pulse|No error line/)
})

test('a known error line is shown, whatever else is known about the step', () => {
  expect(htmlOf({ cause, without: { error: 'killed', text: 'killed' } })).not.toContain('killed')
})

test('only its neighbors are muted', () => {
  const spans = [...htmlOf({ cause }).matchAll(/<span class="([^"]*)">([^<]*)</g)]
  const muted = spans.filter(([, look = '']) => look.includes('text-muted')).map(([, , text]) => text)
  expect(muted).toEqual(['7', 'before', '9', 'after'])
})
