import type { Stage, Step } from '@flightdeck/api'
import { ChevronRight } from 'lucide-react'
import { memo, useId, useState } from 'react'

import { reasonOf, unlessRepeated } from '../../lib/reason.ts'
import { paths } from '../../lib/paths.ts'
import type { Via } from '../../browser/navigation.tsx'
import { cx } from '../../ui/class-names.ts'
import { Link } from '../../ui/link.tsx'
import { isFailure, failedStage } from './failing-step.ts'
import { scrollRowIntoView } from './scroll-row-into-view.ts'
import { ExcludedSteps } from './excluded-steps.tsx'
import { selectedRowClass, rowClass, RowText } from './row-text.tsx'
import { isExpandable } from './stage-rules.ts'
import { usePortion } from '../../ui/use-portion.tsx'

/** A reused stage shows that, instead of why it ended in its original build. */
const stageReason = (stage: Stage, headerReason: string | undefined) =>
  typeof stage.taken_over === 'number'
    ? { text: `Reused from #${stage.taken_over}` }
    : unlessRepeated(reasonOf(stage), headerReason)

/** A failed step in a successful stage needs an explanation. */
const stepReason = (step: Step, headerReason: string | undefined) =>
  unlessRepeated(reasonOf(step), headerReason) ??
  (step.errignore && isFailure(step.status) ? { text: 'Failed (ignored)' } : undefined)

/**
 * Only values of this row, so that the others do not rerender: a build can have a thousand stages.
 */
export interface StageRowProps {
  namespace: string
  name: string
  number: number
  one: Stage
  /** The shown step of this stage; undefined if a different stage is shown. */
  shown: number | undefined
  /** How the row was opened. */
  via: Via | undefined
  /** The status reason in the page header; it is not repeated for each stage and step. */
  headerReason: string | undefined
  /** Called when a step is clicked; on narrow screens its console opens. */
  onStep: () => void
}

function StepRow({ one, step, ...row }: StageRowProps & { step: Step }) {
  const { namespace, name, number, shown, via, onStep } = row
  const ran = step.status === 'skipped' ? {} : { started: step.started, stopped: step.stopped }
  const text = <RowText status={step.status} name={step.name} reason={stepReason(step, row.headerReason)} {...ran} />
  const chosen = shown === step.number
  if (step.status === 'skipped')
    return (
      <span className={cx(rowClass, 'cursor-default text-muted')} aria-disabled="true">
        {text}
      </span>
    )
  return (
    <Link
      data-row
      ref={chosen ? scrollRowIntoView(via) : undefined}
      href={paths.build(namespace, name, number, one.number, step.number)}
      aria-current={chosen ? 'page' : undefined}
      className={cx(rowClass, chosen ? selectedRowClass : 'hover:bg-raised', failedStage(step) && 'text-danger')}
      onClick={onStep}
    >
      {text}
    </Link>
  )
}

/** A stage without visible steps: it is selectable as a whole. */
function ClosedStage({ one, ...row }: StageRowProps) {
  const { namespace, name, number, shown, via, onStep } = row
  const chosen = shown !== undefined
  return (
    <Link
      data-row
      ref={chosen ? scrollRowIntoView(via) : undefined}
      href={paths.build(namespace, name, number, one.number)}
      aria-current={chosen ? 'page' : undefined}
      className={cx(rowClass, 'font-medium', chosen ? selectedRowClass : 'hover:bg-raised')}
      onClick={onStep}
    >
      <span className="size-4 shrink-0" />
      <RowText
        status={one.status}
        name={one.name}
        reason={stageReason(one, row.headerReason)}
        started={one.status === 'skipped' ? undefined : one.started}
        stopped={one.stopped}
      />
    </Link>
  )
}

function Steps(props: StageRowProps) {
  const { one, shown } = props
  const steps = (one.steps ?? []).toSorted((a, b) => a.number - b.number)
  const { visible, more } = usePortion(
    steps.length,
    steps.findIndex((step) => step.number === shown),
  )
  return (
    <ul className="mb-1 ml-4 border-l border-line pl-2">
      {steps.slice(0, visible).map((step) => (
        <li key={step.number}>
          <StepRow {...props} step={step} />
        </li>
      ))}
      {more && <li className="p-2">{more}</li>}
      <ExcludedSteps stage={one} />
    </ul>
  )
}

export const StageRow = memo(function StageRow(props: StageRowProps) {
  const { one, shown, via } = props
  const inPath = shown !== undefined
  const reasonId = useId()
  const reason = stageReason(one, props.headerReason)
  // Initially expanded if the URL selects this stage, and again whenever the URL selects it again.
  const [toggled, setToggled] = useState<{ inPath: boolean; open: boolean }>()
  const open = toggled && toggled.inPath === inPath ? toggled.open : inPath || (toggled?.open ?? false)
  if (!isExpandable(one))
    return (
      <li>
        <ClosedStage {...props} />
      </li>
    )
  return (
    <li>
      <button
        type="button"
        data-row
        ref={inPath && !open ? scrollRowIntoView(via) : undefined}
        aria-expanded={open}
        aria-describedby={reason && reasonId}
        className={cx(rowClass, 'font-medium hover:bg-raised')}
        onClick={() => setToggled({ inPath, open: !open })}
      >
        <ChevronRight
          aria-hidden="true"
          className={cx('size-4 shrink-0 text-muted transition-transform', open && 'rotate-90')}
        />
        <RowText
          status={one.status}
          name={one.name}
          reason={reason}
          reasonId={reasonId}
          started={one.started}
          stopped={one.stopped}
        />
      </button>
      {open && <Steps {...props} />}
    </li>
  )
})
