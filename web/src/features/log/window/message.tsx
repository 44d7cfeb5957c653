import type { ReactNode } from 'react'

import type { ConsoleView, Tone } from '../console-state.ts'
import { Button } from '../../../ui/button.tsx'
import { Skeleton, LoadingText } from '../../../ui/skeleton.tsx'

const tones: Record<Tone, string> = {
  success: 'border-success bg-success-soft text-success',
  danger: 'border-danger bg-danger-soft text-danger',
  warning: 'border-warning bg-warning-soft text-warning',
}

const widths = ['w-2/5', 'w-3/5', 'w-1/2', 'w-4/5', 'w-1/3', 'w-2/3']

/** What stands in place of a log: the words of the console, or the shape of lines that are on their way. */
export function ConsoleMessage({
  view,
  aside,
  detail,
  onRetry,
}: {
  view: ConsoleView
  aside: ReactNode
  detail: string | undefined
  onRetry: (() => void) | undefined
}) {
  if (!view.message && aside) return <div className="flex flex-col gap-3 overflow-y-auto p-4">{aside}</div>
  if (!view.message)
    return (
      <div className="flex flex-col gap-2 p-4">
        <LoadingText text="Loading log" />
        {widths.map((width) => (
          <Skeleton key={width} className={`h-3 ${width}`} />
        ))}
      </div>
    )
  return (
    <div className="flex flex-col items-start gap-3 overflow-y-auto p-4">
      <div className={`w-full rounded-md border-l-3 px-3 py-2 ${tones[view.tone]}`}>
        <p>{view.message}</p>
        {detail && <p className="mt-1 font-mono text-sm whitespace-pre-wrap">{detail}</p>}
      </div>
      {aside}
      {onRetry && <Button onClick={onRetry}>Retry</Button>}
    </div>
  )
}
