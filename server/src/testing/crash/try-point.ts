/** For tests: one run of a server with a fault at one of its writes. */
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { thisPlatform } from '../../machine/platform.ts'
import { endOrphans } from '../../runner/processes/end-processes.ts'
import { isAlive, spawnServer, type ServerProcess } from '../server-process.ts'
import { testRepository } from '../test-repository.ts'
import { checkDatabase, checkConfirmed } from './checks.ts'
import { createClient, GoneError } from './client.ts'
import { runWorkload, nothingConfirmed, pipelineFiles, type Confirmed } from './workload.ts'

export const endings = ['kill', 'tear'] as const
export const failures = ['ENOSPC', 'EIO', 'EROFS'] as const
export type FaultKind = (typeof endings)[number] | (typeof failures)[number]

/** `at`: the number of the operation, from 1. `length`: how many fail from there on. */
export interface Point {
  at: number
  kind: FaultKind
  length: number
}

export interface Outcome {
  /** The problems found; empty if the server kept its promises. */
  wrong: string[]
  /** The operations of the run, including the one with the fault. */
  operations: string[]
  /** The first operation with the fault; `undefined` if the run had fewer. */
  hit: string | undefined
  confirmed: Confirmed
}

const { os, arch } = thisPlatform()
const head = `kind: pipeline\ntype: exec\nname: default\nplatform: { os: ${os}, arch: ${arch} }\nsteps:\n`

const preload = pathToFileURL(join(import.meta.dirname, 'write-faults.mjs')).href

/** Without `point`, operations are only counted. */
export async function tryPoint(point?: Point): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'flightdeck-crash-'))
  // Steps run as another account where the tests run as root.
  chmodSync(folder, 0o755)
  const data = join(folder, 'data')
  const trace = join(folder, 'trace')
  const confirmed = nothingConfirmed()
  const files = pipelineFiles(head)
  const origin = testRepository(join(folder, 'repos/acme/web'))
  origin.commit(files.short, 'First')
  const servers: ServerProcess[] = []
  const start = (environment: Record<string, string> = {}) => {
    const server = spawnServer(['--port', '0', '--data', data, '--repos', join(folder, 'repos')], environment)
    servers.push(server)
    return server
  }
  const clientOf = (address: string) => createClient(address, data, (refusal) => confirmed.refusals.push(refusal))
  const faults = {
    NODE_OPTIONS: `--import=${preload}`,
    WRITE_FAULTS_FOLDER: data,
    WRITE_FAULTS_TRACE: trace,
    ...(point && { WRITE_FAULTS_AT: String(point.at), WRITE_FAULTS_KIND: point.kind }),
    ...(point && { WRITE_FAULTS_LENGTH: String(point.length) }),
  }

  const operations = () => (existsSync(trace) ? readFileSync(trace, 'utf8').trim().split('\n') : [])
  const isFailure = point !== undefined && failures.some((kind) => kind === point.kind)

  /** Returns the server if it still runs afterwards. */
  async function liveOnce(wrong: string[]): Promise<string | undefined> {
    const server = start(faults)
    const address = await server.ready.catch(() => undefined)
    if (address === undefined) {
      const { code, stderr } = await server.ended
      if (isFailure && (code === 0 || code === null || stderr === ''))
        wrong.push(`the start ended with ${code}, and said "${stderr}"`)
      return undefined
    }
    try {
      await runWorkload(clientOf(address), origin, files, confirmed)
    } catch (error) {
      if (!(error instanceof GoneError)) throw error
      if (isFailure) wrong.push(`no answer to ${error.message}: ${String(error.cause)}`)
    }
    if (isFailure) {
      if (isAlive(server.pid)) server.kill('SIGUSR2')
      else wrong.push(`the server ended: ${server.errors()}`)
      return isAlive(server.pid) ? address : undefined
    }
    server.kill('SIGKILL')
    await server.ended
    return undefined
  }

  try {
    const wrong: string[] = []
    const served = await liveOnce(wrong)
    if (served === undefined) wrong.push(...checkDatabase(data, join(folder, 'copy')))
    const address = served ?? (await start().ready)
    // The builds that the checks start must end.
    if (confirmed.pushed === undefined) origin.commit(files.short, 'Short')
    wrong.push(...(await checkConfirmed(clientOf(address), data, confirmed)))
    const last = servers.at(-1)
    last?.kill('SIGTERM')
    const ended = await last?.ended
    if (ended?.code !== 0) wrong.push(`the server ended with ${ended?.code ?? ended?.signal}: ${ended?.stderr}`)
    wrong.push(...checkDatabase(data, join(folder, 'copy')))
    const all = operations()
    return { wrong, operations: all, hit: all.find((line) => line.split(' ')[1] === point?.kind), confirmed }
  } catch (error) {
    const errors = servers.map((server) => server.errors()).join('')
    throw new Error(`${String(error)}\n${errors}${confirmed.refusals.join('\n')}`, { cause: error })
  } finally {
    for (const server of servers) server.kill('SIGKILL')
    await Promise.all(servers.map(({ ended }) => ended))
    await endOrphans(data, 0)
    rmSync(folder, { recursive: true, force: true })
  }
}
