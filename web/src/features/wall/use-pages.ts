import { useState } from 'react'

import { useNow } from '../../browser/clock.ts'
import { useKeys } from '../../browser/use-keys.ts'
import { nowSeconds } from '../../lib/time.ts'

/** How long each page is shown. */
const pageSeconds = 15

const prefersStill = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches

export interface Pages {
  /** The current page, from 0. */
  page: number
  isPlaying: boolean
  /** Pauses or resumes. */
  toggle: () => void
}

/** The current page of the wall: advances every 15 seconds, or by the arrow keys. */
export const usePages = (count: number): Pages => {
  const [state, setState] = useState(() => ({ page: 0, since: nowSeconds(), isPlaying: !prefersStill() }))
  const turns = state.isPlaying && count > 1
  const now = useNow(turns ? 'second' : 'never')
  const turnCount = turns ? Math.max(0, Math.floor((now - state.since) / pageSeconds)) : 0
  const page = (state.page + turnCount) % Math.max(1, count)
  const show = (next: number): void =>
    setState({ ...state, page: (next + count) % Math.max(1, count), since: nowSeconds() })
  useKeys((key, event) => {
    if (count < 2) return
    if (key === 'ArrowRight' || key === 'PageDown') show(page + 1)
    else if (key === 'ArrowLeft' || key === 'PageUp') show(page - 1)
    else if (key === 'Home') show(0)
    else if (key === 'End') show(count - 1)
    else return
    event.preventDefault()
  })
  return {
    page,
    isPlaying: state.isPlaying,
    toggle: () => setState({ page, since: nowSeconds(), isPlaying: !state.isPlaying }),
  }
}
