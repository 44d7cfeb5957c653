import { fail, withRepo } from '../../support/screens.ts'
import { never, repo, type State } from './state.ts'

/** The dashboard, the search and the lists of a repository. */
export const listStates: State[] = [
  { name: 'dashboard-empty', path: '/', play: () => undefined },
  { name: 'dashboard-loading', path: '/', play: (host) => host.on('GET /api/user/repos', never) },
  {
    name: 'dashboard-failing',
    path: '/',
    play: (host) => host.on('GET /api/user/repos', fail(500, 'database is locked')),
  },
  {
    name: 'dashboard-unfiltered-none',
    path: '/',
    play: (host) => withRepo(host),
    act: (page) => page.getByPlaceholder('Filter').fill('nothing like it'),
  },
  {
    name: 'dashboard-stream-lost',
    path: '/',
    play: (host) => withRepo(host),
    act: async (_, host) => {
      await host.reader('/api/stream')
      host.cutStreams(503)
    },
  },
  {
    name: 'search-none',
    path: '/',
    play: (host) => withRepo(host),
    act: async (page) => {
      await page.getByRole('button', { name: 'Search' }).click()
      await page.getByPlaceholder('Search repositories, branches and builds').fill('nothing like it')
    },
  },
  { name: 'builds-empty', path: '/octocat/hello', play: (host) => withRepo(host, {}, []) },
  {
    name: 'builds-loading',
    path: '/octocat/hello',
    play: (host) => (withRepo(host), host.on(`GET ${repo}/builds`, never)),
  },
  {
    name: 'builds-failing',
    path: '/octocat/hello',
    play: (host) => (withRepo(host), host.on(`GET ${repo}/builds`, fail(500, 'database is locked'))),
  },
  {
    name: 'repository-failing',
    path: '/octocat/hello',
    play: (host) => host.on(`GET ${repo}`, fail(502, 'Bad Gateway')),
  },
  { name: 'branches-empty', path: '/octocat/hello/branches', play: (host) => withRepo(host) },
  {
    name: 'branches-loading',
    path: '/octocat/hello/branches',
    play: (host) => (withRepo(host), host.on(`GET ${repo}/builds/branches`, never)),
  },
  {
    name: 'deployments-failing',
    path: '/octocat/hello/deployments',
    play: (host) => (withRepo(host), host.on(`GET ${repo}/builds/deployments`, fail(500, 'database is locked'))),
  },
]
