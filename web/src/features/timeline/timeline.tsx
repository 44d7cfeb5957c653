import type { Build, Stage, Step } from '@flightdeck/api'
import { useQuery } from '@tanstack/react-query'

import { fixedQueryOf } from '../../api/own-client.ts'
import { useCapability } from '../../api/capabilities.ts'
import { useNow } from '../../browser/clock.ts'
import { formatDuration } from '../../lib/duration.ts'
import { deviationOf, usualTimeFinder } from './usual-time.ts'

export { RemainingTime } from './remaining-time.tsx'

export interface StepUsualProps {
  namespace: string
  name: string
  build: Build
  stage: Stage
  step: Step
}

/** Next to the duration of a step: its usual duration, and the deviation from it. */
export function StepUsual({ namespace, name, build, stage, step }: StepUsualProps) {
  const { started = 0, stopped = 0, status } = step
  const own = useCapability('usual_times')
  const tells = started > 0 && status !== 'killed' && status !== 'skipped' && stage.taken_over === undefined
  const { data: times } = useQuery({
    ...fixedQueryOf('getUsualTimes', namespace, name, build.number),
    enabled: own && tells,
  })
  const usual = tells ? usualTimeFinder(times)(stage.name, step.name) : undefined
  const now = useNow(usual && stopped === 0 ? 'second' : 'never')
  if (!usual) return null
  const difference = deviationOf((stopped || now) - started, usual, stopped > 0)
  const range = `Its last ${usual.count} successful runs on this branch took ${formatDuration(usual.low)} to ${formatDuration(usual.high)}`
  return (
    <span title={range} className="flex gap-2 text-sm whitespace-nowrap tabular-nums">
      {difference && <span className="text-warning">{difference}</span>}
      <span className="text-muted max-lg:sr-only">usually {formatDuration(usual.median)}</span>
    </span>
  )
}
