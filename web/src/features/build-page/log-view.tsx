import type { Build, Stage, Step } from '@flightdeck/api'
import type { ReactNode } from 'react'

import { Dialog } from '../../ui/dialog.tsx'
import { ErrorBoundary } from '../../ui/error-boundary.tsx'
import { Splitter } from '../../ui/splitter.tsx'
import { Console, FailureSummary } from '../log/index.ts'
import type { Via } from '../../browser/navigation.tsx'
import { useCapability } from '../../api/capabilities.ts'
import { useNarrow } from '../../browser/use-narrow.ts'
import { statusReason } from '../../lib/reason.ts'
import { Excerpts } from './excerpts.tsx'
import { isToBlame, type FailingStep } from './failing-step.ts'
import type { StageOrStep } from './stage-or-step.ts'
import { WaitingReason } from './waiting-reason.tsx'
import { ChangedRow } from './changed/changed-row.tsx'
import { StageNav } from './stage-nav.tsx'
import { isAwaitingApproval } from './stage-rules.ts'
import { WaitingCommands } from './waiting-commands.tsx'

export interface LogViewProps {
  namespace: string
  name: string
  number: number
  build: Build | undefined
  selected: Required<StageOrStep>
  via: Via | undefined
  failing: readonly FailingStep[]
  /** Shows all lines of the log. */
  showsAllLines: boolean
  onEnd: (atEnd: boolean) => void
  /** Narrow screens only. */
  consoleOpen: boolean
  /** Must be a stable function. */
  onOpen: () => void
  onClose: () => void
}

/**
 * The error of a stage without a failed step is shown in that stage's own console, if it is open.
 */
const isShownElsewhere =
  (shown: number) =>
  ({ stage, step }: FailingStep): boolean =>
    step !== undefined || (Boolean(stage.error) && stage.number !== shown)

const isExplained = (...places: (Stage | Step | undefined)[]): boolean =>
  places.some((selected) => selected?.waiting ?? selected?.ended)

/**
 * The console of another step is a new element: if the previous one had the focus, the focus stays
 * on the page.
 */
const handFocusOn = (console: HTMLElement | null) => () => {
  if (console?.contains(document.activeElement)) console.parentElement?.focus()
}

function Pane({ of, above, children }: { of: string; above: ReactNode; children: ReactNode }) {
  return (
    <div tabIndex={-1} className="flex min-h-0 min-w-0 flex-1 flex-col outline-none">
      {above}
      <div key={of} ref={handFocusOn} className="flex min-h-0 min-w-0 flex-1 flex-col">
        {children}
      </div>
    </div>
  )
}

/**
 * Stages on the left, the console of the selected step on the right; below 768 px the console is a
 * full-screen modal.
 */
export function LogView(props: LogViewProps) {
  const { namespace, name, number, build, selected, via, failing, consoleOpen } = props
  const { stage, step } = selected
  const narrow = useNarrow()
  const hasCommands = useCapability('build_details')
  const currentStage = build?.stages?.find((candidate) => candidate.number === stage)
  const currentStep = currentStage?.steps?.find((candidate) => candidate.number === step)
  const nav = (
    <StageNav
      namespace={namespace}
      name={name}
      number={number}
      build={build}
      selected={selected}
      via={via}
      onStep={props.onOpen}
    />
  )
  // Remounts once the build has loaded: it adds content above the console, which would otherwise
  // shift.
  const key = `${namespace}/${name}/${number}/${stage}/${step}${build ? '' : ' loading'}`
  // The same for the content below the line of a failed build.
  const loaded = build ? 'loaded' : 'loading'
  // On a phone the console covers the page's header.
  const headerReason = build && !narrow ? statusReason(build)?.text : undefined
  const failedStep = failing
    .filter(isToBlame)
    .find((failingStep) => failingStep.stage.number === stage && failingStep.step?.number === step)
  const why = (
    <FailureSummary
      {...{ namespace, name }}
      build={number}
      failed={failing.filter(isToBlame).filter(isShownElsewhere(stage))}
      shown={narrow && !consoleOpen ? undefined : selected}
      changed={
        build &&
        failedStep?.step && (
          <ChangedRow
            key={key}
            at={{ namespace, name, build: number, stage, step }}
            build={build}
            step={failedStep.step}
          />
        )
      }
    />
  )
  // What an approval would run is shown where its log will be.
  const waiting = hasCommands && build && currentStage && isAwaitingApproval(build, currentStage)
  const console = (
    <Pane of={key} above={narrow && why}>
      <ErrorBoundary region="The log" resetKey={key}>
        <Console
          key={key}
          address={{ namespace, name, build: number, stage, step }}
          build={build}
          stage={currentStage}
          step={currentStep}
          whole={props.showsAllLines}
          onEnd={props.onEnd}
          onClose={narrow ? props.onClose : undefined}
          trailing={
            currentStage &&
            (waiting || currentStage.excerpts || isExplained(currentStage, currentStep)) && (
              <>
                {isExplained(currentStage, currentStep) && (
                  <WaitingReason stage={currentStage} step={currentStep} headerReason={headerReason} />
                )}
                <Excerpts of={currentStage} />
                {waiting && <WaitingCommands {...{ namespace, name, build }} current={currentStage.name} />}
              </>
            )
          }
        />
      </ErrorBoundary>
    </Pane>
  )
  if (!narrow)
    return (
      <>
        {why}
        <Splitter
          key={loaded}
          label="Width of the stages"
          orientation="horizontal"
          min={220}
          initial={300}
          first={nav}
          second={console}
        />
      </>
    )
  return (
    <>
      {!consoleOpen && why}
      <div key={loaded} className="min-h-0 flex-1">
        {nav}
      </div>
      <Dialog
        size="full"
        outlivesPage
        open={consoleOpen}
        onClose={props.onClose}
        title={currentStage?.name ? `#${number} · ${currentStage.name}` : `#${number}`}
      >
        <div className="flex h-full flex-col">{console}</div>
      </Dialog>
    </>
  )
}
