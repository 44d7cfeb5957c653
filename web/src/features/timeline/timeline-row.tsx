import type { UsualTime } from '@flightdeck/api'
import { memo, type ReactNode } from 'react'

import { useNow } from '../../browser/clock.ts'
import { formatDuration } from '../../lib/duration.ts'
import { cx } from '../../ui/class-names.ts'
import { Link } from '../../ui/link.tsx'
import { StatusIcon } from '../../ui/status-icon.tsx'
import { placeOn, type Axis, type Bar } from './bars.ts'
import { deviationOf } from './usual-time.ts'

const percent = (place: { left: number; width: number }) => ({ left: `${place.left}%`, width: `${place.width}%` })

const colours: Record<string, string> = {
  success: 'bg-success',
  failure: 'bg-danger',
  error: 'bg-danger',
  running: 'bg-warning',
}

/** Waiting is dashed or dotted, running is solid; the table's other columns say each as text. */
function Track({ bar, axis, now, ticks }: { bar: Bar; axis: Axis; now: number; ticks: readonly number[] }) {
  const waitPlace = bar.asked > 0 && placeOn(axis, bar.asked, bar.approved || now)
  const waited = bar.ready > 0 && placeOn(axis, bar.ready, bar.started || now)
  const ran = bar.started > 0 && placeOn(axis, bar.started, bar.stopped || now)
  return (
    <span aria-hidden="true" className="relative isolate block h-4 rounded-sm bg-raised">
      {waitPlace && <span className="timeline-waited" data-for="approval" style={percent(waitPlace)} />}
      {bar.reusedFrom === undefined && waited && <span className="timeline-waited" style={percent(waited)} />}
      {bar.reusedFrom === undefined && ran && (
        <span
          data-kind={bar.kind}
          className={cx('timeline-ran rounded-sm', colours[bar.status] ?? 'bg-inert')}
          style={percent(ran)}
        />
      )}
      {ticks.map((at) => (
        <span key={at} className="timeline-tick" style={{ left: `${(at / axis.length) * 100}%` }} />
      ))}
    </span>
  )
}

/** Only running bars rerender each second. */
function Live({ bar, axis, children }: { bar: Bar; axis: Axis; children: (now: number) => ReactNode }) {
  const isAsked = bar.asked > 0 && bar.approved === 0
  const isOn = (bar.started > 0 && bar.stopped === 0) || (bar.ready > 0 && bar.started === 0) || isAsked
  const now = useNow(isOn ? 'second' : 'never')
  return <>{children(Math.min(now, axis.begin + axis.length))}</>
}

const waitedOf = ({ ready, started }: Bar, now: number): string =>
  ready > 0 ? formatDuration((started || now) - ready) : '–'
const approvalOf = ({ asked, approved }: Bar, now: number): string =>
  asked > 0 ? formatDuration((approved || now) - asked) : '–'
const ranOf = ({ started, stopped }: Bar, now: number): string =>
  started > 0 ? formatDuration((stopped || now) - started) : '–'

export interface TimelineRowProps {
  bar: Bar
  axis: Axis
  /** The URL of its log. */
  href: string
  /** The build in which it ran, if that is a different one. */
  from: string
  usual: UsualTime | undefined
  /** In seconds from the start of the axis. */
  ticks: readonly number[]
  /** Stages of the build need approval, so there is a column for it. */
  asks: boolean
}

/** The duration as text, with its deviation from the usual one. */
function Ran({ bar, usual, now }: { bar: Bar; usual: UsualTime | undefined; now: number }) {
  const { started, stopped, reusedFrom } = bar
  const showsDifference = usual && started > 0 && reusedFrom === undefined && bar.status !== 'killed'
  const difference = showsDifference ? deviationOf((stopped || now) - started, usual, stopped > 0) : undefined
  return (
    <>
      {difference && <span className="timeline-difference text-sm text-warning">{difference}</span>}
      {ranOf(bar, now)}
    </>
  )
}

export const TimelineRow = memo(
  function TimelineRow({ bar, axis, href, from, usual, ticks, asks }: TimelineRowProps) {
    const isStage = bar.kind === 'stage'
    return (
      <tr className={isStage ? 'border-t border-line' : undefined}>
        <th scope="row" className={cx('py-1 pr-3 text-left', isStage ? 'font-medium' : 'timeline-indent font-normal')}>
          <span className="flex min-w-0 flex-wrap items-center gap-x-2 md:flex-nowrap">
            <StatusIcon status={bar.status} />
            <Link
              href={href}
              className="timeline-name min-w-0 truncate rounded-sm hover:underline touch:py-3"
              title={bar.name}
            >
              {bar.name}
            </Link>
            {bar.critical && (
              <span className="shrink-0 rounded-md bg-raised px-1.5 font-mono text-xs font-normal text-muted">
                critical
              </span>
            )}
          </span>
          {bar.reusedFrom !== undefined && isStage && (
            <span className="timeline-indent block text-sm font-normal text-muted">
              Reused from{' '}
              <Link href={from} className="rounded-sm text-accent underline">
                #{bar.reusedFrom}
              </Link>
            </span>
          )}
        </th>
        <td className="w-1/2 min-w-24 py-1">
          <Live bar={bar} axis={axis}>
            {(now) => <Track bar={bar} axis={axis} now={now} ticks={ticks} />}
          </Live>
        </td>
        <Live bar={bar} axis={axis}>
          {(now) => (
            <>
              {asks && (
                <td className="py-1 pl-3 text-right whitespace-nowrap text-muted tabular-nums max-md:sr-only">
                  {approvalOf(bar, now)}
                </td>
              )}
              <td className="py-1 pl-3 text-right whitespace-nowrap text-muted tabular-nums max-md:sr-only">
                {waitedOf(bar, now)}
              </td>
              <td className="py-1 pl-3 text-right whitespace-nowrap tabular-nums">
                <Ran bar={bar} usual={usual} now={now} />
              </td>
              <td className="py-1 pl-3 text-right whitespace-nowrap text-muted tabular-nums max-md:sr-only">
                {usual ? formatDuration(usual.median) : '–'}
              </td>
            </>
          )}
        </Live>
      </tr>
    )
  },
  // Bars are recreated with each event, and most are unchanged.
  (before, after) =>
    before.href === after.href &&
    before.usual === after.usual &&
    before.asks === after.asks &&
    before.axis.begin === after.axis.begin &&
    before.axis.length === after.axis.length &&
    JSON.stringify(before.bar) === JSON.stringify(after.bar),
)
