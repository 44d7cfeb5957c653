import { isDone, type Build, type Stage } from '@flightdeck/api'
import { useQuery } from '@tanstack/react-query'

import { queryOf } from '../../api/queries.ts'
import { useDelay } from '../../browser/use-delay.ts'
import { withoutWaiting } from '../../lib/reason.ts'

const allDone = (stage: Stage): boolean =>
  stage.status === 'running' && Boolean(stage.steps?.length) && (stage.steps ?? []).every((step) => isDone(step.status))

/** docs/api §9.6: a stage's own end is not told by an event, unless it ends the build. */
const stagesToAskFor = (build: Build | undefined): string =>
  (build?.stages ?? [])
    .filter(allDone)
    .map((stage) => `${stage.number}`)
    .join()

const askAfterMs = 1500

/** The build, kept true by live events, and read again when a stage must have ended without a word. */
export const useBuild = (namespace: string, name: string, number: number) => {
  const query = useQuery({ ...queryOf('getBuild', namespace, name, number), select: withoutWaiting })
  const silent = stagesToAskFor(query.data)
  useDelay(silent || undefined, askAfterMs, () => void query.refetch())
  return query
}
