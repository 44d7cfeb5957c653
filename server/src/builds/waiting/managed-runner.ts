import type { ManagedRunnerState } from '@flightdeck/api'
import type { StageFilter } from '../../pipeline/stage-filter.ts'
import { presentMs, type PollingRunner } from './runner-registry.ts'

const labelsKey = (labels: StageFilter['labels']) =>
  JSON.stringify(Object.entries(labels ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1)))

const asksForThis = ({ filter }: PollingRunner, managed: ManagedRunnerState): boolean =>
  (filter.type || 'docker') === managed.filter.type &&
  (filter.arch || managed.filter.arch) === managed.filter.arch &&
  labelsKey(filter.labels) === labelsKey(managed.filter.labels)

/**
 * A runner that polled recently counts as present for a minute. The managed runner's state is
 * known: once it stops working, no stage waits for it. Other runners that currently poll for the
 * same stages still count.
 */
export function withoutManaged(runners: PollingRunner[], managed: ManagedRunnerState | undefined): PollingRunner[] {
  if (managed === undefined || managed.state === 'working') return runners
  const isKept = (runner: PollingRunner) =>
    runner.address !== '' && runner.machines.every((name) => name === managed.name) && asksForThis(runner, managed)
  return runners.map((runner) =>
    isKept(runner) && runner.silenceMs > 0
      ? { ...runner, silenceMs: Math.max(runner.silenceMs, presentMs), holds: [] }
      : runner,
  )
}
