import type { Build } from '@flightdeck/api'
import { useQuery } from '@tanstack/react-query'

import { fixedQueryOf } from '../../api/own-client.ts'
import { useCapability } from '../../api/capabilities.ts'
import { useNow } from '../../browser/clock.ts'
import { remainingTimeText } from './usual-time.ts'

/**
 * The estimated remaining time of a running build, as a range. Partial reruns have none, because
 * they cannot be compared.
 */
export function RemainingTime({ namespace, name, build }: { namespace: string; name: string; build: Build }) {
  const own = useCapability('usual_times')
  const tells = build.status === 'running' && build.started > 0 && !build.again
  const { data: times } = useQuery({
    ...fixedQueryOf('getUsualTimes', namespace, name, build.number),
    enabled: own && tells,
  })
  const usual = tells ? times?.build : undefined
  const now = useNow(usual ? 'second' : 'never')
  if (!usual) return null
  // Only if it fits on its line: nothing below must move when the response arrives.
  return <span className="text-muted max-xl:sr-only"> · {remainingTimeText(now - build.started, usual)}</span>
}
