import type { Build } from '@flightdeck/api'
import { expect, it } from 'vitest'

import { timesFrom } from './from-details.ts'

const step = (name: string, status: string, started: number, stopped: number) => ({ name, status, started, stopped })
const build = (number: number, steps: ReturnType<typeof step>[]): Build =>
  ({ number, after: `sha${number}`, created: number, stages: [{ name: 'test', steps }] }) as unknown as Build

it('returns the same as Flightdeck’s API: successes and failures, oldest first', () => {
  const builds = [
    build(2, [step('unit', 'failure', 10, 14), step('ship', 'skipped', 14, 14)]),
    build(1, [step('unit', 'success', 10, 22), step('ship', 'killed', 22, 30), step('odd', 'success', 0, 5)]),
  ]
  expect(timesFrom('main', builds)).toEqual({
    branch: 'main',
    builds: [
      { number: 1, commit: 'sha1', created: 1 },
      { number: 2, commit: 'sha2', created: 2 },
    ],
    steps: [
      {
        stage: 'test',
        step: 'unit',
        runs: [
          { build: 1, seconds: 12, passed: true },
          { build: 2, seconds: 4, passed: false },
        ],
      },
    ],
  })
})
