import type { Build, Query } from '@flightdeck/api'

import { moveFocusOnRemoval } from '../../../browser/move-focus-on-removal.ts'
import { formatNumber, plural } from '../../../lib/text.ts'
import { Button } from '../../../ui/button.tsx'
import type { StepAddress } from '../step/step-address.ts'
import { formatDay } from './day.ts'
import { sinceOf, type MultiLogScope, type HitTimes, type Since } from './multi-log-search.ts'
import { FoundInStep } from './found-steps.tsx'
import { useMultiLogSearch, type MultiLogSearchView } from './use-multi-log-search.ts'

/** "The last 50 builds of the repository." */
const maxBuilds = 50

const summary = ({ found, done, total, of, unread, over, running, error }: MultiLogSearchView): string => {
  const count = found.reduce((sum, step) => sum + step.count, 0)
  const parts = [
    `${plural(count, 'result', 'results')} in ${plural(found.length, 'step', 'steps')}`,
    !over && total > 1 && `${formatNumber(done)} of ${formatNumber(total)} ${of} searched…`,
    !over && total <= 1 && 'Searching…',
    over && error !== undefined && error,
    over && error !== undefined && total > 1 && `${formatNumber(done)} of ${formatNumber(total)} ${of} searched`,
    unread > 0 && `${plural(unread, 'log is', 'logs are')} unavailable`,
    running > 0 &&
      `${plural(running, 'step is', 'steps are')} still running and ${running === 1 ? 'was' : 'were'} not searched`,
  ]
  return parts.filter((part) => part !== false).join(' · ')
}

const sinceWords = ({ build, earlier, builds }: Since): string => {
  const facts = [build.created > 0 && formatDay(build.created), build.author].filter(Boolean).join(', ')
  const where = `#${build.number}${facts && ` (${facts})`}`
  const often = builds > 1 ? `; found in ${formatNumber(builds)} builds` : ''
  if (earlier === 'no') return `First seen in ${where}${often}`
  if (earlier === 'searching') return `First seen so far in ${where}${often}`
  return `First seen in ${where} or earlier (older builds were not searched)${often}`
}

export interface MultiLogResultsProps {
  address: StepAddress
  build: Build | undefined
  query: Query
  scope: MultiLogScope
  times: HitTimes
  /** The element that had the focus is removed. */
  onRemoved: () => void
}

/** The hits in all steps of the build, or of the last builds. */
export function MultiLogResults({ address, build, query, scope, times, onRemoved }: MultiLogResultsProps) {
  const view = useMultiLogSearch(address, build, query, scope)
  const since = sinceOf(view, maxBuilds)
  return (
    <section
      data-search
      aria-label="Search results"
      className="flex max-h-2/5 shrink-0 flex-col border-b border-line bg-surface"
    >
      <div className="flex min-h-9 items-center gap-2 px-3 py-1 text-sm">
        <p role="status" className="min-w-0 flex-1 text-muted">
          {since && <strong className="block font-medium text-ink">{sinceWords(since)}</strong>}
          {summary(view)}
        </p>
        {!view.over && (
          <Button ref={moveFocusOnRemoval(onRemoved)} size="sm" onClick={view.interrupt}>
            Stop
          </Button>
        )}
      </div>
      <ul className="min-h-0 overflow-y-auto pb-1">
        {view.found.map((step) => (
          <FoundInStep
            key={`${step.address.build}/${step.address.stage}/${step.address.step}`}
            step={step}
            current={address}
            times={times}
          />
        ))}
      </ul>
    </section>
  )
}
