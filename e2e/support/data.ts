/** Example entities in the shape of docs/api §1. A test overrides the fields that it is about. */
import type {
  Build,
  Commit,
  Cron,
  LastBuild,
  Line,
  QueueItem,
  Repo,
  Runners,
  RunnerState,
  Secret,
  Stage,
  Step,
  User,
} from '@flightdeck/api'

export const now = Math.floor(Date.now() / 1000)

export const user = (over: Partial<User> = {}): User => ({
  id: 1,
  login: 'octocat',
  email: 'octocat@example.com',
  machine: false,
  admin: false,
  active: true,
  avatar: '',
  syncing: false,
  synced: now - 600,
  created: now - 86_400,
  updated: now - 600,
  last_login: now - 600,
  ...over,
})

export const repo = (over: Partial<Repo> = {}): Repo => {
  const namespace = over.namespace ?? 'octocat'
  const name = over.name ?? 'hello'
  return {
    id: 1,
    uid: '1',
    user_id: 1,
    namespace,
    name,
    slug: `${namespace}/${name}`,
    scm: '',
    git_http_url: `https://git.example.com/${namespace}/${name}.git`,
    git_ssh_url: '',
    link: `https://git.example.com/${namespace}/${name}`,
    default_branch: 'main',
    private: false,
    visibility: 'public',
    active: true,
    config_path: '.drone.yml',
    trusted: false,
    protected: false,
    ignore_forks: false,
    ignore_pull_requests: false,
    auto_cancel_pull_requests: false,
    auto_cancel_pushes: false,
    auto_cancel_running: false,
    timeout: 60,
    counter: 42,
    synced: now,
    created: now - 86_400,
    updated: now,
    version: 5,
    permissions: { read: true, write: true, admin: true },
    archived: false,
    ...over,
  }
}

export const step = (over: Partial<Step> = {}): Step => ({
  id: 100 + (over.number ?? 1),
  step_id: 10,
  number: 1,
  name: 'test',
  status: 'success',
  exit_code: 0,
  started: now - 100,
  stopped: now - 40,
  version: 3,
  ...over,
})

export const stage = (over: Partial<Stage> = {}): Stage => ({
  id: 9 + (over.number ?? 1),
  repo_id: 1,
  build_id: 7,
  number: 1,
  name: 'unit',
  kind: 'pipeline',
  type: 'exec',
  status: 'success',
  errignore: false,
  exit_code: 0,
  os: 'linux',
  arch: 'amd64',
  started: now - 110,
  stopped: now - 40,
  created: now - 120,
  updated: now - 40,
  version: 4,
  on_success: true,
  on_failure: false,
  steps: [step()],
  ...over,
})

export const build = (over: Partial<Build> = {}): Build => ({
  id: 7,
  repo_id: 1,
  trigger: '@hook',
  number: 42,
  status: 'success',
  event: 'push',
  action: '',
  link: 'https://git.example.com/octocat/hello/commit/7fd1a60b',
  timestamp: 0,
  message: 'Fix the parser\n\nMore words.',
  before: '0000000000000000000000000000000000000001',
  after: '7fd1a60b01f91b314f59955a4e4d4e80d8edf11d',
  ref: 'refs/heads/main',
  source_repo: '',
  source: 'main',
  target: 'main',
  author_login: 'octocat',
  author_name: 'The Octocat',
  author_email: 'octocat@example.com',
  author_avatar: '',
  sender: 'octocat',
  started: now - 110,
  finished: now - 40,
  created: now - 120,
  updated: now - 40,
  version: 3,
  ...over,
})

/** A build in the dashboard's strip of last builds. */
export const lastBuild = (number: number, status: LastBuild['status']): LastBuild => {
  const { version, message, target, created, started, finished } = build({ number })
  return { number, version, status, message, target, created, started, finished }
}

export const detail = (over: Partial<Build> = {}): Build => build({ stages: [stage()], ...over })

/** A build of one stage with one step. */
export const oneStage = (over: Partial<Stage>, of: Partial<Step> = {}, status: Build['status'] = 'failure'): Build =>
  detail({ status, stages: [stage({ ...over, steps: [step(of)] })] })

export const running = (over: Partial<Build> = {}): Build => ({
  ...oneStage({ status: 'running', stopped: 0 }, { status: 'running', stopped: undefined }, 'running'),
  finished: 0,
  ...over,
})

/**
 * A build waiting for approval: the build is pending, its stage blocked and without steps (docs/api
 * §5.3).
 */
export const blocked = (over: Partial<Build> = {}): Build =>
  detail({
    status: 'pending',
    started: 0,
    finished: 0,
    stages: [stage({ status: 'blocked', started: 0, stopped: 0, steps: [] })],
    ...over,
  })

export const lines = (count: number, text = (index: number) => `line ${index + 1}`): Line[] =>
  Array.from({ length: count }, (_, pos) => ({ pos, out: `${text(pos)}\n`, time: Math.floor(pos / 10) }))

export const secret = (over: Partial<Secret> = {}): Secret => ({ id: 1, repo_id: 1, name: 'password', ...over })

export const cron = (over: Partial<Cron> = {}): Cron => ({
  id: 1,
  repo_id: 1,
  name: 'nightly',
  expr: '@daily',
  next: now + 3600,
  prev: now - 82_800,
  event: 'push',
  branch: 'main',
  disabled: false,
  created: 0,
  updated: 0,
  version: 0,
  ...over,
})

export const queueItem = (over: Partial<QueueItem> = {}): QueueItem => ({
  stage_id: 1,
  namespace: 'octocat',
  name: 'hello',
  build: 42,
  stage: 1,
  stage_name: 'unit',
  status: 'pending',
  machine: '',
  created: now - 60,
  started: 0,
  ...over,
})
export const runner = (over: Partial<RunnerState> = {}): RunnerState => ({
  builtin: false,
  address: '',
  machines: [],
  version: '',
  filter: { type: 'exec', os: 'linux', arch: 'amd64' },
  present: true,
  asked: now,
  places: 2,
  busy: 0,
  runs: [],
  ...over,
})
export const runners = (over: Partial<Runners> = {}): Runners => ({
  paused: false,
  runners: [],
  queue: [],
  total: 0,
  rpc: { proto: 'http', host: '127.0.0.1:8080', secret: false },
  ...over,
})

/** A build that waits for a runner that doesn't exist. */
export const withoutRunner = (): Build => {
  const needs = { type: 'docker', os: 'linux', arch: 'amd64' }
  const text = 'Waiting for a runner of type docker for linux/amd64; none is connected'
  const waiting = { reason: 'runner', text, needs } as const
  const waits = { status: 'pending', started: 0, waiting } as const
  const ignoring = stage({ id: 2, number: 2, name: 'plain', type: 'exec', ignored: ['services', 'volumes'] })
  return detail({ number: 43, ...waits, finished: 0, stages: [stage({ ...waits, stopped: 0, steps: [] }), ignoring] })
}

export const commit = (over: Partial<Commit> = {}): Commit => ({
  sha: build().after,
  parents: ['b1946ac92492d2347c6235b4d2611184b1946ac9'],
  message: 'Fix the parser',
  author: { name: 'Ann Lee', email: 'ann@example.com' },
  time: now - 7_200,
  files: [
    {
      path: 'src/parser.ts',
      change: 'modified',
      added: 1,
      deleted: 1,
      hunks: [{ old: 1, new: 1, lines: [' const a = 1', '-const b = 2', '+const b = 3'] }],
    },
  ],
  total: 1,
  ...over,
})
