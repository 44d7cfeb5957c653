import { useState } from 'react'

import { useDelay } from './use-delay.ts'

/**
 * The debounced text: its value after `ms` milliseconds without changes. For requests while the
 * user types.
 */
export const useDebounced = (text: string, ms: number): string => {
  const [debounced, setDebounced] = useState(text)
  useDelay(text === debounced ? undefined : text, ms, setDebounced)
  return debounced
}
