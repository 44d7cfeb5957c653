import type { Waiting } from '@flightdeck/api'
import { Hourglass } from 'lucide-react'
import { Suspense } from 'react'

import { useMe } from '../../api/session.ts'
import { lazyPart } from '../../browser/lazy-part.tsx'
import { ErrorBoundary } from '../../ui/error-boundary.tsx'

/** For the few who can do something about it. */
const RunnerHelp = lazyPart(async () => (await import('../runners/index.ts')).RunnerHelp)

/** Why there is no line yet, large, where the lines will stand; and what an administrator can do. */
export function WaitingReason({ waiting }: { waiting: Waiting }) {
  const me = useMe()
  const canHelp = me?.admin && waiting.reason === 'runner' && waiting.needs?.type === 'docker'
  return (
    <div className="flex w-full min-w-0 flex-col gap-5">
      <p className="flex items-start gap-3 text-lg text-ink" role="status">
        <Hourglass className="mt-1 size-5 shrink-0 text-muted" aria-hidden="true" />
        <span className="min-w-0">{waiting.text}</span>
      </p>
      {canHelp && (
        <ErrorBoundary region="The help for runners" resetKey={waiting.text}>
          <Suspense fallback={null}>
            <RunnerHelp />
          </Suspense>
        </ErrorBoundary>
      )}
    </div>
  )
}
