import { isDone, type Build, type Stage } from '@flightdeck/api'
import { Suspense } from 'react'

import { lazyPart } from '../../browser/lazy-part.tsx'
import { ErrorBoundary } from '../../ui/error-boundary.tsx'
import { LoadingText } from '../../ui/skeleton.tsx'
import { GraphSkeleton } from './graph-skeleton.tsx'
import type { FailingStep } from './failing-step.ts'
import { FollowButton } from './follow-button.tsx'
import { LogView } from './log-view.tsx'
import type { usePlace } from './use-place.ts'
import type { View } from './view-address.ts'

const loadGraph = () => import('../graph/index.ts')
const GraphView = lazyPart(async () => (await loadGraph()).GraphView)
const TimelineView = lazyPart(async () => (await import('../timeline/index.ts')).TimelineView)
/** The page itself tells a failure, if somebody goes there. */
export const preloadGraph = (stages: readonly Stage[]) => {
  GraphView.prepare()
  TimelineView.prepare()
  void loadGraph().then(
    ({ prepareLayout }) => prepareLayout(stages),
    () => undefined,
  )
}

export interface BuildViewProps {
  namespace: string
  name: string
  number: number
  build: Build | undefined
  view: View
  failing: readonly FailingStep[]
  shown: ReturnType<typeof usePlace>
  /** Narrow screens only. */
  consoleOpen: boolean
  /** Always the same function. */
  onOpen: () => void
  onClose: () => void
  onShowLog: () => void
}

/** The log or the graph of the build. */
export function BuildView({ view, shown, onShowLog, ...props }: BuildViewProps) {
  const { namespace, name, number, build, failing, consoleOpen, onOpen, onClose } = props
  const { place, came, left, whole } = shown
  const isGraph = view === 'graph' && build !== undefined
  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      {view === 'timeline' && build ? (
        <ErrorBoundary region="The timeline" resetKey={`${number}`}>
          <Suspense fallback={<LoadingText text="Loading the timeline" />}>
            <TimelineView namespace={namespace} name={name} build={build} />
          </Suspense>
        </ErrorBoundary>
      ) : isGraph ? (
        <ErrorBoundary region="The graph" resetKey={`${number}`}>
          <Suspense fallback={<GraphSkeleton />}>
            <GraphView
              namespace={namespace}
              name={name}
              build={build}
              stage={place.stage}
              step={place.step}
              whole={whole}
              onEnd={shown.onEnd}
              onShowLog={onShowLog}
            />
          </Suspense>
        </ErrorBoundary>
      ) : (
        <LogView
          {...{ namespace, name, number, build, place, came, failing, whole, consoleOpen }}
          onEnd={shown.onEnd}
          onOpen={onOpen}
          onClose={() => {
            shown.onLogGone()
            onClose()
          }}
        />
      )}
      {build && left && !isDone(build.status) && (
        <FollowButton onFollow={shown.follow} className={isGraph ? 'left-1/2 -translate-x-1/2' : 'left-4'} />
      )}
    </div>
  )
}
