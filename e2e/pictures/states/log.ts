import type { Host } from '../../support/host.ts'
import { data, fail, ok, withBuild } from '../../support/screens.ts'
import { build, never, openConsole, repo, running, type State } from './state.ts'

/** A warning that first occurred some builds ago. */
const warned = (host: Host) => {
  withBuild(host)
  const numbers = [42, 41, 40, 39, 38, 37]
  const built = (number: number) =>
    data.detail({
      number,
      target: number === 40 ? 'next' : 'main',
      author_login: number === 39 ? 'mona' : 'octocat',
      created: data.now - (43 - number) * 40_000,
    })
  const linesOf = (number: number) => [
    'npm ci',
    'added 214 packages in 6s',
    number > 38 ? 'warning: the old style of imports is going away' : 'no warnings',
    'done',
  ]
  host.on(`GET ${repo}/builds`, ok(numbers.map(built)))
  for (const number of numbers) {
    const lines = linesOf(number).map((line, pos) => ({ pos, out: `${line}\n`, time: 6 * pos, tenth: (3 * pos) % 10 }))
    host.on(`GET ${repo}/builds/${number}`, ok(built(number)))
    host.on(`GET ${repo}/builds/${number}/logs/1/1`, ok(lines))
  }
}

/** The console. */
export const logStates: State[] = [
  {
    name: 'log-search',
    path: '/octocat/hello/42/1/1',
    play: warned,
    act: async (page) => {
      await openConsole(page)
      await page.getByRole('button', { name: 'Find in log' }).click()
      await page.getByRole('searchbox', { name: 'Find in log' }).fill('old style')
      await page.getByRole('combobox', { name: 'Find in' }).selectOption('Last 50 builds')
      await page.getByText(/^Since #39/).waitFor()
    },
  },
  {
    name: 'log-loading',
    path: '/octocat/hello/42/1/1',
    play: (host) => (withBuild(host), host.on(`GET ${build}/logs/1/1`, never)),
    act: (page) => page.getByText('Log View').first().click(),
  },
  {
    name: 'log-failing',
    path: '/octocat/hello/42/1/1',
    play: (host) => (withBuild(host), host.on(`GET ${build}/logs/1/1`, fail(500, 'disk is full'))),
    act: (page) => page.getByText('Log View').first().click(),
  },
  {
    name: 'log-streaming',
    path: '/octocat/hello/42/1/1',
    play: (host) =>
      withBuild(
        host,
        data.detail({
          status: 'running',
          finished: 0,
          stages: [
            data.stage({ status: 'running', ...running, steps: [data.step({ status: 'running', ...running })] }),
          ],
        }),
      ),
    act: async (page, host) => {
      await openConsole(page)
      await page.getByRole('log').waitFor()
      await host.push('/api/stream/octocat/hello/42/1/1', { pos: 0, out: '+ npm test\n', time: 0 })
    },
  },
]
