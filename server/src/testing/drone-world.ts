/** The data of the fake Drone: recorded users, repositories, builds and logs. */
import type { Build, Line, Repo, User } from '@flightdeck/api'
import { readRecording, recordingNames, type Exchange } from './recordings.ts'
import type { DroneWorld } from './drone-stand.ts'

export function recordedWorld(): DroneWorld {
  const exchanges = recordingNames.flatMap((name) => readRecording(name))
  const body = (reason: string): unknown => structuredClone(found(exchanges, reason).body)
  const buildOf = (reason: string) => body(reason) as Build
  const answers = new Map(
    exchanges
      .filter(({ method, status }) => method === 'GET' && status === 200)
      // Responses to requests with a query are parts or variants of others.
      .filter(({ path }) => !path.includes('?'))
      .map(({ path, body: answer }) => [path, answer] as const),
  )

  const me: User = { ...(answers.get('/api/user') as User), id: 1, login: 'boss', email: '', admin: true }
  const repos = [...(body('repositories with latest build') as Repo[]), body('settings back') as Repo]
  const repo = (slug: string): Repo => {
    const { build: _, ...one } = repos.find((known) => known.slug === slug) ?? fail(slug)
    return one
  }
  const permissions = {
    user_id: 1,
    repo_uid: '',
    read: true,
    write: true,
    admin: true,
    synced: 0,
    created: 0,
    updated: 0,
  }

  let long = buildOf('running build')
  let gated = buildOf('blocked build')
  const made: Build[] = []
  const listed = (): Build[] => [...made.toReversed(), long]
  const lines = body('log of a step that was cancelled') as Line[]
  const base = '/api/repos/acme/web'

  const withBuilds = () => repos.map((one) => (one.slug === 'acme/web' ? { ...one, build: listed()[0] } : one))
  const recent = () => listed().map((build) => ({ ...repo('acme/web'), build }))
  /** In lists builds have no stages. */
  const bare = (build: Build): Build => ({ ...build, stages: undefined })

  const cancel = (): Build => (long = buildOf('read at once after the cancel'))
  const create = (): Build => {
    const number = 36 + made.length
    const build = { ...buildOf('custom build of a branch'), id: 1000 + number, number }
    made.push(build)
    return build
  }
  /** The same build, but its only step fails. */
  const breaks = (): Build => {
    const { id, number } = create()
    const build = { ...buildOf('custom build of a branch (final)'), id, number }
    const failed = { status: 'failure', exit_code: 127 } as const
    const stages = build.stages?.map((stage) => ({
      ...stage,
      ...failed,
      steps: stage.steps?.map((step) => ({ ...step, ...failed })),
    }))
    const broken = { ...build, status: 'failure' as const, ...(stages && { stages }) }
    made.splice(-1, 1, broken)
    return broken
  }
  const approve = (): Build => (gated = buildOf('one approved and finished, two blocked'))
  const advance = (): Build => (long = { ...long, version: long.version + 1 })
  const finish = (): Build => {
    const stages = long.stages?.map((stage) => ({
      ...stage,
      status: 'success' as const,
      stopped: long.started + 60,
      version: stage.version + 1,
      steps: stage.steps?.map((step) => ({
        ...step,
        status: 'success' as const,
        started: step.started ?? long.started,
        stopped: long.started + 60,
        version: step.version + 1,
      })),
    }))
    long = {
      ...long,
      status: 'success',
      finished: long.started + 60,
      version: long.version + 1,
      ...(stages && { stages }),
    }
    return long
  }

  return {
    me,
    answers,
    repo,
    cancel,
    create,
    breaks,
    approve,
    advance,
    finish,
    linesOf: (path) => (path === '/api/stream/acme/web/35/1/2' && isRunning(long) ? lines : undefined),
    handlers: {
      'GET /api/user': () => me,
      'PATCH /api/user': (text) => Object.assign(me, { email: (JSON.parse(text) as Partial<User>).email ?? me.email }),
      'POST /api/user/token': () => ({ ...me, token: 'token-of-boss' }),
      'GET /api/user/repos': withBuilds,
      'POST /api/user/repos': withBuilds,
      'GET /api/user/builds': recent,
      'GET /api/user/builds/recent': recent,
      ...Object.fromEntries(
        repos.map((one) => [`GET /api/repos/${one.slug}`, () => ({ ...repo(one.slug), permissions })]),
      ),
      [`GET ${base}/builds`]: () => [
        ...listed().map(bare),
        ...(body('build list') as Build[]).filter(({ number }) => number < 35),
      ],
      [`POST ${base}/builds`]: create,
      [`GET ${base}/builds/35`]: () => long,
      [`DELETE ${base}/builds/35`]: cancel,
      ...Object.fromEntries(
        Array.from({ length: 9 }, (_, index) => [`GET ${base}/builds/${36 + index}`, () => made[index]]),
      ),
      [`GET ${base}/builds/35/logs/1/2`]: () => (isRunning(long) ? undefined : lines),
      [`GET ${base}/builds/33/logs/1/1`]: () => linesOf('+ echo run', 'run'),
      [`GET ${base}/builds/36/logs/1/1`]: () => linesOf('+ echo run', 'run', '+ rum', '/bin/sh: 3: rum: not found'),
      'GET /api/repos/acme/gated/builds': () => [bare(gated)],
      'GET /api/repos/acme/gated/builds/1': () => gated,
      'POST /api/repos/acme/gated/builds/1/approve/1': () => void approve(),
    },
  }
}

/** A log in the form that runners upload. */
const linesOf = (...lines: string[]): Line[] => lines.map((line, pos) => ({ pos, out: `${line}\n`, time: 0 }))

const isRunning = ({ status }: Build): boolean => status === 'running'

const fail = (what: string): never => {
  throw new Error(`nothing was recorded of ${what}`)
}
const found = (exchanges: readonly Exchange[], reason: string): Exchange =>
  exchanges.find((one) => one.why === reason) ?? fail(reason)
