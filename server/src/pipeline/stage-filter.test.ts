import type { Stage } from '@flightdeck/api'
import { describe, expect, it } from 'vitest'
import { matchesFilter } from './stage-filter.ts'

const stage = (more: Partial<Stage> = {}) => ({
  kind: 'pipeline',
  type: 'docker',
  os: 'linux',
  arch: 'amd64',
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
    [{ os: 'windows', arch: 'amd64' }, false],
    [{ arch: 'amd64' }, false],
    [{ variant: 'v7' }, false],
  ])('%j → %s', (filter, expected) => expect(matchesFilter(stage(), filter)).toBe(expected))

  it('compares variant and kernel only where the stage sets them', () => {
    const arm = stage({ arch: 'arm', variant: 'v7', kernel: '1809' })
    expect(matchesFilter(arm, { os: 'linux', arch: 'arm' })).toBe(false)
    expect(matchesFilter(arm, { os: 'linux', arch: 'arm', variant: 'v7', kernel: '1809' })).toBe(true)
    expect(matchesFilter(arm, { os: 'linux', arch: 'arm', variant: 'v6', kernel: '1809' })).toBe(false)
    expect(matchesFilter(arm, { os: 'linux', arch: 'arm', variant: 'v7', kernel: '1903' })).toBe(false)
    expect(matchesFilter(stage({ variant: '', kernel: '' }), { os: 'linux', arch: 'amd64', kernel: '1' })).toBe(true)
    expect(matchesFilter(arm, {})).toBe(true)
    expect(matchesFilter(stage(), { os: 'linux', arch: 'amd64', variant: 'v8' })).toBe(true)
  })

  it('needs the same labels on both sides', () => {
    const labelled = stage({ labels: { zone: 'a', disk: 'ssd' } })
    expect(matchesFilter(labelled, { labels: { disk: 'ssd', zone: 'a' } })).toBe(true)
    expect(matchesFilter(labelled, { labels: { zone: 'a' } })).toBe(false)
    expect(matchesFilter(labelled, { labels: { zone: 'a', disk: 'hdd' } })).toBe(false)
    expect(matchesFilter(labelled, { labels: { zone: 'a', drive: 'ssd' } })).toBe(false)
    expect(matchesFilter(labelled, {})).toBe(false)
    expect(matchesFilter(stage({ labels: {} }), {})).toBe(true)
  })

  it('takes an empty kind or type on either side for pipeline and docker', () => {
    const empty = stage({ kind: '', type: '' })
    expect(matchesFilter(empty, {})).toBe(true)
    expect(matchesFilter(empty, { kind: 'pipeline', type: 'docker' })).toBe(true)
    expect(matchesFilter(empty, { kind: 'other' })).toBe(false)
    expect(matchesFilter(empty, { type: 'exec' })).toBe(false)
    expect(matchesFilter(stage({ kind: 'other', type: 'exec' }), { kind: 'other', type: 'exec' })).toBe(true)
    expect(matchesFilter(stage(), { kind: '', type: '' })).toBe(true)
  })
})
