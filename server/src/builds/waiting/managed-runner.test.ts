import type { ManagedRunnerState } from '@flightdeck/api'
import { describe, expect, it } from 'vitest'
import type { PollingRunner } from './runner-registry.ts'
import { queueReasons } from './scheduler-reasons.ts'
import { withoutManaged } from './managed-runner.ts'

const filter = { type: 'docker', os: 'linux', arch: 'amd64' }
const kept = (more: Partial<ManagedRunnerState> = {}): ManagedRunnerState => ({
  name: 'here-docker-1',
  image: 'drone/drone-runner-docker:1',
  state: 'failing',
  error: 'Nothing listens on /var/run/docker.sock',
  since: 1,
  filter,
  ...more,
})
const runner = (more: Partial<PollingRunner> = {}): PollingRunner => ({
  address: '172.18.0.2',
  filter: { kind: 'pipeline', ...filter },
  agent: '',
  machines: ['here-docker-1'],
  silenceMs: 10,
  slots: 2,
  holds: [7],
  ...more,
})

describe('the own runner that does not work', () => {
  it('is not there, however short ago it asked', () => {
    expect(withoutManaged([runner()], kept())).toMatchObject([{ silenceMs: 60_000, holds: [] }])
    expect(withoutManaged([runner({ machines: [] })], kept())).toMatchObject([{ holds: [] }])
  })
  it('is no other one', () => {
    const others = [
      runner({ machines: ['elsewhere'] }),
      runner({ silenceMs: 0 }),
      runner({ address: '' }),
      runner({ filter: { kind: 'pipeline', type: 'exec' } }),
      runner({ filter: { kind: 'pipeline', ...filter, labels: { zone: 'a' } } }),
    ]
    expect(withoutManaged(others, kept())).toEqual(others)
    expect(withoutManaged([runner()], kept({ state: 'working' }))).toEqual([runner()])
    expect(withoutManaged([runner()], undefined)).toEqual([runner()])
  })
  it('is what a stage waits for that it would take', () => {
    const stage = { id: 1, status: 'pending', machine: '', kind: 'pipeline', repo_id: 1, limit: 0, throttle: 0 }
    const reason = (more: object, runner?: ManagedRunnerState) => {
      const row = { ...stage, type: 'docker', os: 'linux', arch: 'amd64', name: 'a', ...more }
      const found = [...queueReasons({ paused: false, runners: [], stages: [row as never], managedRunner: runner })]
      return found.find((one) => one !== null)?.[1]?.text
    }
    expect(reason({}, kept())).toBe('Waiting for the Docker runner: Nothing listens on /var/run/docker.sock')
    expect(reason({}, kept({ state: 'starting' }))).toBe('Waiting for the Docker runner to start')
    for (const other of [{ arch: 'arm64' }, { type: 'ssh' }, { labels: { zone: 'a' } }])
      expect(reason(other, kept())).not.toContain('Docker runner')
    expect(reason({})).not.toContain('Docker runner')
  })
})
