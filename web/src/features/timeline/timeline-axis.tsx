import { formatDuration } from '../../lib/duration.ts'
import type { Axis } from './bars.ts'

/** `30s`, `2m`, `1h 30m`: without parts that are zero. */
const shortly = (seconds: number): string => formatDuration(seconds).replace(/ 00[ms]/g, '')

/** The scale above the bars. The text of a mark near the end stays inside. */
export function TimelineAxis({ axis, ticks }: { axis: Axis; ticks: readonly number[] }) {
  return (
    <span aria-hidden="true" className="relative block h-4 text-xs tabular-nums">
      {ticks.map((at) => {
        const left = (at / axis.length) * 100
        return (
          <span
            key={at}
            className="timeline-mark"
            data-words={shortly(at)}
            data-end={left > 90 || undefined}
            style={{ left: `${left}%` }}
          />
        )
      })}
    </span>
  )
}
