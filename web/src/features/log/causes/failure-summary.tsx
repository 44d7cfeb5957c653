import { firstLine, type Step } from '@flightdeck/api'
import { useQuery } from '@tanstack/react-query'
import { ChevronRight } from 'lucide-react'
import { useState, type ReactNode } from 'react'

import { usePreference } from '../../../browser/preference.ts'
import { paths } from '../../../lib/paths.ts'
import { cx } from '../../../ui/class-names.ts'
import { Link } from '../../../ui/link.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { StatusIcon } from '../../../ui/status-icon.tsx'
import { StepHistory } from '../../history/index.ts'
import type { StepAddress } from '../step/step-address.ts'
import { explainsStep, type FailedStage } from '../step/stage-error.ts'
import { Excerpt, Line, type WithoutCause } from './excerpt.tsx'
import { causesQuery, exitCodeOf } from './cause-query.ts'
import { FailedSentence } from './failed-sentence.tsx'

export interface FailedStep {
  stage: FailedStage & { number: number }
  /** Missing if the stage failed but none of its steps did. */
  step: Step | undefined
}

export interface FailureSummaryProps {
  namespace: string
  name: string
  build: number
  /** Earliest first. */
  failed: readonly FailedStep[]
  /**
   * The step whose console is open, which reads its log itself. Undefined while no console is open.
   */
  shown: { stage: number; step: number } | undefined
  /** The changes, at the end of the row, which has `data-open` while the panel is open. */
  changed: ReactNode
}

/** Further steps are shown, and their logs read, only on request. */
const fewSteps = 2

const mutedButtonClass = 'text-sm text-muted hover:text-ink touch:min-h-11 touch:min-w-11'

const addressOf = ({ namespace, name, build }: FailureSummaryProps, { stage, step }: FailedStep): StepAddress => ({
  namespace,
  name,
  build,
  stage: stage.number,
  step: step?.number ?? 1,
})

const hrefOf = ({ namespace, name, build, stage, step }: StepAddress): string =>
  paths.build(namespace, name, build, stage, step)

/** Not the wording of the console footer: that is the specification's and appears only there. */
const endOf = ({ stage, step }: FailedStep): string =>
  step?.status === 'failure' ? `exit ${step.exit_code}` : (step ?? stage).status

/** The error reported by the server or the runner, which is not in the log. */
const errorOf = ({ stage, step }: FailedStep): string | undefined =>
  step?.error || (explainsStep(stage, step) || !step ? stage.error : undefined) || undefined

/** The causes of a failed step. Nothing is fetched if its console is on the page. */
const useFailure = (props: FailureSummaryProps, failed: FailedStep) => {
  const { step } = failed
  const { shown } = props
  const isShown = shown !== undefined && shown.stage === failed.stage.number && shown.step === step?.number
  const address = addressOf(props, failed)
  const { data, isError } = useQuery({
    ...causesQuery(address, exitCodeOf(step)),
    enabled: step !== undefined && !isShown,
  })
  // A guess is only the last line, which is visible at the end of the log anyway.
  const causes = data && 'causes' in data ? data.causes.filter(({ guess }) => !guess) : []
  const href = hrefOf(address)
  const loading = step !== undefined && data === undefined && !isError
  const error = errorOf(failed)
  const without =
    data && 'tooLong' in data ? 'The log is too long to scan here. Open it to see why.' : 'No error line was found.'
  return { causes, href, loading, without: { error, text: error ?? without } }
}

function StepLink({ one, href }: { one: FailedStep; href: string }) {
  return (
    <span className="flex min-w-0 shrink-0 items-center gap-2">
      <StatusIcon status={(one.step ?? one.stage).status} />
      <Link href={href} className="max-w-60 min-w-6 truncate font-medium hover:underline touch:py-3">
        {(one.step ?? one.stage).name}
      </Link>
      <span className="text-sm whitespace-nowrap text-muted">{endOf(one)}</span>
    </span>
  )
}

/** One row: why there is no error line. */
const Without = ({ without }: { without: WithoutCause }) => (
  <span className={cx('min-w-0 truncate text-sm', without.error === undefined ? 'text-muted' : 'font-mono')}>
    {firstLine(without.text)}
  </span>
)

/** One row: the step, how it ended, and its most relevant error line. */
function StepRow({ one, ...props }: FailureSummaryProps & { one: FailedStep }) {
  const { causes, href, loading, without } = useFailure(props, one)
  const [first] = causes
  return (
    <li className="flex h-6 min-w-0 items-center gap-3 touch:h-11">
      <StepLink one={one} href={href} />
      {loading && <Skeleton className="h-4 w-48" />}
      {first && (
        <Link
          href={`${href}#L${first.number}`}
          className="min-w-0 truncate font-mono text-sm hover:underline touch:py-3"
        >
          {first.text.trim()}
        </Link>
      )}
      {!loading && !first && <Without without={without} />}
      <span className="flex-1" />
      {one.step && <StepHistory of={one.step.name} at={addressOf(props, one)} />}
    </li>
  )
}

/**
 * Below the header of a failed build: one row with a sentence about the failure, which opens the
 * error lines of each step and the changes.
 */
export function FailureSummary(props: FailureSummaryProps) {
  const { failed } = props
  const [state, setState] = usePreference('build.why', ['closed', 'open'])
  const [first] = failed
  if (!first) return null
  const open = state === 'open'
  return (
    <section aria-label="What failed" className="shrink-0 border-b border-line bg-surface px-3 md:px-5">
      <Failure {...props} one={first} open={open} onOpen={() => setState(open ? 'closed' : 'open')} />
    </section>
  )
}

interface FailureProps extends FailureSummaryProps {
  one: FailedStep
  open: boolean
  onOpen: () => void
}

/**
 * A sentence about the step that failed first; when open, its error line with context, and the
 * other steps.
 */
function Failure({ one, open, onOpen, ...props }: FailureProps) {
  const panel = useFailure(props, one)
  const { causes, loading, without } = panel
  const more = props.failed.length - 1
  return (
    <>
      <div data-open={open || undefined} className="group flex flex-wrap items-center gap-x-4">
        {/* The height is fixed, even while the log is read, so that nothing below moves. */}
        <h2 className="min-w-0 flex-1">
          <button
            type="button"
            aria-expanded={open}
            title="Show what failed and what changed"
            className="flex h-9 w-full min-w-0 items-center gap-1.5 text-left max-md:h-14 touch:min-h-11"
            onClick={onOpen}
          >
            <ChevronRight
              aria-hidden="true"
              className={cx('size-4 shrink-0 text-muted transition-transform', open && 'rotate-90')}
            />
            <FailedSentence
              name={(one.step ?? one.stage).name}
              end={endOf(one)}
              cause={causes[0]}
              error={without.error}
              loading={loading}
            />
            {more > 0 && <span className="shrink-0 text-sm text-muted">+{more} more</span>}
          </button>
        </h2>
        {one.step && (
          <span className="flex max-w-72 min-w-0 max-lg:hidden">
            <StepHistory of={one.step.name} at={addressOf(props, one)} />
          </span>
        )}
        {props.changed}
      </div>
      {open && <Panel {...props} {...panel} one={one} />}
    </>
  )
}

/** The error lines of the first step, and the other steps. */
function Panel({
  one,
  causes,
  href,
  loading,
  without,
  ...props
}: FailureSummaryProps & ReturnType<typeof useFailure> & { one: FailedStep }) {
  const [more, setMore] = useState(false)
  const [all, setAll] = useState(false)
  const [cause] = causes
  const causeLines = new Set(causes.map(({ number }) => number))
  // Lines next to the first one are already marked there.
  const beside = new Set([cause, ...(cause?.before ?? []), ...(cause?.after ?? [])].map((line) => line?.number))
  const lines = causes.filter(({ number }) => !beside.has(number))
  const others = props.failed.slice(1)
  const rows = all ? others : others.slice(0, fewSteps)
  return (
    <div className="pb-1">
      <div className="flex h-6 min-w-0 items-center gap-3 touch:h-11">
        <StepLink one={one} href={href} />
        <span className="flex-1" />
        {one.step && (
          <span className="flex min-w-0 lg:hidden">
            <StepHistory of={one.step.name} at={addressOf(props, one)} />
          </span>
        )}
        {lines.length > 0 && (
          <button
            type="button"
            aria-expanded={more}
            className={cx(mutedButtonClass, 'shrink-0 whitespace-nowrap')}
            onClick={() => setMore(!more)}
          >
            {more ? 'Less' : `+${lines.length} more`}
          </button>
        )}
      </div>
      <Excerpt {...{ cause, causeLines, loading, without, href }} />
      {more && (
        <div className="max-h-27 overflow-y-auto">
          {lines.map((line) => (
            <Line key={line.number} line={line} isCause href={href} />
          ))}
        </div>
      )}
      {others.length > 0 && (
        <ul className={cx(all && 'max-h-36 overflow-y-auto touch:max-h-66')}>
          {rows.map((other) => (
            <StepRow key={`${other.stage.number}/${other.step?.number ?? ''}`} {...props} one={other} />
          ))}
        </ul>
      )}
      {rows.length < others.length && (
        <button type="button" className={cx(mutedButtonClass, 'h-6')} onClick={() => setAll(true)}>
          +{others.length - rows.length} more failed steps
        </button>
      )}
    </div>
  )
}
