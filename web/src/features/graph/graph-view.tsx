import type { Build } from '@flightdeck/api'
import { useCallback, useState } from 'react'

import { paths } from '../../lib/paths.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Splitter } from '../../ui/splitter.tsx'
import { Graph } from './graph.tsx'
import { StepDrawer } from './step-drawer.tsx'

export interface GraphViewProps {
  namespace: string
  name: string
  build: Build
  stage: number
  step: number
  onShowLog: () => void
}

/** Specification §2: "minimum 190, maximum height minus 190, default half". */
const leastPane = 190

/** The stages above, the steps of the chosen stage below. */
export function GraphView({ namespace, name, build, stage, step, onShowLog }: GraphViewProps) {
  const [open, setOpen] = useState(false)
  const show = () => setOpen(true)
  const close = useCallback(() => setOpen(false), [])
  const stages = build.stages ?? []
  const steps = stages.find((one) => one.number === stage)?.steps ?? []
  if (stages.length === 0) return <EmptyState title="It looks a little empty here!" />
  return (
    <div className="relative flex min-h-0 flex-1">
      <Splitter
        label="Height of the stage graph"
        orientation="vertical"
        min={leastPane}
        first={
          <Graph
            label="Stage graph"
            items={stages}
            selected={stage}
            hrefOf={(number) => `${paths.build(namespace, name, build.number, number, 1)}?view=graph`}
            onChoose={show}
          />
        }
        second={
          steps.length === 0 ? (
            <EmptyState title="It looks a little empty here!" message="This stage has no steps yet." />
          ) : (
            <Graph
              key={stage}
              label="Step graph"
              items={steps}
              selected={step}
              hrefOf={(number) => `${paths.build(namespace, name, build.number, stage, number)}?view=graph`}
              onChoose={show}
            />
          )
        }
      />
      {open && <StepDrawer step={steps.find((one) => one.number === step)} onClose={close} onShowLog={onShowLog} />}
    </div>
  )
}
