import { CircleAlert } from 'lucide-react'

import { Button } from './button.tsx'

export interface ErrorStateProps {
  /** What happened, as text. */
  message: string
  onRetry?: (() => void) | undefined
  /** The label of the button. */
  retry?: string
  busy?: boolean
}

/** An error message and Retry (design.md, rule 4). */
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
