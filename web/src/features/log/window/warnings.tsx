import { useState } from 'react'

import { formatNumber, plural } from '../../../lib/text.ts'
import { useNow } from '../../../browser/clock.ts'
import type { LogSnapshot } from '../source/log-snapshot.ts'

/**
 * The maximum output that Drone's runners keep per step, in bytes; beyond it live output stops
 * until the step ends (docs/api §7.8).
 */
const runnerLimit = 5_242_880
const silentSeconds = 5

/** The log exceeds the runner's limit, and nothing has arrived for a while. */
const useStoppedAtLimit = (streaming: boolean, bytes: number): boolean => {
  const atLimit = streaming && bytes >= runnerLimit * 0.98
  const now = useNow(atLimit ? 'second' : 'never')
  const [grown, setGrown] = useState({ bytes, at: 0 })
  if (atLimit && grown.bytes !== bytes) setGrown({ bytes, at: now })
  return atLimit && grown.at > 0 && now - grown.at >= silentSeconds
}

/** Warnings about an incomplete log: a truncated start, missing entries, a lost connection. */
export function Warnings({ log, streaming }: { log: LogSnapshot; streaming: boolean }) {
  const { stats, live } = log
  const stopped = useStoppedAtLimit(streaming, stats.bytes)
  const warnings = [
    stats.lines > 0 &&
      stats.first > 0 &&
      // While a step runs, the server keeps only its last 5,000 lines for late subscribers
      // (docs/api §4.5).
      (streaming
        ? `${plural(stats.first, 'earlier line is', 'earlier lines are')} not available live. The complete log will appear when the step finishes.`
        : `The runner dropped ${plural(stats.first, 'earlier line')}.`),
    streaming &&
      stats.missing > 0 &&
      `${plural(stats.missing, 'line is', 'lines are')} missing for now. The complete log will appear when the step finishes.`,
    streaming && live === 'cut' && 'Connection to the log lost. Reconnecting…',
    stopped &&
      `Live output stopped at the runner’s limit of ${formatNumber(runnerLimit)} bytes. The stored log will be available when the step finishes.`,
    log.phase === 'failed' && stats.lines > 0 && 'The saved log could not be loaded completely. Showing what arrived.',
  ].filter((warning) => warning !== false)
  return warnings.map((warning) => (
    <p key={warning} role="status" className="border-b border-line bg-warning-soft px-3 py-1 text-sm text-warning">
      {warning}
    </p>
  ))
}
