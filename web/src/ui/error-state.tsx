import { CircleAlert } from 'lucide-react'

import { Button } from './button.tsx'

export interface ErrorStateProps {
  /** What happened, in words. */
  message: string
  onRetry?: (() => void) | undefined
  /** What the button says. */
  retry?: string
  busy?: boolean
}

/** What failed, and Retry (design.md, rule 4). */
export function ErrorState({ message, onRetry, retry = 'Retry', busy = false }: ErrorStateProps) {
  return (
    <div role="alert" className="flex flex-col items-center gap-3 px-4 py-12 text-center">
      <CircleAlert className="size-6 text-danger" aria-hidden="true" />
      <p className="max-w-160">{message}</p>
      {onRetry && (
        <Button busy={busy} onClick={onRetry}>
          {retry}
        </Button>
      )}
    </div>
  )
}
