/** What administrators see of the runners and of the queue. */
import { isDone, type ManagedRunnerState, type QueueItem, type RunnerState, type RunnersState } from '@flightdeck/api'
import type { Db } from '../../store/open.ts'
import { listQueueItems } from '../../store/queue-items.ts'
import { isPresent, type PollingRunner } from './runner-registry.ts'
import type { Reasons } from './waiting-reasons.ts'
import { needsOf } from './reason-texts.ts'

/** A longer list is not read; the answer says how many there are. */
const maxItems = 200

export interface RunnersOptions {
  db: Db
  reasons: Reasons
  managedRunner?: (() => ManagedRunnerState) | undefined
  isPaused: () => boolean
  /** Unix seconds. */
  now: () => number
  /** Ours: the built-in runner's. */
  version: string
}

/** Some user agents name their HTTP library; Go's default says nothing about the runner. */
const versionOf = (agent: string): string => (agent.startsWith('Go-http-client/') ? '' : agent)

/** The places that are known of other runners are those that they have shown. */
export async function runnersState({
  db,
  reasons,
  managedRunner,
  isPaused,
  now,
  version,
}: RunnersOptions): Promise<RunnersState> {
  const snapshot = await reasons.snapshot()
  const { items, total } = await listQueueItems(db, maxItems)
  const byStage = new Map(items.map((item) => [item.stage_id, item]))
  const stateOf = (runner: PollingRunner): RunnerState => ({
    builtin: runner.address === '',
    address: runner.address,
    machines: runner.machines,
    version: runner.address === '' ? version : versionOf(runner.agent),
    filter: needsOf(runner.filter),
    present: isPresent(runner),
    asked: now() - Math.round(runner.silenceMs / 1000),
    places: runner.slots,
    busy: runner.holds.length,
    runs: runner.holds.flatMap((id) => {
      const item = byStage.get(id)
      return item && !isDone(item.status) ? [item] : []
    }),
  })
  const queue = items.map((item): QueueItem => {
    const waiting = snapshot.reasons.get(item.stage_id)
    return item.status === 'pending' && waiting ? { ...item, waiting } : item
  })
  return {
    paused: isPaused(),
    runners: snapshot.runners.map(stateOf),
    queue,
    total,
    ...(managedRunner && { kept: managedRunner() }),
  }
}
