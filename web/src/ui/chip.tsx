import type { ReactNode } from 'react'

import { cx } from './class-names.ts'

/** A short technical name, for example a branch or a commit, in a monospaced font. */
export function Chip({ children, className, title }: { children: ReactNode; className?: string; title?: string }) {
  return (
    <span
      title={title}
      className={cx(
        'inline-flex h-5 max-w-full min-w-0 items-center rounded-md bg-raised px-1.5 font-mono text-xs text-muted',
        className,
      )}
    >
      <span className="truncate">{children}</span>
    </span>
  )
}
