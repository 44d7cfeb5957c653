import { useState } from 'react'

import { focusPage } from '../browser/page-focus.ts'
import { moveFocusOnRemoval } from '../browser/move-focus-on-removal.ts'
import { formatNumber } from '../lib/text.ts'
import { Button } from './button.tsx'

/** More rows than anyone reads; rendering ten thousand blocks the page for many seconds. */
const portion = 1_000

/**
 * The number of rows to render of `count`, and the button for more, if there are. Only broken
 * servers send such lists. `chosen`: the index of a row that must be included.
 */
export const usePortion = (count: number, chosen = 0) => {
  const [requestedCount, setAsked] = useState(portion)
  const visible = Math.max(requestedCount, Math.ceil((chosen + 1) / portion) * portion)
  const left = count - visible
  const more = left > 0 && (
    <Button ref={moveFocusOnRemoval(focusPage)} size="sm" onClick={() => setAsked(visible + portion)}>
      {`Show ${formatNumber(Math.min(left, portion))} more`}
    </Button>
  )
  return { visible, more }
}
