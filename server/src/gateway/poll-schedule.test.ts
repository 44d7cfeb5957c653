import { expect, it } from 'vitest'
import { personOf } from './viewer-request.ts'
import { chooseNext } from './poll-schedule.ts'

const ann = personOf({ cookie: '_session_=ann' }) ?? expect.fail('nobody')

it('a person with any number of repositories is polled in turn', () => {
  const slugs = new Set(Array.from({ length: 300_000 }, (_, number) => `a/${number}`))
  const reader = {
    person: ann,
    from: 0,
    repos: new Set<string>(),
    recentIds: new Set<number>(),
    newestId: 0,
    dashboard: null,
    lastSeen: 0,
    sends: new Set<(json: string) => void>(),
    slugs,
    sent: new Map(),
    lastTurn: 0,
    asking: false,
    due: false,
    state: 'admitted' as const,
  }
  const times = { first: 5_000, longest: 60_000 }
  expect(chooseNext({ now: 90_000, people: [reader], targets: [], covered: new Map(), times })).toEqual({ reader })
})
