import type { Build, Stage, Step } from '@flightdeck/api'
import { X } from 'lucide-react'
import type { ReactNode } from 'react'

import { hasData } from './layout/selectable.ts'
import { useListeners } from '../../browser/use-listeners.ts'
import { reasonOf } from '../../lib/reason.ts'
import { ReasonText } from '../../ui/reason.tsx'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/class-names.ts'
import { Duration } from '../../ui/duration.tsx'
import { ErrorBoundary } from '../../ui/error-boundary.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { AbsoluteTime } from '../../ui/relative-time.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { Console, type ConsoleProps } from '../log/index.ts'

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
    <dl className="flex flex-wrap gap-x-6 gap-y-1">
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
  address: ConsoleProps['address']
  build: Build
  stage: Stage | undefined
  step: Step | undefined
  whole: boolean
  onEnd: (atEnd: boolean) => void
  /**
   * The width beside the graph, in pixels; undefined below the graph, if there is not enough width.
   */
  width: number | undefined
  onClose: () => void
  onShowLog: () => void
}

/** In the layout below the graph, the node that had the focus is a different element. */
const takeFocus = (drawer: HTMLElement | null): void => drawer?.focus({ preventScroll: true })

/** Facts about the selected step, and its log. Stays next to the graph, which remains usable. */
export function StepDrawer({ address, build, stage, step, whole, onEnd, width, onClose, onShowLog }: StepDrawerProps) {
  useListeners('document', {
    keydown: (event) => {
      if (event.key === 'Escape' && !event.defaultPrevented) onClose()
    },
  })
  const known = step && hasData(step.status)
  const reason = step && (step.waiting || step.ended) ? reasonOf(step) : undefined
  const key = Object.values(address).join('/')
  const isBeside = width !== undefined
  return (
    <div
      role="dialog"
      aria-label="Step info"
      tabIndex={-1}
      ref={isBeside ? undefined : takeFocus}
      className={cx(
        'z-20 flex min-h-0 animate-appear flex-col border-line bg-surface outline-none',
        isBeside ? 'absolute inset-y-0 right-0 border-l shadow-overlay' : 'flex-1 border-t',
      )}
      style={{ width }}
    >
      <header className="flex shrink-0 items-center gap-2 py-1 pr-2 pl-4">
        <h2 className="min-w-0 flex-1 truncate text-base font-semibold">{step?.name ?? 'Step'}</h2>
        {known && <Button onClick={onShowLog}>Show log</Button>}
        <IconButton label="Close" side="left" onClick={onClose}>
          <X className="size-4" aria-hidden="true" />
        </IconButton>
      </header>
      <div className="shrink-0 px-4 pb-3">
        {known ? <Facts step={step} /> : <p className="text-muted">Step data is unavailable</p>}
        {reason && (
          <p>
            <ReasonText reason={reason} />
          </p>
        )}
      </div>
      {known && (
        <ErrorBoundary region="The log" resetKey={key}>
          <Console key={key} named {...{ address, build, stage, step, whole, onEnd }} />
        </ErrorBoundary>
      )}
    </div>
  )
}
