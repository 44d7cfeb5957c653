import type { ReactNode } from 'react'

import type { ConsoleView, Tone } from '../step/console-state.ts'
import { Button } from '../../../ui/button.tsx'
import { cx } from '../../../ui/class-names.ts'
import { Skeleton, LoadingText } from '../../../ui/skeleton.tsx'

const tones: Record<Tone, string> = {
  success: 'border-success bg-success-soft text-success',
  danger: 'border-danger bg-danger-soft text-danger',
  warning: 'border-warning bg-warning-soft text-warning',
}

const widths = ['w-2/5', 'w-3/5', 'w-1/2', 'w-4/5', 'w-1/3', 'w-2/3']

/** The message of the console: above the log, or instead of it while there are no lines. */
export function ConsoleMessage({ view }: { view: ConsoleView }) {
  const { message, detail, messageTone } = view
  if (!message) return null
  return (
    <div
      className={`mx-3 my-2 max-h-2/5 min-h-10 shrink-0 overflow-y-auto rounded-md border-l-3 px-3 py-2 ${tones[messageTone]}`}
    >
      <p>{message}</p>
      {detail && <p className="mt-1 font-mono text-sm whitespace-pre-wrap">{detail}</p>}
    </div>
  )
}

interface WithoutLinesProps {
  view: ConsoleView
  trailing: ReactNode
  onRetry: (() => void) | undefined
}

/**
 * The content of a console without lines, below the message: why there are none, or a skeleton of
 * lines that are loading.
 */
export function WithoutLines({ view, trailing, onRetry }: WithoutLinesProps) {
  if (!view.message && !trailing)
    return (
      <div className="flex flex-col gap-2 p-4">
        <LoadingText text="Loading log" />
        {widths.map((width) => (
          <Skeleton key={width} className={`h-3 ${width}`} />
        ))}
      </div>
    )
  if (!trailing && !onRetry) return null
  return (
    <div className={cx('flex min-h-0 flex-col items-start gap-3 overflow-y-auto p-4', view.message && 'pt-0')}>
      {trailing}
      {onRetry && <Button onClick={onRetry}>Retry</Button>}
    </div>
  )
}
