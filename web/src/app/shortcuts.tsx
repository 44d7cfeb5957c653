import { Suspense } from 'react'

import { Dialog } from '../ui/dialog.tsx'
import { ErrorBoundary } from '../ui/error-boundary.tsx'
import { lazyPart } from '../browser/lazy-part.tsx'

const ShortcutList = lazyPart(async () => (await import('./shortcut-list.tsx')).ShortcutList)

export interface ShortcutsProps {
  open: boolean
  onClose: () => void
}

/** The list of all keys; those of every page are in page-keys.ts. */
export function Shortcuts({ open, onClose }: ShortcutsProps) {
  return (
    <Dialog open={open} onClose={onClose} title="Keyboard shortcuts">
      <ErrorBoundary region="The list" resetKey="">
        <Suspense fallback={null}>
          <ShortcutList />
        </Suspense>
      </ErrorBoundary>
    </Dialog>
  )
}
