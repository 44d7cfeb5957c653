/** The content and width of the timestamp column. */
import type { LineMoment } from '@flightdeck/api'

import type { LogStats } from '../engine/protocol.ts'
import type { HitTimes } from '../search/multi-log-search.ts'

/**
 * Since the step's log started, since the previous line, or time of day in the user's time zone.
 */
export const clocks = ['step', 'gap', 'day'] as const
export type LogClock = (typeof clocks)[number]

export const clockNames: Record<LogClock, string> = {
  step: 'Time since step start',
  gap: 'Time since previous line',
  day: 'Time of day',
}

/** `before`: the previous line, if there is one. */
export type TimedLine = LineMoment & { before?: LineMoment | undefined }

export interface LineTimes {
  /** The length of the longest time in characters. */
  width: number
  textOf: (line: TimedLine) => string
}

const inTenths = ({ time, tenth }: LineMoment): number | undefined =>
  tenth === undefined ? undefined : time * 10 + tenth
const seconds = (tenths: number): string => `${Math.floor(tenths / 10)}.${tenths % 10}`

const sinceStart = (view: LineMoment): string => {
  const tenths = inTenths(view)
  return `${tenths === undefined ? view.time : seconds(tenths)}s`
}

/**
 * Whole seconds if one of the two has no better precision. A line that arrived late can be older
 * than the one before it.
 */
const sinceBefore = (view: TimedLine): string => {
  const before = view.before ?? { time: 0, tenth: 0 }
  const [from, to] = [inTenths(before), inTenths(view)]
  if (from !== undefined && to !== undefined) return `+${seconds(Math.max(0, to - from))}s`
  return `+${Math.max(0, view.time - before.time)}s`
}

const two = (value: number): string => String(value).padStart(2, '0')
const clockOf = (date: Date): string => [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':')

/**
 * `began`: in Unix milliseconds; `started`: the start of the step in seconds, which every server
 * sends.
 */
const ofDay =
  (startedAt: number | undefined, started: number) =>
  (view: LineMoment): string => {
    const tenths = inTenths(view)
    if (startedAt === undefined || tenths === undefined)
      return clockOf(
        new Date((startedAt === undefined ? started + view.time : Math.floor(startedAt / 1000) + view.time) * 1000),
      )
    const at = new Date(startedAt + tenths * 100)
    return `${clockOf(at)}.${Math.floor(at.getMilliseconds() / 100)}`
  }

type Known = Pick<LogStats, 'lastTime' | 'tenths' | 'began'>

/**
 * `started`: when the step started, in Unix seconds; 0 if unknown, and then there is no time of
 * day.
 */
export const lineTimes = (clock: LogClock, { lastTime, tenths, began }: Known, started: number): LineTimes => {
  const fine = tenths ? 2 : 0
  if (clock === 'day' && (began !== undefined || started > 0))
    return { width: 'hh:mm:ss'.length + (began === undefined ? 0 : fine), textOf: ofDay(began, started) }
  const width = String(lastTime).length + fine + 's'.length
  if (clock === 'gap') return { width: width + 1, textOf: sinceBefore }
  return { width, textOf: sinceStart }
}

/**
 * The same for lines of other logs, which have no column; the texts are empty if the user hides
 * timestamps.
 */
export const timesOfHits = ({ times, clock }: { times: boolean; clock: LogClock }): HitTimes => ({
  name: clockNames[clock],
  textOf({ began, started }, { time, tenth, previous }) {
    const { textOf } = lineTimes(clock, { lastTime: 0, tenths: false, began }, started)
    return times ? textOf({ time, ...(tenth !== undefined && { tenth }), before: previous }) : ''
  },
})
