import { useState } from 'react'

import { useDelay } from './use-delay.ts'

/** The debounced text: its value after `ms` milliseconds without changes. For requests while the user types. */
export const useSettled = (text: string, ms: number): string => {
  const [settled, setSettled] = useState(text)
  useDelay(text === settled ? undefined : text, ms, setSettled)
  return settled
}
