import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'

import type { ConsoleView } from '../step/console-state.ts'
import { ConsoleFooter } from './console-footer.tsx'

const view: ConsoleView = {
  state: 'resolved',
  message: undefined,
  detail: undefined,
  messageTone: 'warning',
  footer: 'Exit Code 0',
  tone: 'success',
}
const htmlOf = (cut: string | undefined): string =>
  renderToStaticMarkup(
    <ConsoleFooter view={view} cut={cut}>
      <b>New</b>
    </ConsoleFooter>,
  )

test('a truncated log shows the limit once', () => {
  expect(htmlOf('250 MB')).toMatch(/role="status"[^>]*>Log truncated at 250 MB<\/span><b>New/)
})

test('a complete log mentions no limit', () => {
  expect(htmlOf(undefined)).toMatch(/role="status"[^>]*><\/span><b>New/)
  expect(htmlOf(undefined)).toContain('Exit Code 0')
})
