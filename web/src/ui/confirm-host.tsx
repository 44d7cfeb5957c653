import type { ReactNode } from 'react'

import { createStore, useStore } from '../browser/store.ts'

/** The question that is asked right now. Who asks brings its dialog along (confirm.tsx): the first load goes without. */
export const asked = createStore<ReactNode>(null)

export function ConfirmHost() {
  return useStore(asked)
}
