/**
 * For tests: the actions of users while one of the server's writes crashes or fails, and what the
 * server confirmed meanwhile.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { isDone, type Build, type Line } from '@flightdeck/api'
import type { testRepository } from '../test-repository.ts'
import type { Client } from './client.ts'

export const builds = '/api/repos/acme/web/builds'

/** What the server has confirmed, and must keep after any crash. */
export interface Confirmed {
  /** Numbers that a call answered with status 200. */
  builds: Set<number>
  /** Builds that were shown as ended, in that state. */
  ended: Map<number, string>
  /** Per build and position: the lines of its second step that a reader saw. */
  lines: Map<number, Map<number, string>>
  canceled: Set<number>
  approved: Set<number>
  /** The setting; `undefined` while it is uncertain. */
  isProtected: boolean | undefined
  hasCron: boolean
  /**
   * The head of the branch, which must be built, since it was pushed while the repository was
   * active.
   */
  pushed: string | undefined
  /** Errors of failed calls. */
  refusals: string[]
}

export const nothingConfirmed = (): Confirmed => ({
  builds: new Set(),
  ended: new Map(),
  lines: new Map(),
  canceled: new Set(),
  approved: new Set(),
  isProtected: undefined,
  hasCron: false,
  pushed: undefined,
  refusals: [],
})

/**
 * The pipeline files: one with a second step that prints for a while, and one that waits until it
 * is canceled.
 */
export const pipelineFiles = (head: string) => {
  const printing = 'i=0; while [ $i -lt 12 ]; do i=$((i + 1)); echo "line $i"; sleep 0.02; done'
  return {
    short: {
      '.drone.yml': `${head}- name: one\n  commands: ['${printing}']\n- name: two\n  commands: ['${printing}']\n`,
    },
    // Only for custom events: otherwise its push would start a build that never ends.
    endless: {
      '.drone.yml': `trigger: { event: [custom] }\n${head}- name: one\n  commands: ['echo begun', 'sleep 1000']\n`,
    },
  }
}

/** The fields that never change once a build has ended. */
export const shownAs = ({ status, error, started, finished, stages = [] }: Build): string =>
  JSON.stringify({
    status,
    error,
    started,
    finished,
    stages: stages.map((stage) => ({
      shown: [stage.status, stage.error, stage.exit_code, stage.started, stage.stopped],
      steps: stage.steps?.map((step) => [step.name, step.status, step.exit_code, step.started, step.stopped]),
    })),
  })

/** Timeout in milliseconds, long enough for a machine that is ten times slower. */
const timeoutMs = 60_000

/** Polls until the result is defined and `isEnough` accepts it. */
export async function waitFor<T>(
  what: string,
  read: () => Promise<T | undefined>,
  isEnough: (found: T) => boolean = () => true,
): Promise<T> {
  const deadline = performance.now() + timeoutMs
  for (;;) {
    const found = await read()
    if (found !== undefined && isEnough(found)) return found
    if (performance.now() > deadline) throw new Error(`waited in vain for ${what}: ${JSON.stringify(found)}`)
    await delay(40)
  }
}

export const isBlocked = ({ stages = [] }: Build): boolean => stages.some(({ status }) => status === 'blocked')

/** A build that has ended, or waits for approval. */
export const awaitBuild = (client: Client, number: number): Promise<Build> =>
  waitFor(
    `the end of build ${number}`,
    () => client.call<Build>(`${builds}/${number}`),
    (build) => isDone(build.status) || isBlocked(build),
  )

/**
 * Follows the second step's log from its beginning to its end, or to its first line; each line
 * counts as seen when it has arrived.
 */
async function readLines(client: Client, number: number, confirmed: Confirmed, isFirstEnough = false): Promise<void> {
  const build = await waitFor(
    `step 2 of build ${number}`,
    () => client.call<Build>(`${builds}/${number}`),
    (found) => {
      const { status = '' } = found.stages?.[0]?.steps?.[1] ?? {}
      return isDone(found.status) || isBlocked(found) || status === 'running' || isDone(status)
    },
  )
  if (isBlocked(build)) return
  const lines = confirmed.lines.get(number) ?? new Map<number, string>()
  confirmed.lines.set(number, lines)
  for await (const line of client.follow(`/api/stream/acme/web/${number}/1/2`)) {
    const { pos, out } = JSON.parse(line) as Line
    lines.set(pos, out)
    if (isFirstEnough) return
  }
}

/** Reads a build until it ends, and records what it showed. */
async function watch(client: Client, number: number, confirmed: Confirmed): Promise<void> {
  await readLines(client, number, confirmed)
  const build = await awaitBuild(client, number)
  if (isDone(build.status)) confirmed.ended.set(number, shownAs(build))
}

/**
 * Runs everything from the first sign-in to the last click. Rejects if the server is down; records
 * refused calls and continues.
 */
export async function runWorkload(
  client: Client,
  origin: ReturnType<typeof testRepository>,
  files: ReturnType<typeof pipelineFiles>,
  confirmed: Confirmed,
): Promise<void> {
  const start = async (path: string): Promise<number | undefined> => {
    const build = await client.call<Build>(path, 'POST')
    if (build) confirmed.builds.add(build.number)
    return build?.number
  }
  const protect = async (isProtected: boolean) => {
    confirmed.isProtected = undefined
    if (await client.isAccepted('/api/repos/acme/web', 'PATCH', { protected: isProtected }))
      confirmed.isProtected = isProtected
  }
  // Required steps, which are repeated if they fail.
  await waitFor('a session', async () => (await client.signIn()) || undefined)
  await waitFor('an active repository', () => client.isAccepted('/api/repos/acme/web', 'POST'))
  const cron = { name: 'nightly', expr: '0 0 0 1 1 *', branch: 'main' }
  if (await client.isAccepted('/api/repos/acme/web/cron', 'POST', cron)) confirmed.hasCron = true

  const first = await start(builds)
  if (first !== undefined) await watch(client, first, confirmed)

  confirmed.pushed = origin.commit({ 'pushed.txt': 'pushed' }, 'Pushed')

  await protect(true)
  const blocked = await start(builds)
  if (blocked !== undefined) {
    const approved = await client.isAccepted(`${builds}/${blocked}/approve/1`, 'POST')
    if (approved) confirmed.approved.add(blocked)
    if (approved) await watch(client, blocked, confirmed)
  }
  await protect(false)

  confirmed.pushed = undefined
  origin.commit(files.endless, 'Endless')
  const endless = await start(builds)
  if (endless !== undefined) {
    await readLines(client, endless, confirmed, true)
    // A build that a fault has already ended stays unchanged.
    const killedBuild = await client.call<Build>(`${builds}/${endless}`, 'DELETE')
    if (killedBuild?.status === 'killed') confirmed.canceled.add(endless)
  }
  confirmed.pushed = origin.commit(files.short, 'Short')

  const planned = confirmed.hasCron ? await start('/api/repos/acme/web/cron/nightly') : undefined
  if (planned !== undefined) await watch(client, planned, confirmed)
}
