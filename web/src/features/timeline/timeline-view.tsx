import { isDone, type Build, type UsualTimes } from '@flightdeck/api'
import { useQuery } from '@tanstack/react-query'

import { fixedQueryOf } from '../../api/own-client.ts'
import { useCapability } from '../../api/capabilities.ts'
import { useNow } from '../../browser/clock.ts'
import { focusPage } from '../../browser/page-focus.ts'
import { moveFocusOnRemoval } from '../../browser/move-focus-on-removal.ts'
import { formatDuration } from '../../lib/duration.ts'
import { paths } from '../../lib/paths.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Scroller } from '../../ui/scroller.tsx'
import { usePortion } from '../../ui/use-portion.tsx'
import { axisOf, barsOf, ticksOf } from './bars.ts'
import { TimelineAxis } from './timeline-axis.tsx'
import { TimelineRow } from './timeline-row.tsx'
import { remainingTimeText, usualTimeFinder } from './usual-time.ts'

import './timeline.css'

export interface TimelineViewProps {
  namespace: string
  name: string
  build: Build
}

const endWords = ({ status }: Build): string =>
  isDone(status) ? 'Critical stages determined the total time.' : 'Critical stages determine the total time so far.'

/** The remaining time of the build, or its usual duration. */
function Whole({ build, usual, now }: { build: Build; usual: UsualTimes['build']; now: number }) {
  if (!usual || build.again) return null
  const range = `${formatDuration(usual.low)} to ${formatDuration(usual.high)}`
  const left =
    build.status === 'running' && build.started > 0 ? `${remainingTimeText(now - build.started, usual)}. ` : ''
  return (
    <p className="pt-3 text-sm">
      {left}The last {usual.count} successful builds on this branch took {range}.
    </p>
  )
}

/**
 * Stages and steps as bars over the duration of the build, in a table that says the same as text.
 */
export function TimelineView({ namespace, name, build }: TimelineViewProps) {
  const now = useNow(isDone(build.status) ? 'never' : 'second') || build.finished
  const own = useCapability('usual_times')
  const { data: times } = useQuery({ ...fixedQueryOf('getUsualTimes', namespace, name, build.number), enabled: own })
  const usualOf = usualTimeFinder(times)
  const stageNames = new Map((build.stages ?? []).map((stage) => [stage.number, stage.name]))
  const bars = barsOf(build)
  const axis = axisOf(build, bars, now)
  const ticks = ticksOf(axis)
  const asks = bars.some(({ asked }) => asked > 0)
  const { visible, more } = usePortion(bars.length)
  if (bars.length === 0) return <EmptyState title="It looks a little empty here!" />
  return (
    <Scroller
      ref={moveFocusOnRemoval(focusPage)}
      className="px-4 py-3 pb-16 md:px-6"
      aria-label="Timeline"
      role="region"
    >
      <table className="timeline-table w-full">
        <caption className="pb-2 text-left text-sm text-muted">
          Time since the build was created (0–{formatDuration(axis.length)}). Dashed = waiting for a runner.
          {asks && ' Dotted = waiting for approval.'}
          {bars.some((bar) => bar.critical) && ` ${endWords(build)}`}
        </caption>
        <colgroup>
          <col className="timeline-name-column" />
          <col />
          {asks && <col className="timeline-wait-column" />}
          <col className="timeline-wait-column" />
          <col className="timeline-duration-column" />
          <col className="timeline-wait-column" />
        </colgroup>
        <thead className="text-sm text-muted">
          <tr>
            <th scope="col" className="py-1 text-left font-normal">
              Stage or step
            </th>
            <th scope="col" className="py-1 text-left font-normal">
              <span className="sr-only">Time</span>
              <TimelineAxis axis={axis} ticks={ticks} />
            </th>
            {asks && (
              <th scope="col" className="py-1 pl-3 text-right font-normal max-md:sr-only">
                Approval
              </th>
            )}
            <th scope="col" className="py-1 pl-3 text-right font-normal max-md:sr-only">
              Wait
            </th>
            <th scope="col" className="py-1 pl-3 text-right font-normal">
              Duration
            </th>
            <th scope="col" className="py-1 pl-3 text-right font-normal max-md:sr-only">
              Usually
            </th>
          </tr>
        </thead>
        <tbody>
          {bars.slice(0, visible).map((bar) => (
            <TimelineRow
              key={bar.key}
              bar={bar}
              axis={axis}
              ticks={ticks}
              asks={asks}
              href={`${paths.build(namespace, name, build.number, bar.stage, bar.step ?? 1)}?view=log`}
              usual={bar.kind === 'step' ? usualOf(stageNames.get(bar.stage) ?? '', bar.name) : undefined}
              from={paths.build(namespace, name, bar.reusedFrom ?? build.number)}
            />
          ))}
        </tbody>
      </table>
      {more && <div className="py-3">{more}</div>}
      {/* Below the table, so that nothing moves when the response arrives. */}
      {own && <Whole build={build} usual={times?.build} now={now} />}
    </Scroller>
  )
}
