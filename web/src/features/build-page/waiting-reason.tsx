import type { Stage, Step } from '@flightdeck/api'
import { CircleSlash, Hourglass } from 'lucide-react'
import { Suspense } from 'react'

import { useMe } from '../../api/session.ts'
import { lazyPart } from '../../browser/lazy-part.tsx'
import { statusReason, unlessRepeated } from '../../lib/reason.ts'
import { ErrorBoundary } from '../../ui/error-boundary.tsx'
import { ReasonText } from '../../ui/reason.tsx'

/** Lazy, since only administrators see it. */
const RunnerHelp = lazyPart(async () => (await import('../runners/index.ts')).RunnerHelp)

interface WaitingReasonProps {
  stage: Stage
  step: Step | undefined
  /** The reason shown above; then this only shows what an administrator can do. */
  headerReason: string | undefined
}

/**
 * Shown instead of log lines: why there are none yet, and what an administrator can do about it.
 */
export function WaitingReason({ stage, step, headerReason }: WaitingReasonProps) {
  const me = useMe()
  // The end reason of a stage does not apply to a step that ran to its end before.
  const hasFinished = step?.status === 'success' || step?.status === 'failure'
  const subject = step && (step.waiting || step.ended || hasFinished) ? step : stage
  const { waiting } = subject
  const reason = statusReason(subject)
  const words = unlessRepeated(reason, headerReason)
  const Icon = waiting ? Hourglass : CircleSlash
  const needs = me?.admin && waiting?.reason === 'runner' ? waiting.needs : undefined
  // A kind other than pipeline is a mistake in the file, which no runner solves.
  const helps = needs && !needs.kind
  if (!words && !helps) return null
  return (
    <div className="flex w-full min-w-0 flex-col gap-5">
      {words && (
        <p className="flex items-start gap-3 text-lg text-ink" role="status">
          <Icon className="mt-1 size-5 shrink-0 text-muted" aria-hidden="true" />
          <span className="min-w-0">
            <ReasonText reason={words} />
          </span>
        </p>
      )}
      {helps && (
        <ErrorBoundary region="Runner help" resetKey={reason?.text ?? ''}>
          <Suspense fallback={null}>
            <RunnerHelp needs={needs} />
          </Suspense>
        </ErrorBoundary>
      )}
    </div>
  )
}
