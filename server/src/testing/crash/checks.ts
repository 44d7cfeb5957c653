/**
 * For tests: checks that a restarted server has kept its promises. Each returns the problems found.
 */
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { isDone, type Build, type Cron, type Line, type Repo } from '@flightdeck/api'
import { folderMark } from '../../machine/process-mark.ts'
import { findProcesses } from '../../runner/processes/find-processes.ts'
import type { Client } from './client.ts'
import { awaitBuild, builds, isBlocked, shownAs, waitFor, type Confirmed } from './workload.ts'

/** Checks the integrity of a folder's database in a copy, as the next start would find it. */
export function checkDatabase(data: string, copy: string): string[] {
  const name = 'flightdeck.db'
  if (!existsSync(join(data, name))) return []
  mkdirSync(copy, { recursive: true })
  for (const file of readdirSync(data)) if (file.startsWith(name)) cpSync(join(data, file), join(copy, file))
  const db = new DatabaseSync(join(copy, name))
  try {
    const answers = [
      ...db.prepare('pragma integrity_check').all(),
      ...db.prepare('pragma foreign_key_check').all(),
    ] as Record<string, unknown>[]
    const wrong = answers.filter((row) => row['integrity_check'] !== 'ok')
    return wrong.map((row) => `the database: ${JSON.stringify(row)}`)
  } finally {
    db.close()
    rmSync(copy, { recursive: true })
  }
}

async function checkLines(client: Client, number: number, lines: ReadonlyMap<number, string>): Promise<string[]> {
  if (lines.size === 0) return []
  const log = await client.call<Line[]>(`${builds}/${number}/logs/1/2`)
  if (!log) return [`the log of build ${number}, of which ${lines.size} lines were seen, is gone`]
  const stored = new Map(log.map(({ pos, out }) => [pos, out]))
  return [...lines]
    .filter(([pos, out]) => stored.get(pos) !== out)
    .map(([pos, out]) => `build ${number}: line ${pos} was seen as ${JSON.stringify(out)}, and is ${stored.get(pos)}`)
}

async function checkBuild(client: Client, number: number, confirmed: Confirmed): Promise<string[]> {
  const build = await awaitBuild(client, number)
  const wrong: string[] = []
  if (isBlocked(build) && confirmed.approved.has(number)) wrong.push(`build ${number} was approved, and waits`)
  const shown = confirmed.ended.get(number)
  if (shown !== undefined && shown !== shownAs(build))
    wrong.push(`build ${number} had ended as ${shown}, and is ${shownAs(build)}`)
  if (confirmed.canceled.has(number) && build.status !== 'killed')
    wrong.push(`build ${number} was canceled, and is ${shownAs(build)}`)
  if (build.status === 'error' && !hasReason(build)) wrong.push(`build ${number} ended without a reason`)
  const open = (build.stages ?? []).flatMap((stage) => [stage, ...(stage.steps ?? [])])
  if (isDone(build.status) && open.some(({ status }) => !isDone(status)))
    wrong.push(`build ${number} has ended, and a part of it has not: ${shownAs(build)}`)
  return [...wrong, ...(await checkLines(client, number, confirmed.lines.get(number) ?? new Map()))]
}

const hasReason = ({ error, stages = [] }: Build): boolean =>
  [error, ...stages.flatMap((stage) => [stage.error, ...(stage.steps ?? []).map((step) => step.error)])].some(Boolean)

async function checkSettings(client: Client, { isProtected, hasCron }: Confirmed): Promise<string[]> {
  const wrong: string[] = []
  const repo = await client.call<Repo>('/api/repos/acme/web')
  if (isProtected !== undefined && repo?.protected !== isProtected)
    wrong.push(`"protected" was saved as ${isProtected}, and is ${repo?.protected}`)
  const jobs = (await client.call<Cron[]>('/api/repos/acme/web/cron')) ?? []
  if (hasCron && !jobs.some(({ name }) => name === 'nightly')) wrong.push('the saved cron job is gone')
  return wrong
}

/** The head that was pushed is built. */
const checkPush = async (client: Client, { pushed }: Confirmed): Promise<void> => {
  if (pushed === undefined) return
  await waitFor(`a build of the push ${pushed}`, async () =>
    (await client.call<Build[]>(builds))?.find(({ after, event }) => after === pushed && event === 'push'),
  )
}

/**
 * Checks a running server: its promises, that all builds ended, that a new build succeeds, and that
 * no process is left.
 */
export async function checkConfirmed(client: Client, data: string, confirmed: Confirmed): Promise<string[]> {
  await waitFor('a session', async () => (await client.signIn()) || undefined)
  await waitFor('the active repository', () => client.isAccepted('/api/repos/acme/web', 'POST'))
  const wrong = await checkSettings(client, confirmed)
  await checkPush(client, confirmed)
  const all = (await client.call<Build[]>(builds)) ?? []
  const numbers = new Set(all.map(({ number }) => number))
  for (const number of confirmed.builds) if (!numbers.has(number)) wrong.push(`build ${number} is gone`)
  for (const { number, message, status } of all) {
    // It never ends, and its cancellation failed or got no response.
    if (message.startsWith('Endless') && !isDone(status)) await client.isAccepted(`${builds}/${number}`, 'DELETE')
    wrong.push(...(await checkBuild(client, number, confirmed)))
  }
  if (!(await client.isAccepted('/api/repos/acme/web', 'PATCH', { protected: false })))
    wrong.push('a setting was refused')
  const created = await client.call<Build>(builds, 'POST')
  if (!created) return [...wrong, 'a new build was refused']
  const { status } = await awaitBuild(client, created.number)
  if (status !== 'success') wrong.push(`a new build ended with ${status}`)
  const mark = await folderMark(data)
  await waitFor('the end of all processes', async () => (await findProcesses({ mark })).length === 0 || undefined)
  return wrong
}
