import type { ReactNode } from 'react'

import { cx } from '../../../ui/class-names.ts'
import type { ConsoleView, Tone } from '../step/console-state.ts'

const tones: Record<Tone, string> = { success: 'text-success', danger: 'text-danger', warning: 'text-muted' }

interface ConsoleFooterProps {
  view: ConsoleView
  /** The limit at which the server ended the log, for example `250 MB`. */
  cut: string | undefined
  children: ReactNode
}

/** How the step ended, and whether its output was truncated. */
export function ConsoleFooter({ view, cut, children }: ConsoleFooterProps) {
  return (
    <footer className="flex min-h-9 flex-wrap items-center justify-between gap-x-4 gap-y-1 border-t border-line px-3 py-1 text-sm touch:min-h-13">
      <span className={cx('min-w-0 break-words', tones[view.tone])}>{view.footer}</span>
      <span role="status" className="mr-auto text-warning">
        {cut && `Log truncated at ${cut}`}
      </span>
      {children}
    </footer>
  )
}
