import { plural } from '../../lib/text.ts'
import type { Build, Stage } from '@flightdeck/api'
import { startTransition, useCallback, useRef, useState } from 'react'

import { useNarrow } from '../../browser/use-narrow.ts'
import { useResize } from '../../browser/use-resize.ts'
import { criticalPath } from '../../lib/critical-path.ts'
import { paths } from '../../lib/paths.ts'
import { reasonOf } from '../../lib/reason.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { barSize, firstSize, Splitter } from '../../ui/splitter.tsx'
import { Graph } from './graph.tsx'
import { GraphChoice } from './graph-choice.tsx'
import type { Size } from './layout/camera.ts'
import { StepDrawer } from './step-drawer.tsx'
import { useGraphAddress, type Drawer } from './use-graph-address.ts'

export interface GraphViewProps {
  namespace: string
  name: string
  build: Build
  stage: number
  step: number
  /** The stage or step that failed first, which is selected if the URL names no stage. */
  failing: { stage: number; step?: number } | undefined
  /** The size of the view that contains this one, if there is one. */
  sizeNow: () => Size | undefined
  /** Shows all lines of the log. */
  whole: boolean
  /** The user has scrolled away from the end of the log, or has returned to it. */
  onEnd: (atEnd: boolean) => void
  onShowLog: () => void
}

/** Specification §2: "minimum 190, maximum height minus 190, default half". */
const minPane = 190
/** The drawer's width next to the graph: a third of it, within these limits. */
const minDrawerWidth = 320
const maxDrawerWidth = 560

function NoSteps({ stage }: { stage: Stage | undefined }) {
  const reason = stage && reasonOf(stage)
  return <EmptyState title="It looks a little empty here!" message={reason?.text ?? 'This stage has no steps yet.'} />
}

/**
 * How many frames to wait for the node: on a phone the graph is rendered again when the drawer
 * closes.
 */
const maxFrames = 120

/** Moves focus to the node that the drawer was about, after the drawer has closed. */
const focusChosen = (view: HTMLElement | null, of: Drawer, frames = maxFrames): void => {
  const name = of === 'stage' ? 'Stage graph' : 'Step graph'
  const node = view?.querySelector<HTMLElement>(`[aria-label="${name}"] [aria-current=true]`)
  if (node) node.focus({ preventScroll: true })
  else if (view?.isConnected && frames > 0) requestAnimationFrame(() => focusChosen(view, of, frames - 1))
}

/** The sizes of the two panes before anybody has moved the splitter. */
const panesOf = ({ width, height }: Size): { upper: Size; lower: Size } => {
  const upper = firstSize(height, minPane)
  return { upper: { width, height: upper }, lower: { width, height: height - upper - barSize } }
}

/** The stages above, the steps of the selected stage below; on a phone one of the two. */
export function GraphView({ namespace, name, build, sizeNow, whole, onEnd, onShowLog, ...props }: GraphViewProps) {
  const view = useRef<HTMLDivElement>(null)
  const narrow = useNarrow()
  const home = paths.build(namespace, name, build.number)
  const address = useGraphAddress(home, props.stage)
  const { drawer } = address
  const { stage, step = 1 } = (address.named === 0 && props.failing) || props
  // Only for the first frame: later the user can have moved the splitter.
  const [known, setKnown] = useState(() => (narrow && drawer ? undefined : sizeNow()))
  const [width, setWidth] = useState(known?.width ?? 0)
  useResize(
    view,
    ({ clientWidth }) => {
      setWidth(clientWidth)
      startTransition(() => setKnown(undefined))
    },
    { known: known !== undefined },
  )
  const drawerWidth = Math.round(Math.min(maxDrawerWidth, Math.max(minDrawerWidth, width / 3)))
  const covered = drawer && !narrow ? Math.min(drawerWidth, width) : 0
  const stageHref = useCallback((number: number) => `${home}/${number}/1?view=graph&drawer=stage`, [home])
  const stepHref = useCallback((number: number) => `${home}/${stage}/${number}?view=graph&drawer=step`, [home, stage])
  const stages = build.stages ?? []
  const current = stages.find((candidate) => candidate.number === stage)
  const steps = current?.steps ?? []
  if (stages.length === 0) return <EmptyState title="It looks a little empty here!" />
  const common = { follows: address.follows, covered }
  const panes = known && !narrow ? panesOf(known) : undefined
  const stageGraph = (
    <Graph
      {...common}
      label="Stage graph"
      title={plural(stages.length, 'stage')}
      items={stages}
      holdsUp
      created={build.created}
      known={panes?.upper}
      selected={stage}
      isNamed={address.named >= 1}
      place={address.stages}
      onPlace={(place) => address.keep({ stages: place || undefined })}
      hrefOf={stageHref}
      onChoose={(number) => address.choose('stage', number, 1)}
    />
  )
  const stepGraph =
    steps.length === 0 ? (
      <NoSteps stage={current} />
    ) : (
      <Graph
        {...common}
        key={stage}
        label="Step graph"
        title={`${plural(steps.length, 'step')}${current ? ` of ${current.name}` : ''}`}
        items={steps}
        known={panes?.lower}
        holdsUp={criticalPath(stages).has(stage)}
        selected={step}
        isNamed={address.named >= 2}
        place={address.steps}
        onPlace={(place) => address.keep({ steps: place || undefined })}
        hrefOf={stepHref}
        onChoose={(number) => address.choose('step', stage, number)}
      />
    )
  const close = () => {
    const isInside = document.activeElement?.closest('[role=dialog]')
    address.close()
    if (drawer && (isInside || narrow)) requestAnimationFrame(() => focusChosen(view.current, drawer))
  }
  const info = drawer && (
    <StepDrawer
      address={{ namespace, name, build: build.number, stage, step }}
      build={build}
      stage={current}
      step={steps.find((candidate) => candidate.number === step)}
      whole={whole}
      onEnd={onEnd}
      width={narrow ? undefined : covered}
      onClose={close}
      onShowLog={onShowLog}
    />
  )
  return (
    <div ref={view} className="relative flex min-h-0 flex-1 flex-col overflow-hidden">
      {narrow && drawer ? (
        // The node that the drawer is about stays visible above it; the other graph shrinks.
        <>
          <div className="shrink-0" style={{ height: '40%' }}>
            {drawer === 'stage' ? stageGraph : stepGraph}
          </div>
          {info}
        </>
      ) : narrow ? (
        <>
          <GraphChoice
            chosen={address.one}
            steps={current && `Steps of ${current.name}`}
            onChoose={(choice) => address.keep({ graph: choice === 'step' ? 'steps' : undefined })}
          />
          <div className="flex min-h-0 flex-1 flex-col">{address.one === 'stage' ? stageGraph : stepGraph}</div>
        </>
      ) : (
        <>
          <Splitter
            label="Height of the stage graph"
            orientation="vertical"
            min={minPane}
            known={known?.height}
            first={stageGraph}
            second={stepGraph}
          />
          {info}
        </>
      )}
    </div>
  )
}
