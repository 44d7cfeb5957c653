import type { LastBuild, Status } from '@flightdeck/api'
import { expect, it } from 'vitest'

import { linesOf, summaryOf } from './last-builds.ts'

const builds = (...statuses: Status[]) => statuses.map((status) => ({ status }))

it.each([
  [builds('success'), 'Last build: passed'],
  [builds('failure', 'success', 'success', 'error'), 'Last 4 builds: 2 passed, 2 failed'],
  [
    builds('running', 'pending', 'blocked', 'killed', 'declined', 'skipped', 'waiting_on_dependencies', 'success'),
    'Last 8 builds: 1 passed, 1 running, 2 waiting, 1 killed, 1 declined, 1 skipped, 1 waiting on dependencies',
  ],
  [[{ status: 'none known' }] as unknown as ReturnType<typeof builds>, 'Last build: none known'],
  [builds(...Array.from({ length: 12 }, (): Status => 'failure')), 'Last 12 builds: 12 failed'],
])('the name of a strip says how many builds passed and failed: %#', (some, name) => {
  expect(summaryOf(some)).toBe(name)
})

const build: LastBuild = {
  number: 412,
  version: 1,
  status: 'failure',
  message: 'Fix the parser\n\nfor good',
  target: 'main',
  created: 1_000,
  started: 1_010,
  finished: 1_074,
}

it('a build is described by number, result, title, branch, duration and age', () => {
  expect(linesOf(build, 8_300)).toEqual({ title: '#412 failed · Fix the parser', facts: 'main · 1m 04s · 2 hours ago' })
  expect(linesOf({ ...build, title: 'Parser', status: 'running', finished: 0 }, 1_015)).toEqual({
    title: '#412 running · Parser',
    facts: 'main · 5s · just now',
  })
})

it.each([
  ['pending', 0, 0],
  ['killed', 1_010, 1_010],
  ['declined', 1_010, 0],
] as const)('a %s build that never ran has no duration', (status, started, finished) => {
  expect(linesOf({ ...build, status, started, finished, target: '' }, 1_010).facts).toBe('just now')
})
