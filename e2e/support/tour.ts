/** All screens, for the tests that visit each of them (titles, reload, widths, accessibility). */
import type {
  AuditEntry,
  BuildHistory,
  Collaborator,
  Comparison,
  Environment,
  RepoLastBuilds,
  RepoTimes,
  Retention,
} from '@flightdeck/api'
import { createFingerprint } from '@flightdeck/cause'
import * as data from './data.ts'
import { type Host, ok } from './host.ts'
import { ours, signedInAs, withBuild } from './screens.ts'

export interface Screen {
  path: string
  title: string
  /** Text that is visible once the screen is complete. */
  shows: string
  /** The requests that it waits for; without any, it is complete immediately. */
  reads?: string[]
}

const base = '/api/repos/octocat/hello'

const collaborator: Collaborator = {
  user_id: 2,
  repo_id: '1',
  login: 'ann',
  avatar: '',
  read: true,
  write: true,
  admin: false,
  synced: data.now,
  created: data.now,
  updated: data.now,
}

export const screens: Screen[] = [
  { path: '/', title: 'Dashboard', shows: 'octocat/hello', reads: ['/api/user/repos'] },
  { path: '/account', title: 'Account Settings', shows: 'drone info' },
  { path: '/builds-feed', title: 'Builds feed', shows: 'Fix the parser', reads: ['/api/user/builds/recent'] },
  { path: '/wall', title: 'Wall', shows: 'octocat/hello', reads: ['/api/user/repos'] },
  { path: '/settings/users', title: 'Users', shows: 'ann@example.com', reads: ['/api/users'] },
  { path: '/octocat/hello', title: 'Builds – octocat/hello', shows: 'Fix the parser', reads: [base, `${base}/builds`] },
  {
    path: '/octocat/hello/branches',
    title: 'Branches – octocat/hello',
    shows: 'feature/parser',
    reads: [base, `${base}/builds/branches`],
  },
  {
    path: '/octocat/hello/deployments',
    title: 'Deployments – octocat/hello',
    shows: 'staging',
    reads: [base, `${base}/builds/deployments`],
  },
  {
    path: '/octocat/hello/pulls',
    title: 'Pull requests – octocat/hello',
    shows: 'from ann/hello:fix to main',
    reads: [base, `${base}/builds/pulls`],
  },
  {
    path: '/octocat/hello/branches/main',
    title: 'main – Branches – octocat/hello',
    shows: 'Executions on main',
    reads: [base, `${base}/builds`],
  },
  {
    path: '/octocat/hello/times',
    title: 'Step durations – octocat/hello',
    shows: 'Changes in step duration',
    reads: [base, `${base}/times`],
  },
  {
    path: '/octocat/hello/settings',
    title: 'Settings – octocat/hello',
    shows: '12 builds older than 90 days will be removed tonight.',
    reads: [base, `${base}/retention`],
  },
  {
    path: '/octocat/hello/settings/secrets',
    title: 'Secrets – octocat/hello',
    shows: 'registry_password',
    reads: [`${base}/secrets`],
  },
  {
    path: '/octocat/hello/settings/organization',
    title: 'Organization secrets – octocat/hello',
    shows: 'shared_token',
    reads: ['/api/secrets/octocat'],
  },
  {
    path: '/octocat/hello/settings/cron',
    title: 'Cron Jobs – octocat/hello',
    shows: 'nightly',
    reads: [`${base}/cron`],
  },
  {
    path: '/octocat/hello/settings/access',
    title: 'Access – octocat/hello',
    shows: 'Add a person',
    reads: [`${base}/collaborators`],
  },
  { path: '/octocat/hello/settings/badges', title: 'Badges – octocat/hello', shows: 'CCMenu', reads: [base] },
  {
    path: '/octocat/hello/42/1/1',
    title: '#42 – Fix the parser – octocat/hello',
    shows: 'Pipeline stages',
    reads: [base, `${base}/builds/42`],
  },
  {
    path: '/octocat/hello/42?view=timeline',
    title: '#42 – Fix the parser – octocat/hello',
    shows: 'Critical stages determined the total time.',
    reads: [base, `${base}/builds/42`],
  },
  { path: '/welcome', title: 'Welcome', shows: 'Continue' },
  { path: '/login/form', title: 'Sign in', shows: 'Password' },
  { path: '/login/token', title: 'Sign in with a token', shows: 'Token' },
  { path: '/register', title: 'Register', shows: 'You are signed in' },
  { path: '/login/invite', title: 'Invitation', shows: 'This invitation is no longer valid' },
  { path: '/login/error', title: 'Sign-in error', shows: 'An error occured during login attempt' },
  { path: '/logout', title: 'Signed out', shows: 'Your session has been successfully terminated.' },
  { path: '/nowhere/at/all/ever/x', title: 'Not Found', shows: 'We are sorry' },
]

/**
 * Screens that only Flightdeck has: signed in with a password, which other servers do not report.
 */
export const ownScreens: readonly Screen[] = [
  {
    path: `/octocat/hello/commits/${data.commit().sha}`,
    title: `${data.commit().sha.slice(0, 8)} – Fix the parser – octocat/hello`,
    shows: '1 file changed',
    reads: [base, `${base}/commits/${data.commit().sha}`, `${base}/commits/${data.commit().sha}/builds`],
  },
  { path: '/settings/audit', title: 'Audit log', shows: 'changed a secret of', reads: ['/api/audit'] },
  { path: '/settings/runners', title: 'Runners', shows: 'Built-in runner', reads: ['/api/runners'] },
]

/** The output of #42's only step before it failed, and in the last successful run. */
const reasons = [
  '+ npm test',
  '> hello@1.0.0 test',
  'ok 1 - adds (2 ms)',
  'AssertionError: 3 !== 4',
  'retrying',
  'npm ERR!',
]
const knownLines = (): string => {
  const known = createFingerprint()
  for (const line of reasons.slice(0, 3)) known.add(line)
  return Buffer.from(known.bytes(1000)).toString('base64')
}

/** One step that became slower. */
const times = (): RepoTimes => {
  const numbers = Array.from({ length: 40 }, (_, index) => index + 1)
  const runs = numbers.map((build) => ({ build, seconds: build < 20 ? 12 : 31, passed: build % 9 > 0 }))
  const builds = numbers.map((number) => ({ number, commit: data.commit().sha, created: data.now - 9_000 + number }))
  return { branch: 'feature/parser', builds, steps: [{ stage: 'unit', step: 'test', runs }] }
}
const staging = (): Environment => {
  const deployment = data.build({ event: 'promote', deploy_to: 'staging', parent: 40, status: 'success' })
  return {
    name: 'staging',
    current: deployment,
    head: { branch: 'main', sha: data.commit().sha },
    items: [deployment, data.build({ number: 39, event: 'rollback', deploy_to: 'staging', status: 'failure' })],
    may_deploy: true,
  }
}
const comparison = (): Comparison => {
  const { sha, files } = data.commit()
  const commits = [{ sha, title: 'Fix the parser', author: 'Ann', time: data.now - 60, files: ['src/parser.ts'] }]
  return { from: data.build().after, to: sha, commits, without: 2, files, total: files.length }
}
/** The failed step of #42, which is flaky and has failed before. */
const history = (): BuildHistory => {
  const { sha } = data.commit()
  const mixed = [1, 2, 3].map((failed) => ({ commit: `${failed}${sha.slice(1)}`, failed, passed: failed + 1 }))
  const places = [{ slug: 'octocat/hello', number: 40, stage: 1, step: 1, created: data.now - 900 }]
  const seen = { times: 2, repos: 1, since: data.now - 900, places }
  return { steps: [{ stage: 1, step: 1, seen, runs: { count: 20, failed: 4, mixed } }] }
}
const retention: Retention = {
  own: { build_days: 90, builds: -1, log_days: 30, log_mb: -1 },
  defaults: { build_days: 0, builds: 0, log_days: 0, log_mb: 1_000 },
  next: data.now + 9_000,
  planned: { old_builds: 12, surplus_builds: 0, old_logs: 3 },
  last: { at: data.now - 7_200, builds: 4, logs: 9, bytes: 1_200_000, error: '' },
}
const auditEntry: AuditEntry = {
  id: 1,
  time: data.now,
  user: 'ann',
  kind: 'secrets',
  action: 'secret.changed',
  target: 'octocat/hello',
  name: 'registry_password',
  details: { value: 'changed', pull_request: [0, 1] },
  address: '192.0.2.1',
  agent: 'Firefox',
}
const lastBuilds: RepoLastBuilds[] = [
  { id: 1, builds: [42, 41, 40].map((number) => data.lastBuild(number, number === 41 ? 'success' : 'failure')) },
]
const session = {
  id: 1,
  created: data.now,
  expires: data.now + 900,
  last_seen: data.now,
  address: '192.0.2.1',
  agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0',
  current: true,
}
const usual = { stage: 'unit', step: 'test', count: 20, median: 18, low: 15, high: 20 }

/** A server with data for each screen; the user is an administrator. */
export function full(host: Host): Host {
  const stages = [
    data.stage({ status: 'failure', steps: [data.step({ status: 'failure', exit_code: 1 })] }),
    data.stage({ number: 2, name: 'deploy', status: 'skipped', depends_on: ['unit'], steps: [] }),
  ]
  withBuild(host, data.detail({ status: 'failure', stages }))
  const repo = { ...data.repo(), build: data.build({ status: 'failure' }) }
  // Without Flightdeck's capabilities there is no access page.
  return signedInAs(host, { admin: true, ...ours })
    .on(
      'GET /api/users',
      ok([data.user({ admin: true }), data.user({ id: 2, login: 'ann', email: 'ann@example.com' })]),
    )
    .on('GET /api/user/repos', ok([repo]))
    .on('GET /api/user/builds/recent', ok([{ ...repo, build: data.build({ status: 'running', finished: 0 }) }]))
    .on('GET /api/user/builds/last', ok(lastBuilds))
    .on('GET /api/audit', ok({ items: [auditEntry] }))
    .on('GET /api/user/tokens', ok([{ id: 1, name: 'deploy', created: data.now, expires: 0, last_used: 0 }]))
    .on(
      'GET /api/user/wall-links',
      ok([{ id: 1, name: 'Kitchen', created: data.now, expires: 0, last_used: 0, repos: ['octocat/hello'] }]),
    )
    .on('GET /api/user/sessions', ok([session]))
    .on('POST /api/user/token', ok({ ...data.user(), token: 'tok' }))
    .on(`GET ${base}/builds`, ok([data.build({ status: 'failure' }), data.build({ id: 6, number: 41 })]))
    .on(`GET ${base}/builds/counts`, ok({ total: 2, capped: false, statuses: { failure: 2 }, events: { push: 2 } }))
    .on(`GET ${base}/builds/42/logs/1/1`, ok(data.lines(reasons.length, (i) => reasons[i] ?? '')))
    .on(`GET ${base}/builds/42/logs/1/1/known`, ok({ build: 41, stage: 1, step: 1, lines: knownLines() }))
    .on(`GET ${base}/builds/42/changes/1/1`, ok(null))
    .on(`GET ${base}/builds/42/history`, ok(history()))
    .on(`GET ${base}/builds/42/usual`, ok({ steps: [usual] }))
    .on(`GET ${base}/times`, ok(times()))
    .on(`GET ${base}/builds/branches`, ok([data.build({ target: 'feature/parser' })]))
    .on(`GET ${base}/builds/deployments`, ok([data.build({ event: 'promote', deploy_to: 'staging' })]))
    .on(
      `GET ${base}/environments`,
      ok([{ name: 'production', who: 'people', people: ['ann', 'octocat'], approval: true }]),
    )
    .on(`GET ${base}/environments/staging`, ok(staging()))
    .on(`GET ${base}/compare`, ok(comparison()))
    .on(
      `GET ${base}/builds/pulls`,
      ok([data.build({ event: 'pull_request', ref: 'refs/pull/7/head', source: 'fix', source_repo: 'ann/hello' })]),
    )
    .on(`GET ${base}/commits/${data.commit().sha}`, ok(data.commit()))
    .on(`GET ${base}/commits/${data.commit().sha}/builds`, ok([data.build()]))
    .on(`GET ${base}/retention`, ok(retention))
    .on(`GET ${base}/secrets`, ok([data.secret({ name: 'registry_password' })]))
    .on(`GET ${base}/secret-uses`, ok({ build: 42, uses: [{ name: 'registry_password', pipelines: ['unit'] }] }))
    .on('GET /api/cron-times', ok({ zone: 'UTC', times: [data.now + 60, data.now + 120] }))
    .on('GET /api/secrets/octocat', ok([data.secret({ name: 'shared_token' })]))
    .on(`GET ${base}/cron`, ok([data.cron()]))
    .on(`GET ${base}/people`, ok([{ login: 'zoe', avatar: '' }]))
    .on(`GET ${base}/collaborators`, ok([collaborator]))
}
