import { isDone, type Build, type Stage } from '@flightdeck/api'
import { startTransition, Suspense, useRef, useState, type ReactNode } from 'react'

import { lazyPart } from '../../browser/lazy-part.tsx'
import { cx } from '../../ui/class-names.ts'
import { ErrorBoundary } from '../../ui/error-boundary.tsx'
import { LoadingText } from '../../ui/skeleton.tsx'
import type { ViewSize } from '../graph/index.ts'
import { GraphSkeleton } from './graph-skeleton.tsx'
import type { FailingStep } from './failing-step.ts'
import { FollowButton } from './follow-button.tsx'
import { LogView } from './log-view.tsx'
import type { useSelectedStep } from './use-selected-step.ts'
import type { View } from './view-address.ts'

const loadGraph = () => import('../graph/index.ts')
const GraphView = lazyPart(async () => (await loadGraph()).GraphView)
const TimelineView = lazyPart(async () => (await import('../timeline/index.ts')).TimelineView)
/**
 * `stage`: the selected one; its steps form a graph too. Errors are ignored here: the page reports
 * them when it is opened.
 */
export const preloadGraph = (stages: readonly Stage[], stage: Stage | undefined) => {
  GraphView.prepare()
  TimelineView.prepare()
  void loadGraph().then(
    ({ prepareLayout }) => [stages, stage?.steps ?? []].forEach(prepareLayout),
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
  shown: ReturnType<typeof useSelectedStep>
  /** Narrow screens only. */
  consoleOpen: boolean
  /** Must be a stable function. */
  onOpen: () => void
  onClose: () => void
  onShowLog: () => void
}

/**
 * Above this number, the old layer is removed only after the graph has rendered: doing both in one
 * frame causes a long task.
 */
const manyStages = 60

/**
 * Always as large as the view. `leaving`: keeps its layout below its replacement. Uses properties
 * that are not inherited, so that the styles of thousands of elements stay unchanged.
 */
function Layer({ leaving, children }: { leaving: boolean; children: ReactNode }) {
  return (
    <div
      aria-hidden={leaving || undefined}
      className={cx('flex min-h-0 flex-1 flex-col', leaving && 'absolute inset-0 opacity-0')}
    >
      {children}
    </div>
  )
}

/**
 * Measured only if the view already shows this build: with another build, the content above it may
 * have a different height.
 */
const sizeOf = (view: HTMLElement | null, build: number): ViewSize | undefined =>
  view?.dataset.build === `${build}` ? { width: view.clientWidth, height: view.clientHeight } : undefined

/** The log or the graph of the build. */
export function BuildView({ view, shown, onShowLog, ...props }: BuildViewProps) {
  const { namespace, name, number, build, failing, consoleOpen, onOpen, onClose } = props
  const [drawn, setDrawn] = useState(view)
  const box = useRef<HTMLDivElement>(null)
  const [noteGraph] = useState(() => (graph: HTMLElement | null) => {
    if (graph) startTransition(() => setDrawn('graph'))
  })
  if (view !== 'graph' && drawn !== view) setDrawn(view)
  const { selected, via, hasSelected, showsAllLines } = shown
  const [first] = failing
  const isGraph = view === 'graph' && build !== undefined
  const leaving = isGraph && drawn === 'log' && (build.stages?.length ?? 0) > manyStages
  return (
    <div ref={box} data-build={build && number} className="relative flex min-h-0 flex-1 flex-col max-md:min-h-72">
      {(view === 'log' || !build || leaving) && (
        <Layer leaving={leaving}>
          <LogView
            {...{ namespace, name, number, build, selected, via, failing, showsAllLines, consoleOpen }}
            onEnd={shown.onEnd}
            onOpen={onOpen}
            onClose={() => {
              shown.onLogGone()
              onClose()
            }}
          />
        </Layer>
      )}
      {view === 'timeline' && build && (
        <ErrorBoundary region="The timeline" resetKey={`${number}`}>
          <Suspense fallback={<LoadingText text="Loading the timeline" />}>
            <TimelineView namespace={namespace} name={name} build={build} />
          </Suspense>
        </ErrorBoundary>
      )}
      {isGraph && (
        <div ref={noteGraph} className="relative flex min-h-0 flex-1 flex-col">
          <ErrorBoundary region="The graph" resetKey={`${number}`}>
            <Suspense fallback={<GraphSkeleton />}>
              <GraphView
                namespace={namespace}
                name={name}
                build={build}
                stage={selected.stage}
                step={selected.step}
                failing={first && { stage: first.stage.number, ...(first.step && { step: first.step.number }) }}
                sizeNow={() => sizeOf(box.current, number)}
                whole={showsAllLines}
                onEnd={shown.onEnd}
                onShowLog={onShowLog}
              />
            </Suspense>
          </ErrorBoundary>
        </div>
      )}
      {build && hasSelected && !isDone(build.status) && (
        <FollowButton onFollow={shown.follow} className={isGraph ? 'left-1/2 -translate-x-1/2' : 'left-4'} />
      )}
    </div>
  )
}
