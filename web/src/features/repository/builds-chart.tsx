import { iconGroup, type Build, type IconGroup, type Repo } from '@flightdeck/api'
import { useState, type KeyboardEvent } from 'react'

import {
  barGap,
  chartBars,
  chartHeight,
  chartOf,
  isGrowing,
  minBarWidth,
  secondsOf,
  maxBarWidth,
  type Bar,
  type Chart,
} from './chart.ts'
import { formatDuration } from '../../lib/duration.ts'
import { paths } from '../../lib/paths.ts'
import { cx } from '../../ui/class-names.ts'
import { useNow } from '../../browser/clock.ts'
import { Link } from '../../ui/link.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'

const colours: Record<IconGroup, string> = {
  cross: 'bg-danger',
  dash: 'bg-inert',
  circle: 'bg-warning',
  tick: 'bg-success',
}

/** Scrolls a chart that is too wide for the screen to its newest builds. */
const toNewest = (box: HTMLElement | null): void => {
  if (box) box.scrollLeft = box.scrollWidth
}

const timeOf = (build: Build, now: number): string => {
  if (build.started <= 0) return 'not started'
  return build.finished > 0 || isGrowing(build) ? formatDuration(secondsOf(build, now)) : 'no duration'
}

const nameOf = ({ build, cut }: Bar, now: number): string =>
  `#${build.number} ${build.status} ${timeOf(build, now)}${cut ? ' (cut off in the chart)' : ''}`

/** The hovered bar, and the pointer's x position: pixels from the left of the chart area. */
interface Pointed {
  bar: Bar
  at: number
}

interface BarProps {
  bar: Bar
  repo: Repo
  now: number
  /** The one bar in the tab order (roving tabindex); arrow keys move from there. */
  isStop: boolean
  onPoint: (pointed: Pointed | undefined) => void
  onStop: (number: number) => void
}

function BarLink({ bar, repo, now, isStop, onPoint, onStop }: BarProps) {
  const { build, height, cut } = bar
  const point = ({ currentTarget }: { currentTarget: HTMLElement }) => {
    const { left, width } = currentTarget.getBoundingClientRect()
    const plot = currentTarget.closest('[data-plot]')?.getBoundingClientRect()
    onPoint({ bar, at: left + width / 2 - (plot?.left ?? 0) })
  }
  return (
    <li className="flex min-w-0 flex-1 first:ml-auto" style={{ minWidth: minBarWidth, maxWidth: maxBarWidth }}>
      <Link
        via="follow"
        tabIndex={isStop ? 0 : -1}
        href={paths.build(repo.namespace, repo.name, build.number)}
        aria-label={nameOf(bar, now)}
        className="group flex w-full items-end rounded-sm -outline-offset-2 hover:bg-raised"
        onPointerEnter={point}
        onPointerLeave={() => onPoint(undefined)}
        onKeyDown={moveFocus}
        onFocus={(event) => {
          point(event)
          onStop(build.number)
        }}
        onBlur={() => onPoint(undefined)}
      >
        <span
          className={cx(
            'relative block w-full overflow-hidden rounded-t-sm opacity-85 group-hover:opacity-100',
            colours[iconGroup(build.status)],
          )}
          style={{ height }}
        >
          {cut && <span data-cut className="absolute -inset-x-1 top-4 h-1.5 -rotate-12 bg-surface" />}
        </span>
      </Link>
    </li>
  )
}

/** Number, status and time of the hovered bar. The bar's accessible name contains the same. */
function BarTip({ pointed: { bar, at }, now }: { pointed: Pointed; now: number }) {
  const { build } = bar
  return (
    <p
      role="tooltip"
      aria-hidden="true"
      className="pointer-events-none absolute -top-1 z-10 flex -translate-x-1/2 -translate-y-full items-center gap-2 rounded-md bg-ink px-2 py-1 text-xs whitespace-nowrap text-canvas"
      // Keeps half of its width from the ends, so that nothing is clipped.
      style={{ left: `clamp(8rem, ${at}px, 100% - 8rem)` }}
    >
      <span>{`#${build.number} ${build.status} ${timeOf(build, now)}`}</span>
      <RelativeTime seconds={build.created} />
    </p>
  )
}

const steps: Readonly<Record<string, 'previousElementSibling' | 'nextElementSibling'>> = {
  ArrowLeft: 'previousElementSibling',
  ArrowRight: 'nextElementSibling',
}

/** Moves between the bars with arrow keys, and to the first and last with Home and End. */
const moveFocus = (event: KeyboardEvent<HTMLAnchorElement>): void => {
  const item = event.currentTarget.closest('li')
  const step = steps[event.key]
  const list = item?.parentElement
  const next = step
    ? item?.[step]
    : event.key === 'Home'
      ? list?.firstElementChild
      : event.key === 'End'
        ? list?.lastElementChild
        : undefined
  if (!next) return
  event.preventDefault()
  next.querySelector('a')?.focus()
}

/** In pixels: a line of the smallest text. */
const labelHeight = 16

/** The baseline and the median, over the whole width, behind the bars. */
function Lines({ median }: { median: Chart['median'] }) {
  const top = median && chartHeight - median.height
  return (
    <>
      <hr
        aria-hidden="true"
        data-line="base"
        className="absolute inset-x-0 border-line-strong"
        style={{ top: chartHeight }}
      />
      {median && (
        <>
          <hr
            aria-hidden="true"
            data-line="median"
            className="absolute inset-x-0 border-dashed border-line-strong"
            style={{ top }}
          />
          <p
            className="absolute left-0 w-28 truncate text-xs text-muted max-md:sr-only"
            // Below the line if there is no room above it, so that the line never crosses it.
            style={{ top: (top ?? 0) < labelHeight ? top : (top ?? 0) - labelHeight }}
          >
            {`Median ${formatDuration(median.seconds)}`}
          </p>
        </>
      )}
    </>
  )
}

/**
 * Durations of the last 50 builds, in the sizes of specification §9 (170 high, bars at least 8,
 * gaps 12). Bars are positioned from the right: a new build moves the others by exactly one bar.
 */
export function BuildsChart({ repo, builds }: { repo: Repo; builds: readonly Build[] }) {
  const running = builds.slice(0, chartBars).some(isGrowing)
  const now = useNow(running ? 'second' : 'never')
  const [pointed, setPointed] = useState<Pointed>()
  const [stop, setStop] = useState<number>()
  const { bars, median } = chartOf(builds, now)
  const newest = bars.at(-1)?.build.number
  const tabStop = bars.some(({ build }) => build.number === stop) ? stop : newest
  return (
    <section aria-label="Durations of the last builds" data-plot className="relative mx-4 my-2">
      <Lines median={median} />
      <div ref={toNewest} className="relative overflow-x-auto overflow-y-hidden md:ml-30">
        <ol
          className="flex items-stretch"
          style={{ height: chartHeight, gap: barGap, minWidth: bars.length * (minBarWidth + barGap) - barGap }}
        >
          {bars.map((bar) => (
            <BarLink
              key={bar.build.number}
              bar={bar}
              repo={repo}
              now={now}
              isStop={bar.build.number === tabStop}
              onPoint={setPointed}
              onStop={setStop}
            />
          ))}
        </ol>
      </div>
      {pointed && <BarTip pointed={pointed} now={now} />}
    </section>
  )
}
