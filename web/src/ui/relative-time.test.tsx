import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'

import { AbsoluteTime, RelativeTime } from './relative-time.tsx'

test.each([9.2e18, -1e15, 8_640_000_000_001])('a time outside the range of dates is unknown: %d', (seconds) => {
  const unknown = '<span>unknown</span>'
  expect(renderToString(<RelativeTime seconds={seconds} />)).toBe(unknown)
  expect(renderToString(<RelativeTime seconds={seconds} short />)).toBe(unknown)
  expect(renderToString(<AbsoluteTime seconds={seconds} />)).toBe(unknown)
})

test('the latest possible date is shown', () => {
  expect(renderToString(<AbsoluteTime seconds={8_640_000_000_000 - 86_400} />)).toContain('275760')
})
