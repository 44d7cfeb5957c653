import type { Build, Stage, Step } from '@flightdeck/api'
import { ChevronRight } from 'lucide-react'
import { useState } from 'react'

import { reasonOf, type Reason } from '../../lib/reason.ts'
import { paths } from '../../lib/paths.ts'
import { cx } from '../../ui/class-names.ts'
import { Duration } from '../../ui/duration.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Link } from '../../ui/link.tsx'
import { ReasonText } from '../../ui/reason.tsx'
import { LoadingText, Skeleton } from '../../ui/skeleton.tsx'
import { StatusIcon } from '../../ui/status-icon.tsx'
import type { FailingStep } from './failing-step.ts'
import { LeftOutSteps } from './left-out.tsx'
import { isExpandable } from './stage-rules.ts'

export interface StageNavProps {
  namespace: string
  name: string
  number: number
  build: Build | undefined
  stage: number
  step: number
  failing: FailingStep | undefined
  /** A step was pressed; on narrow screens its console opens. */
  onStep: () => void
}

const rowLook = 'flex min-h-9 w-full min-w-0 items-center gap-2 rounded-md px-2 py-0.5 text-left touch:min-h-11'
const chosenLook = 'bg-accent-soft text-ink'

function RowText({
  status,
  name,
  started,
  stopped,
  reason,
}: {
  status: string
  name: string
  reason?: Reason | undefined
  started?: number | undefined
  stopped?: number | undefined
}) {
  return (
    <>
      <StatusIcon status={status} />
      <span className="flex min-w-0 flex-1 flex-col">
        <span className="truncate" title={name}>
          {name}
        </span>
        {reason && (
          <span className="line-clamp-3 text-sm font-normal text-muted">
            <ReasonText reason={reason} />
          </span>
        )}
      </span>
      {started ? <Duration started={started} finished={stopped} className="text-sm text-muted" /> : null}
    </>
  )
}

function StepRow({
  step,
  href,
  chosen,
  failing,
  onStep,
}: {
  step: Step
  href: string
  chosen: boolean
  failing: boolean
  onStep: () => void
}) {
  const ran = step.status === 'skipped' ? {} : { started: step.started, stopped: step.stopped }
  const text = <RowText status={step.status} name={step.name} reason={reasonOf(step)} {...ran} />
  if (step.status === 'skipped')
    return (
      <span className={cx(rowLook, 'cursor-default text-muted')} aria-disabled="true">
        {text}
      </span>
    )
  return (
    <Link
      href={href}
      aria-current={chosen ? 'page' : undefined}
      className={cx(rowLook, chosen ? chosenLook : 'hover:bg-raised', failing && 'text-danger')}
      onClick={onStep}
    >
      {text}
    </Link>
  )
}

function StageRow(props: StageNavProps & { one: Stage }) {
  const { namespace, name, number, one, stage, step, failing, onStep } = props
  const inPath = one.number === stage
  // Expanded at first when it is the stage of the address, and again whenever the address comes back to it.
  const [toggled, setToggled] = useState<{ inPath: boolean; open: boolean }>()
  const open = toggled && toggled.inPath === inPath ? toggled.open : inPath || (toggled?.open ?? false)
  if (!isExpandable(one))
    return (
      <li>
        <Link
          href={paths.build(namespace, name, number, one.number)}
          aria-current={inPath ? 'page' : undefined}
          className={cx(rowLook, 'font-medium', inPath ? chosenLook : 'hover:bg-raised')}
          onClick={onStep}
        >
          <span className="size-4 shrink-0" />
          <RowText
            status={one.status}
            name={one.name}
            reason={reasonOf(one)}
            started={one.status === 'skipped' ? undefined : one.started}
            stopped={one.stopped}
          />
        </Link>
      </li>
    )
  const steps = (one.steps ?? []).toSorted((a, b) => a.number - b.number)
  return (
    <li>
      <button
        type="button"
        aria-expanded={open}
        className={cx(rowLook, 'font-medium hover:bg-raised')}
        onClick={() => setToggled({ inPath, open: !open })}
      >
        <ChevronRight
          aria-hidden="true"
          className={cx('size-4 shrink-0 text-muted transition-transform', open && 'rotate-90')}
        />
        <RowText
          status={one.status}
          name={one.name}
          reason={reasonOf(one)}
          started={one.started}
          stopped={one.stopped}
        />
      </button>
      {open && (
        <ul className="mb-1 ml-4 border-l border-line pl-2">
          {steps.map((each) => (
            <li key={each.number}>
              <StepRow
                step={each}
                href={paths.build(namespace, name, number, one.number, each.number)}
                chosen={inPath && each.number === step}
                failing={failing?.stage.number === one.number && failing.step?.number === each.number}
                onStep={onStep}
              />
            </li>
          ))}
          <LeftOutSteps stage={one} />
        </ul>
      )}
    </li>
  )
}

/** Specification §2, Log view: "a left navigation 'Pipeline stages' with a counter". */
export function StageNav(props: StageNavProps) {
  const { build } = props
  const stages = (build?.stages ?? []).toSorted((a, b) => a.number - b.number)
  return (
    <nav aria-label="Pipeline stages" className="flex h-full min-h-0 flex-col overflow-y-auto bg-canvas">
      <div className="flex min-h-11 items-center justify-between gap-2 px-4">
        <h2 className="font-medium">Pipeline stages</h2>
        {build && (
          <span className="text-sm text-muted tabular-nums">
            {stages.length} {stages.length === 1 ? 'stage' : 'stages'}
          </span>
        )}
      </div>
      {!build && (
        <div className="flex flex-col gap-2 px-4">
          <LoadingText text="Loading stages" />
          {['w-full', 'w-5/6', 'w-3/4'].map((width) => (
            <Skeleton key={width} className={`h-7 ${width}`} />
          ))}
        </div>
      )}
      {build && stages.length === 0 && <EmptyState title="It looks a little empty here!" />}
      <ul className="flex flex-col gap-0.5 px-2 pb-4">
        {stages.map((one) => (
          // Of another build it is another stage, which begins anew.
          <StageRow key={`${props.number} ${one.number}`} {...props} one={one} />
        ))}
      </ul>
    </nav>
  )
}
