import type { Step } from '@flightdeck/api'
import { X } from 'lucide-react'
import type { ReactNode } from 'react'

import { hasData } from './layout/selectable.ts'
import { useListeners } from '../../browser/use-listeners.ts'
import { reasonOf } from '../../lib/reason.ts'
import { ReasonText } from '../../ui/reason.tsx'
import { Button } from '../../ui/button.tsx'
import { Duration } from '../../ui/duration.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { AbsoluteTime } from '../../ui/relative-time.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-sm text-muted">{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function Facts({ step }: { step: Step }) {
  return (
    <dl className="flex flex-col gap-3">
      <Fact name="Status">
        <StatusBadge status={step.status} />
      </Fact>
      {step.started ? (
        <Fact name="Started">
          <AbsoluteTime seconds={step.started} />
        </Fact>
      ) : null}
      {step.stopped ? (
        <Fact name="Finished">
          <AbsoluteTime seconds={step.stopped} />
        </Fact>
      ) : null}
      <Fact name="Duration">
        <Duration status={step.status} started={step.started} finished={step.stopped} />
      </Fact>
      {step.error && <Fact name="Error">{step.error}</Fact>}
    </dl>
  )
}

export interface StepDrawerProps {
  step: Step | undefined
  onClose: () => void
  onShowLog: () => void
}

/** What is known of the chosen step; stays beside the graph, which can be used meanwhile. */
export function StepDrawer({ step, onClose, onShowLog }: StepDrawerProps) {
  useListeners('document', {
    keydown: (event) => {
      if (event.key === 'Escape' && !event.defaultPrevented) onClose()
    },
  })
  const known = step && hasData(step.status)
  const reason = step && (step.waiting || step.ended) ? reasonOf(step) : undefined
  return (
    <div
      role="dialog"
      aria-label="Step info"
      className="absolute inset-y-0 right-0 z-20 flex w-80 max-w-full animate-appear flex-col gap-4 overflow-y-auto border-l border-line bg-surface p-4 shadow-overlay"
    >
      <header className="flex items-start gap-2">
        <h2 className="min-w-0 flex-1 text-lg font-semibold">{step?.name ?? 'Step'}</h2>
        <IconButton label="Close" side="left" onClick={onClose}>
          <X className="size-4" aria-hidden="true" />
        </IconButton>
      </header>
      {known ? <Facts step={step} /> : <p className="text-muted">Step data is unavailable</p>}
      {reason && (
        <p>
          <ReasonText reason={reason} />
        </p>
      )}
      {known && (
        <div>
          <Button onClick={onShowLog}>Show log</Button>
        </div>
      )}
    </div>
  )
}
