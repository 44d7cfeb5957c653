import type { ManagedRunnerState } from '@flightdeck/api'
import type { StageFilter } from '../../pipeline/stage-filter.ts'
import { presentMs, type PollingRunner } from './runner-registry.ts'

const labelsKey = (labels: StageFilter['labels']) =>
  JSON.stringify(Object.entries(labels ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1)))

const asksForThis = ({ filter }: PollingRunner, kept: ManagedRunnerState): boolean =>
  (filter.type || 'docker') === kept.filter.type &&
  (filter.arch || kept.filter.arch) === kept.filter.arch &&
  labelsKey(filter.labels) === labelsKey(kept.filter.labels)

/**
 * A runner that polled recently counts as present for a minute. The managed runner's state is
 * known: once it stops working, no stage waits for it. Other runners that currently poll for the
 * same stages still count.
 */
export function withoutManaged(runners: PollingRunner[], kept: ManagedRunnerState | undefined): PollingRunner[] {
  if (kept === undefined || kept.state === 'working') return runners
  const isKept = (runner: PollingRunner) =>
    runner.address !== '' && runner.machines.every((name) => name === kept.name) && asksForThis(runner, kept)
  return runners.map((runner) =>
    isKept(runner) && runner.silence > 0
      ? { ...runner, silence: Math.max(runner.silence, presentMs), holds: [] }
      : runner,
  )
}
