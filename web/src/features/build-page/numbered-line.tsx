import type { ReactNode, Ref } from 'react'

import { cx } from '../../ui/class-names.ts'

export interface NumberedLineProps {
  number: number
  /** Untrusted: anyone with push access can write it, so it is rendered as plain text. */
  text: string
  marked: boolean
  /** Shown before the number. */
  trailing?: ReactNode
  className?: string
  ref?: Ref<HTMLDivElement> | undefined
}

/** A line of a file, without wrapping. */
export function NumberedLine({ number, text, marked, trailing, className, ref }: NumberedLineProps) {
  return (
    <div
      ref={ref}
      aria-current={marked ? 'location' : undefined}
      className={cx('flex w-max min-w-full gap-3 pr-3', marked && 'bg-danger-soft', className)}
    >
      {trailing}
      <span className="w-10 shrink-0 text-right text-muted select-none">{number}</span>
      <bdi dir="ltr" className="whitespace-pre">
        {text}
      </bdi>
    </div>
  )
}
