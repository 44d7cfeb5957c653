import { Component, type ReactNode } from 'react'

import { ErrorState } from './error-state.tsx'
import { PieceError } from '../browser/reload-once.ts'

export interface ErrorBoundaryProps {
  children: ReactNode
  /** The name of this part of the page, for the message. */
  region: string
  /** A change of this value retries, for example of the URL. */
  resetKey?: string
}

/** One per region: an error in it leaves the rest of the page working. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { error: Error | undefined }> {
  override state: { error: Error | undefined } = { error: undefined }

  static getDerivedStateFromError(error: unknown): { error: Error } {
    return { error: error instanceof Error ? error : new Error(String(error)) }
  }

  override componentDidUpdate(previous: ErrorBoundaryProps): void {
    if (this.state.error && previous.resetKey !== this.props.resetKey) this.setState({ error: undefined })
  }

  override render(): ReactNode {
    const { error } = this.state
    if (!error) return this.props.children
    const piece = error instanceof PieceError ? error : undefined
    // The engine's message about an error in our code is only for the console.
    const why = piece?.message ?? 'Something went wrong'
    return (
      <ErrorState
        message={piece ? why : `${this.props.region} could not be shown: ${why}`}
        {...(piece?.isRemoved ? { retry: 'Reload' } : {})}
        onRetry={() => (piece?.isRemoved ? location.reload() : this.setState({ error: undefined }))}
      />
    )
  }
}
