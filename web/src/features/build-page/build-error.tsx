import { texts } from '@flightdeck/api'

import { hasNoMessage } from '../../api/query-client.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { NotFound } from '../common/not-found.tsx'

const fallback = 'Something went wrong. It is highly likely that this page does not exist'

export const isNotFound = (error: Error): boolean => error.message === texts.notFound || error.message === texts.noRows

/** Specification §8, "Page errors". */
export function BuildError({ error, onRetry, busy }: { error: Error; onRetry: () => void; busy: boolean }) {
  if (isNotFound(error)) return <NotFound />
  const message = hasNoMessage(error) || error.message === '' ? fallback : error.message
  return <ErrorState message={message} onRetry={onRetry} busy={busy} />
}
