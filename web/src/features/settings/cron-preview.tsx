import { useQuery } from '@tanstack/react-query'

import { ownQueryOf } from '../../api/own-client.ts'
import { errorText } from '../../api/query-client.ts'
import { useCapability } from '../../api/capabilities.ts'
import { useDebounced } from '../../browser/use-debounced.ts'
import { readCron } from './cron-words.ts'
import { cronExpressionError } from './names.ts'

const formatIn = (zone: string | undefined): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short', ...(zone && { timeZone: zone }) })

const readersZone = (): string => formatIn(undefined).resolvedOptions().timeZone

function NextRuns({ times, zone }: { times: readonly number[]; zone: string }) {
  const own = readersZone()
  const zones = own === zone ? [zone] : [zone, own]
  return (
    <table className="text-sm tabular-nums self-start">
      <caption className="pb-1 text-left text-muted">Next runs</caption>
      <thead>
        <tr>
          {zones.map((each, index) => (
            <th key={each} scope="col" className="pr-8 text-left font-medium">
              {index === 0 ? 'Server' : 'You'} ({each})
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {times.map((time) => (
          <tr key={time}>
            {zones.map((each) => (
              <td key={each} className="pr-8">
                {formatIn(each).format(time * 1000)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const askAfterMs = 300

/** The meaning of an expression as text, and with Flightdeck its next runs. */
export function CronPreview({ expr }: { expr: string }) {
  const own = useCapability('cron_expressions')
  const requestedExpr = useDebounced(expr, askAfterMs)
  const isExpression = cronExpressionError(requestedExpr) === undefined
  const { data, error } = useQuery({
    ...ownQueryOf('getCronTimes', { expr: requestedExpr }),
    staleTime: 60_000,
    enabled: own && isExpression,
  })
  const reading = readCron(expr)
  if (cronExpressionError(expr) !== undefined) return null
  return (
    <div className="flex flex-col gap-2" aria-live="polite">
      {reading && <p>{reading}</p>}
      {requestedExpr === expr && error && <p className="text-sm text-danger">{errorText(error)}</p>}
      {requestedExpr === expr && data && data.times.length > 0 && <NextRuns {...data} />}
    </div>
  )
}
