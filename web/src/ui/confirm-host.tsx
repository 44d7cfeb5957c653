import type { ReactNode } from 'react'

import { createStore, useStore } from '../browser/store.ts'

/**
 * The open confirmation dialog. The caller provides the dialog (confirm.tsx), so that it isn't in
 * the first load.
 */
export const openDialog = createStore<ReactNode>(null)

export function ConfirmHost() {
  return useStore(openDialog)
}
