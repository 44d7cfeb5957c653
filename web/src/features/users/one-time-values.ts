import type { ReactNode } from 'react'

import { createStore } from '../../browser/store.ts'

/** A value that can be seen this one time: the server keeps its hash, or does not tell it again. */
export interface OneTimeValue {
  title: string
  description: ReactNode
  value: string
  /** The name of the button that copies it, such as "Copy token". */
  copyLabel: string
}

/** Outside the pages: it comes with an answer, and whoever asked may be anywhere by then. The oldest is shown first. */
export const oneTimeValues = createStore<readonly OneTimeValue[]>([])

export const showOnce = (value: OneTimeValue): void => oneTimeValues.set([...oneTimeValues.get(), value])
