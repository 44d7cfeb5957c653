import { Component, type ReactNode } from 'react'

import { ErrorState } from './error-state.tsx'
import { PieceError } from '../browser/reload-once.ts'

export interface ErrorBoundaryProps {
  children: ReactNode
  /** What the person calls this part of the page, for the message. */
  region: string
  /** A change of this value tries again, such as the address. */
  resetKey?: string
}

/** One per region: a fault in it leaves the rest of the page alive. */
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
    // What an engine says of a fault in our code is for the console only.
    const why = piece?.message ?? 'Something went wrong'
    return (
      <ErrorState
        message={piece ? why : `${this.props.region} could not be shown: ${why}`}
        {...(piece?.gone ? { retry: 'Reload' } : {})}
        onRetry={() => (piece?.gone ? location.reload() : this.setState({ error: undefined }))}
      />
    )
  }
}
