import type { ReactNode } from 'react'

export interface EmptyStateProps {
  title: string
  message?: ReactNode
  /** The next action. */
  action?: ReactNode
}

export function EmptyState({ title, message, action }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-center gap-2 px-4 py-12 text-center">
      <h2 className="text-lg font-medium">{title}</h2>
      {message && <p className="max-w-110 text-muted">{message}</p>}
      {action && <div className="mt-2">{action}</div>}
    </div>
  )
}
