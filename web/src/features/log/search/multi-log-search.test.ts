import { describe, expect, test } from 'vitest'
import type { FoundBuild } from '@flightdeck/api'

import { sinceOf, type MultiLogSearchState, type FoundStep } from './multi-log-search.ts'

const about = (number: number): FoundBuild => ({ number, branch: 'main', event: 'push', created: 1, author: 'ann' })
const step = (build: number, number = 1): FoundStep => ({
  address: { namespace: 'a', name: 'b', build, stage: 1, step: number },
  label: 'unit / test',
  started: 0,
  build: about(build),
  count: 1,
  hits: [],
})
const state = (over: Partial<MultiLogSearchState>): MultiLogSearchState => ({
  found: [],
  done: 50,
  total: 50,
  of: 'builds',
  oldest: 71,
  unread: 0,
  over: true,
  error: undefined,
  ...over,
})

describe('the first build with the text', () => {
  test('is the oldest one, counted once even if several of its steps have it', () => {
    expect(sinceOf(state({ found: [step(120), step(118, 1), step(118, 2)] }), 50)).toEqual({
      build: about(118),
      earlier: 'no',
      builds: 2,
    })
    expect(sinceOf(state({}), 50)).toBeUndefined()
    expect(sinceOf(state({ of: 'steps', found: [step(120)] }), 50)).toBeUndefined()
  })

  test('is not known to be the first if older ones were not searched', () => {
    const earlier = (over: Partial<MultiLogSearchState>) => sinceOf(state({ found: [step(71)], ...over }), 50)?.earlier
    expect(earlier({})).toBe('unknown')
    expect(earlier({ error: 'Stopped', oldest: 80 })).toBe('unknown')
    expect(earlier({ over: false, done: 12 })).toBe('searching')
    // There are no more builds.
    expect(earlier({ done: 20, total: 20 })).toBe('no')
    expect(earlier({ done: 50, oldest: 60 })).toBe('no')
  })
})
