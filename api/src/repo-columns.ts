/**
 * Repositories with their latest builds, stored by column: the fields that a long list shows, in a
 * third of the bytes. Flightdeck only (docs/decisions/repository-list.md).
 */
import { firstLine } from './first-line.ts'
import { isDone, statuses, buildEvents, type BuildEvent, type Status } from './status.ts'
import type { Build, Repo } from './types.ts'

/** One cell per repository; in `build`, one per repository that has a build, in the same order. */
export interface RepoColumns {
  id: number[]
  namespace: string[]
  name: string[]
  active: number[]
  version: number[]
  /** The number of the latest build; 0: none. */
  number: number[]
  build: {
    id: number[]
    status: Status[]
    event: BuildEvent[]
    /** The first line. */
    message: string[]
    target: string[]
    /** The commit hash, shortened to the characters that are shown. */
    after: string[]
    trigger: string[]
    author_login: string[]
    author_avatar: string[]
    sender: string[]
    created: number[]
    /** Seconds after `created`; `null`: not yet. */
    started: (number | null)[]
    finished: (number | null)[]
    version: number[]
    /** Fields that few builds have; for a running build, all fields. */
    rest: (Partial<Build> | 0)[]
  }
}

/** The length of a shortened commit hash. */
export const shortHash = 8
const maxMessageChars = 200

/** The rare fields of a finished build; all fields without a column of a running one. */
function restOf(build: Build): Partial<Build> | 0 {
  if (!isDone(build.status)) return build
  const { title, error, actor, parent, canceled, canceled_by, declined, declined_by, ended, waiting } = build
  const some: Partial<Build> = {
    ...(title && { title }),
    ...(error && { error }),
    ...(actor && { actor }),
    ...(parent && { parent }),
    ...(canceled && { canceled }),
    ...(canceled_by && { canceled_by }),
    ...(declined && { declined }),
    ...(declined_by && { declined_by }),
    ...(ended && { ended }),
    ...(waiting && { waiting }),
    ...(!build.author_login && { author_name: build.author_name }),
  }
  return Object.keys(some).length > 0 ? some : 0
}

const since = (time: number, created: number): number | null => (time === 0 ? null : time - created)

export function packRepos(repos: readonly Repo[]): RepoColumns {
  const builds = repos.flatMap(({ build }) => build ?? [])
  return {
    id: repos.map(({ id }) => id),
    namespace: repos.map(({ namespace }) => namespace),
    name: repos.map(({ name }) => name),
    active: repos.map(({ active }) => Number(active)),
    version: repos.map(({ version }) => version),
    number: repos.map(({ build }) => build?.number ?? 0),
    build: {
      id: builds.map(({ id }) => id),
      status: builds.map(({ status }) => status),
      event: builds.map(({ event }) => event),
      message: builds.map(({ message }) => firstLine(message).slice(0, maxMessageChars)),
      target: builds.map(({ target }) => target),
      after: builds.map(({ after }) => after.slice(0, shortHash)),
      trigger: builds.map(({ trigger }) => trigger),
      author_login: builds.map((build) => build.author_login),
      author_avatar: builds.map((build) => build.author_avatar),
      sender: builds.map(({ sender }) => sender),
      created: builds.map(({ created }) => created),
      started: builds.map(({ started, created }) => since(started, created)),
      finished: builds.map(({ finished, created }) => since(finished, created)),
      version: builds.map(({ version }) => version),
      rest: builds.map(restOf),
    },
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
const holds = (columns: unknown, names: string, length: number, fits: (cell: unknown) => boolean): boolean =>
  isRecord(columns) &&
  names.split(' ').every((name) => {
    const column = columns[name]
    return Array.isArray(column) && column.length === length && column.every(fits)
  })
const isText = (cell: unknown): boolean => typeof cell === 'string'
const isNumber = (cell: unknown): boolean => typeof cell === 'number'
const oneOf = (words: readonly unknown[]) => (cell: unknown) => words.includes(cell)

/** Whether every column is present, has the same length and the right type. */
export function areRepoColumns(value: unknown): value is RepoColumns {
  if (!isRecord(value) || !Array.isArray(value['number'])) return false
  const { number, build } = value
  const all = number.length
  const built = number.filter((cell) => cell !== 0).length
  return (
    holds(value, 'id active version number', all, isNumber) &&
    holds(value, 'namespace name', all, isText) &&
    holds(build, 'id created version', built, isNumber) &&
    holds(build, 'started finished', built, (cell) => cell === null || isNumber(cell)) &&
    holds(build, 'message target after trigger author_login author_avatar sender', built, isText) &&
    holds(build, 'status', built, oneOf(statuses)) &&
    holds(build, 'event', built, oneOf(buildEvents)) &&
    holds(build, 'rest', built, (cell) => cell === 0 || isRecord(cell))
  )
}

/**
 * The build at an index of the columns. Fields without a column are empty: lists don't show them,
 * and an event or the request for the build provides them. Assigns each field separately: spreads
 * were fifty times slower.
 */
function buildAt({ build }: RepoColumns, at: number, repo: number, number: number): Build {
  const created = build.created[at] ?? 0
  const time = (after: number | null | undefined): number => (typeof after === 'number' ? created + after : 0)
  const rest = build.rest[at]
  const made: Build = {
    id: build.id[at] ?? 0,
    repo_id: repo,
    trigger: build.trigger[at] ?? '',
    number,
    status: build.status[at] ?? 'error',
    event: build.event[at] ?? 'push',
    action: '',
    link: '',
    timestamp: 0,
    message: build.message[at] ?? '',
    before: '',
    after: build.after[at] ?? '',
    ref: '',
    source_repo: '',
    source: '',
    target: build.target[at] ?? '',
    author_login: build.author_login[at] ?? '',
    author_name: '',
    author_email: '',
    author_avatar: build.author_avatar[at] ?? '',
    sender: build.sender[at] ?? '',
    started: time(build.started[at]),
    finished: time(build.finished[at]),
    created,
    updated: 0,
    version: build.version[at] ?? 0,
  }
  return rest ? { ...made, ...rest } : made
}

function repoAt(columns: RepoColumns, at: number, build: Build | undefined): Repo {
  const namespace = columns.namespace[at] ?? ''
  const name = columns.name[at] ?? ''
  const repo: Repo = {
    id: columns.id[at] ?? 0,
    uid: '',
    user_id: 0,
    namespace,
    name,
    slug: `${namespace}/${name}`,
    scm: '',
    git_http_url: '',
    git_ssh_url: '',
    link: '',
    default_branch: '',
    private: false,
    visibility: 'private',
    active: columns.active[at] === 1,
    config_path: '',
    trusted: false,
    protected: false,
    ignore_forks: false,
    ignore_pull_requests: false,
    auto_cancel_pull_requests: false,
    auto_cancel_pushes: false,
    auto_cancel_running: false,
    timeout: 0,
    counter: 0,
    synced: 0,
    created: 0,
    updated: 0,
    version: columns.version[at] ?? 0,
    archived: false,
  }
  if (build) repo.build = build
  return repo
}

/** The repositories of the columns, in the same order. */
export function unpackRepos(columns: RepoColumns): Repo[] {
  let built = 0
  return columns.number.map((number, at) =>
    repoAt(columns, at, number === 0 ? undefined : buildAt(columns, built++, columns.id[at] ?? 0, number)),
  )
}
