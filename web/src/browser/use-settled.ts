import { useState } from 'react'

import { useDelay } from './use-delay.ts'

/** The text as it was when it last stayed the same for `ms` milliseconds: what a server is asked while a person types. */
export const useSettled = (text: string, ms: number): string => {
  const [settled, setSettled] = useState(text)
  useDelay(text === settled ? undefined : text, ms, setSettled)
  return settled
}
