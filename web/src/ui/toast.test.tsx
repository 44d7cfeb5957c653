import { renderToString } from 'react-dom/server'
import { afterEach, expect, test, vi } from 'vitest'

import { toast } from './toast.ts'
import { ToastHost } from './toast-host.tsx'

afterEach(() => vi.useRealTimers())

test('[S2.other.4] helpers for success, warning and error have their own styles', () => {
  vi.useFakeTimers()
  toast.success('It is done')
  toast.warning('Take care')
  toast.error('It failed')
  const html = renderToString(<ToastHost />)
  for (const [text, colour] of [
    ['It is done', 'text-success'],
    ['Take care', 'text-warning'],
    ['It failed', 'text-danger'],
  ] as const)
    expect(html).toMatch(new RegExp(`${colour}[^]*${text}`))
  vi.advanceTimersByTime(3_000)
  expect(renderToString(<ToastHost />)).not.toContain('It is done')
})
