import { data, fail, withBuild } from '../../support/screens.ts'
import { build, never, waiting, type State } from './state.ts'

/** A build's page. */
export const buildStates: State[] = [
  {
    name: 'build-loading',
    path: '/octocat/hello/42',
    play: (host) => (withBuild(host), host.on(`GET ${build}`, never)),
  },
  {
    name: 'build-failing',
    path: '/octocat/hello/42',
    play: (host) => (withBuild(host), host.on(`GET ${build}`, fail(500, 'database is locked'))),
  },
  {
    name: 'build-error',
    path: '/octocat/hello/42',
    play: (host) =>
      withBuild(
        host,
        data.detail({ status: 'error', error: 'yaml: line 7: mapping values are not allowed here', stages: [] }),
      ),
  },
  {
    name: 'build-blocked',
    path: '/octocat/hello/42',
    play: (host) =>
      withBuild(
        host,
        data.detail({
          status: 'pending',
          started: 0,
          finished: 0,
          stages: [
            data.stage({ status: 'blocked', ...waiting, steps: [] }),
            data.stage({ number: 2, name: 'deploy', status: 'blocked', ...waiting, steps: [] }),
          ],
        }),
      ),
  },
  {
    name: 'build-declined',
    path: '/octocat/hello/42',
    play: (host) =>
      withBuild(
        host,
        data.detail({ status: 'declined', stages: [data.stage({ status: 'declined', ...waiting, steps: [] })] }),
      ),
  },
  {
    name: 'build-pending',
    path: '/octocat/hello/42',
    play: (host) =>
      withBuild(
        host,
        data.detail({
          status: 'pending',
          started: 0,
          finished: 0,
          stages: [data.stage({ status: 'pending', ...waiting, steps: [] })],
        }),
      ),
  },
  {
    name: 'build-skipped',
    path: '/octocat/hello/42/1/2',
    play: (host) =>
      withBuild(
        host,
        data.detail({
          status: 'failure',
          stages: [
            data.stage({
              status: 'failure',
              steps: [
                data.step({ status: 'failure', exit_code: 1 }),
                data.step({ number: 2, name: 'deploy', status: 'skipped', ...waiting }),
              ],
            }),
          ],
        }),
      ),
  },
  {
    name: 'actions',
    path: '/octocat/hello/42',
    play: (host) => withBuild(host),
    act: (page) => page.getByRole('button', { name: 'Actions' }).click(),
  },
  {
    name: 'promote',
    path: '/octocat/hello/42',
    play: (host) => (withBuild(host), host.on(`POST ${build}/promote`, fail(500, 'the runner is away'))),
    act: async (page) => {
      await page.getByRole('button', { name: 'Actions' }).click()
      await page.getByRole('menuitem', { name: 'Promote' }).click()
      await page.getByRole('dialog').getByRole('textbox').first().fill('production')
    },
  },
]
