import { describe, expect, it } from 'vitest'
import { matchesFilter, withinLimits } from './queue.ts'
import type { QueuedStage } from './queue.ts'

const stage = (id: number, more: Partial<QueuedStage> = {}): QueuedStage => ({
  id,
  repo_id: 1,
  name: 'default',
  kind: 'pipeline',
  type: 'docker',
  os: 'linux',
  arch: 'amd64',
  status: 'pending',
  ...more,
})

describe('matchesFilter', () => {
  it.each([
    [{}, true],
    [{ kind: 'pipeline', type: 'docker' }, true],
    [{ type: 'exec' }, false],
    [{ kind: 'other' }, false],
    [{ os: 'linux', arch: 'amd64' }, true],
    [{ os: 'linux' }, false],
    [{ os: 'linux', arch: 'arm64' }, false],
    [{ os: '', arch: '', variant: '', kernel: '', labels: {} }, true],
    [{ labels: { zone: 'a' } }, false],
  ])('%j → %s', (filter, expected) => expect(matchesFilter(stage(1), filter)).toBe(expected))

  it('compares variant and kernel only where the stage sets them', () => {
    const arm = stage(1, { arch: 'arm', variant: 'v7', kernel: '1809' })
    expect(matchesFilter(arm, { os: 'linux', arch: 'arm' })).toBe(false)
    expect(matchesFilter(arm, { os: 'linux', arch: 'arm', variant: 'v7', kernel: '1809' })).toBe(true)
    expect(matchesFilter(arm, {})).toBe(true)
    expect(matchesFilter(stage(1), { os: 'linux', arch: 'amd64', variant: 'v8' })).toBe(true)
  })

  it('needs the same labels on both sides', () => {
    const labelled = stage(1, { labels: { zone: 'a', disk: 'ssd' } })
    expect(matchesFilter(labelled, { labels: { disk: 'ssd', zone: 'a' } })).toBe(true)
    expect(matchesFilter(labelled, { labels: { zone: 'a' } })).toBe(false)
    expect(matchesFilter(labelled, {})).toBe(false)
  })
})

describe('withinLimits', () => {
  const limited = stage(5, { limit: 1 })
  it('counts older and running stages of the same name and repository', () => {
    expect(withinLimits(limited, [limited])).toBe(true)
    expect(withinLimits(limited, [stage(4), limited])).toBe(false)
    expect(withinLimits(limited, [stage(4, { name: 'other' }), stage(3, { repo_id: 2 })])).toBe(true)
    expect(withinLimits(limited, [stage(6)])).toBe(true)
    expect(withinLimits(limited, [stage(6, { status: 'running' })])).toBe(false)
  })
  it('throttles by older stages of any name', () => {
    const throttled = stage(5, { throttle: 2 })
    expect(withinLimits(throttled, [stage(3), stage(6, { status: 'running' })])).toBe(true)
    expect(withinLimits(throttled, [stage(3), stage(4, { name: 'other' })])).toBe(false)
  })
})
