import type { ReactNode } from 'react'

import { createStore } from '../../browser/store.ts'

/** A value shown only once: the server stores its hash, or doesn't return it again. */
export interface OneTimeValue {
  title: string
  description: ReactNode
  value: string
  /** The name of the button that copies it, such as "Copy token". */
  copyLabel: string
}

/**
 * Global: the value arrives with a response, after which the user may be on any page. The oldest is
 * shown first.
 */
export const oneTimeValues = createStore<readonly OneTimeValue[]>([])

export const showOnce = (value: OneTimeValue): void => oneTimeValues.set([...oneTimeValues.get(), value])
