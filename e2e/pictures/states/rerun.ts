import type { Status } from '@flightdeck/api'
import type { Host } from '../../support/host.ts'
import { data, ok, ours, signedInAs, withBuild } from '../../support/screens.ts'
import { failedTest } from './failed-test.ts'
import { build, openConsole, stage, type State } from './state.ts'

/** The failed stages were rerun successfully; the others are reused from earlier builds. */
const attempted = (host: Host) => {
  const reused = { taken_over: 40 }
  const names = ['build', 'lint']
  const stages = [
    stage(1, 'build', -900, -780, reused),
    stage(2, 'lint', -780, -730, reused),
    stage(3, 'test', -60, -12),
  ]
  const again = { only: 'failed' } as const
  withBuild(host, data.detail({ parent: 41, again, stages, started: data.now - 60, finished: data.now - 12 }))
  signedInAs(host, ours)
  const attempt = (number: number, status: Status, from: number, seconds: number, more: object = {}) => ({
    ...data.build({ number, status, created: data.now - from, started: data.now - from }),
    finished: data.now - from + seconds,
    ...more,
  })
  const attempts = [
    attempt(42, 'success', 60, 48, { actor: 'octocat', parent: 41, again, taken_over: names }),
    attempt(41, 'failure', 300, 51, { actor: 'mona', parent: 40, again, taken_over: names }),
    attempt(40, 'failure', 900, 221),
  ]
  const file = { path: '.drone.yml', commit: 'c', text: 'kind: pipeline\ntype: exec\nname: build\n' }
  host.on(`GET ${build}/details`, ok({ file, attempts }))
}

/** The failed stages are being rerun. */
export const rerunStates: State[] = [
  {
    name: 'rerun',
    path: '/octocat/hello/42',
    play: (host) => {
      failedTest(host)
      signedInAs(host, ours)
    },
    act: async (page) => {
      await page.getByRole('button', { name: 'Restart actions' }).click()
      await page.getByRole('menuitem', { name: 'With changes…' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Branch').fill('next')
      await dialog.getByLabel('Key').fill('LEVEL')
      await dialog.getByLabel('Value').fill('high')
    },
  },
  { name: 'attempts', path: '/octocat/hello/42?details', play: attempted },
  {
    name: 'reproduce',
    path: '/octocat/hello/42/1/2?view=log',
    play: (host) => {
      failedTest(host)
      signedInAs(host, ours)
    },
    act: async (page) => {
      await openConsole(page)
      await page.getByRole('button', { name: 'Reproduce locally' }).hover()
    },
  },
]
