import type { ReactNode } from 'react'

import { cx } from '../../../ui/class-names.ts'
import type { ConsoleView, Tone } from '../console-state.ts'

const tones: Record<Tone, string> = { success: 'text-success', danger: 'text-danger', warning: 'text-muted' }

/** How the step ended, in words. */
export function ConsoleFooter({ view, children }: { view: ConsoleView; children: ReactNode }) {
  return (
    <footer className="flex min-h-9 flex-wrap items-center justify-between gap-x-4 gap-y-1 border-t border-line px-3 py-1 text-sm touch:min-h-13">
      <span className={cx('min-w-0 break-words', tones[view.tone])}>{view.footer}</span>
      {children}
    </footer>
  )
}
