/**
 * A report whose response was lost (broken connection, server restart) is sent again with the same
 * version. It is not stale: it gets the same response and changes nothing. Any other repetition is
 * refused.
 */
import { countEntries, createLruCache } from '../../lib/cache.ts'
import type { Stage, Step } from '@flightdeck/api'

type Kind = 'stage' | 'step'
type Reported = Pick<Stage & Step, 'id' | 'version' | 'status' | 'exit_code'>

export interface ReportDedupe {
  /** The response with this state may not have reached the runner. */
  add(kind: Kind, known: { id: number; version: number }): void
  /** Whether a report is a repetition whose response was lost. */
  matches(kind: Kind, known: Reported, report: Reported): boolean
}

/** More lost responses at a time are not accidental. */
const maxReports = 10_000

export function createReportDedupe(): ReportDedupe {
  const versions = createLruCache<number>({ maxSize: maxReports, sizeOf: countEntries })
  return {
    add(kind, { id, version }) {
      versions.set(`${kind} ${id}`, version)
    },
    matches: (kind, known, report) =>
      versions.peek(`${kind} ${known.id}`) === known.version &&
      report.version + 1 === known.version &&
      report.status === known.status &&
      report.exit_code === known.exit_code,
  }
}
