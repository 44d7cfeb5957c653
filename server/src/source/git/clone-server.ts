/**
 * Serves clones and fetches (git's "smart" protocol over HTTP). Only `upload-pack` runs, for a
 * folder that the caller has looked up. The repository's own configuration cannot run programs.
 */
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { CloneServer, PackRequest } from '../../interfaces/clone.ts'
import { openLfsObject } from './lfs-objects.ts'
import { findGitDir, readHead } from '../repositories/git-dir.ts'
import { killGroup } from '../../lib/kill-group.ts'
import { Refusal } from '../../lib/refusal.ts'
import { gitFailure } from './git-errors.ts'
import { safeOptions } from './run-git.ts'
import { createViews } from './repository-view.ts'

export interface CloneServerOptions {
  environment: Readonly<Record<string, string>>
  /**
   * The folder for the server's own git directories through which repositories are read
   * (`repository-view.ts`).
   */
  folder: string
  /** The maximum number of git processes. */
  maxConcurrency?: number
  /** The maximum number of requests that wait for a git process. */
  maxWaiting?: number
  /** The maximum number of git processes of one build, and for one runner. */
  perBuild?: number
  perRunner?: number
  /** How long a request waits for a git process. */
  waitMs?: number
  /** git is stopped after this long without output. */
  idleMs?: number
  /** The time in which a client must read `minBytes`; together they set the minimum speed. */
  slowMs?: number
  minBytes?: number
  /** The time limit for the client's request body. */
  inputMs?: number
  /** The time limit for one response. */
  totalMs?: number
}

const usual = {
  maxConcurrency: 8,
  maxWaiting: 200,
  perBuild: 2,
  perRunner: 4,
  waitMs: 60_000,
  idleMs: 120_000,
  // 16 KiB a second, counting only the time that git waits for the client.
  slowMs: 15_000,
  minBytes: 15 * 16 * 1024,
  inputMs: 15_000,
  totalMs: 60 * 60_000,
}

const killedCode = 137

type SlotLimits = Pick<typeof usual, 'maxConcurrency' | 'maxWaiting' | 'perBuild' | 'perRunner' | 'waitMs'>

interface Requester {
  build: string
  runner: string
}

/**
 * Runs at most `maxConcurrency` jobs at once, and fewer per build or runner, so that none takes all
 * slots. The job that has waited longest and is within its limits is next. A job that waits too
 * long is refused, and a job whose client has disconnected is dropped.
 */
function createSlots({ maxConcurrency, maxWaiting, perBuild, perRunner, waitMs }: SlotLimits) {
  const taken: Requester[] = []
  const waiting = new Set<{ requester: Requester; begin: () => void }>()

  function mayBegin({ build, runner }: Requester): boolean {
    if (taken.length >= maxConcurrency) return false
    const ofBuild = taken.filter((one) => one.build === build).length
    const ofRunner = taken.filter((one) => one.runner === runner).length
    return ofBuild < perBuild && ofRunner < perRunner
  }
  function release(requester: Requester): void {
    const index = taken.indexOf(requester)
    if (index < 0) return
    taken.splice(index, 1)
    for (const one of waiting) if (mayBegin(one.requester)) one.begin()
  }
  function wait(requester: Requester, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiter = { requester, begin: () => settle(resolve, true) }
      const refuse = (refusal: Refusal) => settle(() => reject(refusal), false)
      const onAbort = () => refuse(new Refusal(499, 'The client disconnected'))
      const timer = setTimeout(() => refuse(new Refusal(503, 'Too many clones at once')), waitMs)
      function settle(then: () => void, isTaken: boolean): void {
        clearTimeout(timer)
        signal.removeEventListener('abort', onAbort)
        waiting.delete(waiter)
        if (isTaken) taken.push(requester)
        then()
      }
      waiting.add(waiter)
      if (signal.aborted) onAbort()
      else signal.addEventListener('abort', onAbort, { once: true })
    })
  }
  return {
    async take(given: Requester, signal: AbortSignal): Promise<() => void> {
      // A new object for each call, so that releasing twice has no further effect.
      const requester = { ...given }
      if (mayBegin(requester)) taken.push(requester)
      else {
        if (waiting.size >= maxWaiting) throw new Refusal(503, 'Too many clones at once')
        await wait(requester, signal)
      }
      return () => release(requester)
    },
  }
}

/** Of partial clones: those that cost git no more than a full clone. */
const filters = [
  'uploadpack.allowFilter=true',
  'uploadpackfilter.allow=false',
  'uploadpackfilter.blob:none.allow=true',
  'uploadpackfilter.blob:limit.allow=true',
  'uploadpackfilter.tree.allow=true',
  'uploadpackfilter.tree.maxDepth=0',
].flatMap((option) => ['-c', option])

/** Sets the branch that a clone checks out. */
async function pointHead(view: string, branch: string | null): Promise<void> {
  const file = join(view, 'HEAD')
  const head = `ref: refs/heads/${branch ?? 'main'}\n`
  if ((await readFile(file, 'utf8')) === head) return
  const other = `${file}.${randomUUID()}`
  await writeFile(other, head)
  await rename(other, file)
}

export function createCloneServer({ environment, folder, ...given }: CloneServerOptions): CloneServer {
  const views = createViews(folder)
  const limits = { ...usual, ...given }
  const slots = createSlots(limits)

  async function start(repository: string, { advertise, protocol, input, signal }: PackRequest, release: () => void) {
    const found = await findGitDir(repository)
    if (!found) throw new Refusal(404, 'Not Found')
    // A repository that uses the objects of another repository must not serve them.
    const { path: gitDir } = await views
      .open(found.commonDir)
      .catch(() => Promise.reject(new Refusal(404, 'Not Found')))
    await pointHead(gitDir, await readHead(found.gitDir))
    const args = ['--strict', '--stateless-rpc', ...(advertise ? ['--advertise-refs'] : []), gitDir]
    const child = spawn('git', [...safeOptions, ...filters, 'upload-pack', ...args], {
      cwd: '/',
      env: {
        ...environment,
        // A partial clone must not fetch missing objects from a URL of its configuration.
        GIT_NO_LAZY_FETCH: '1',
        GIT_ALLOW_PROTOCOL: 'none',
        GIT_CEILING_DIRECTORIES: dirname(gitDir),
        // The value is checked: it has only digits and git's own keywords.
        ...(protocol !== undefined && /^[a-z0-9=:.-]{1,100}$/.test(protocol) && { GIT_PROTOCOL: protocol }),
      },
      stdio: ['pipe', 'pipe', 'pipe'],
      // A separate process group, because git starts `pack-objects`.
      detached: true,
    })
    // Closes the pipe too. Otherwise unread output would keep git, although it has ended, and its
    // slot for as long as the client reads nothing.
    const kill = () => {
      killGroup(child, 'SIGKILL')
      child.stdout.destroy(new Error('git was ended'))
    }
    child.stdout.on('error', () => {})
    const ended = new Promise<number>((resolve) => {
      child.once('error', () => resolve(127))
      child.once('close', (code) => resolve(code ?? killedCode))
    })
    void ended.then(release)
    let stderr = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      if (stderr.length < 4096) stderr += text
    })
    signal.addEventListener('abort', kill, { once: true })
    if (signal.aborted) kill()
    // git can exit before it has read all input, so a write error is then expected. Input that
    // cannot be read ends git.
    let fault: Error | undefined
    const lateInput = setTimeout(() => {
      fault = new Refusal(408, 'The request is too slow')
      kill()
    }, limits.inputMs)
    const killTimer = setTimeout(kill, limits.totalMs)
    void ended.then(() => [lateInput, killTimer].forEach(clearTimeout))
    const fed = pipeline(input, child.stdin).finally(() => clearTimeout(lateInput))
    fed.catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE' || error.code === 'ERR_STREAM_PREMATURE_CLOSE') return
      fault = 'status' in error ? error : new Refusal(400, 'The request cannot be read')
      kill()
    })
    return { child, kill, ended, stderr: () => stderr.trim(), fault: () => fault }
  }

  return {
    openLfsObject,
    async serve(repository, request) {
      const { build = '', runner = '' } = request
      const release = await slots.take({ build, runner }, request.signal)
      let running: Awaited<ReturnType<typeof start>>
      try {
        running = await start(repository, request, release)
      } catch (error) {
        release()
        throw error
      }
      const { child, kill, ended } = running
      const output = (async function* () {
        let timer = setTimeout(kill, limits.idleMs)
        let waitedMs = 0
        let taken = 0
        try {
          for await (const bytes of child.stdout as AsyncIterable<Uint8Array>) {
            clearTimeout(timer)
            timer = setTimeout(kill, limits.slowMs - waitedMs)
            const startedAt = performance.now()
            yield bytes
            clearTimeout(timer)
            timer = setTimeout(kill, limits.idleMs)
            waitedMs += performance.now() - startedAt
            taken += bytes.length
            if (taken < limits.minBytes) continue
            waitedMs = 0
            taken = 0
          }
          // A truncated pack must not look complete. git has reported its own refusals to the
          // client.
          if ((await ended) === killedCode) throw new Error('git was ended')
        } finally {
          clearTimeout(timer)
          request.signal.removeEventListener('abort', kill)
          kill()
        }
      })()
      const first = await output.next().catch((error: unknown) => {
        throw running.fault() ?? error
      })
      // git failed without a message for the client.
      const code = first.done ? await ended : 0
      if (code !== 0) throw gitFailure('git cannot read the repository', { stderr: running.stderr(), code })
      return (async function* () {
        try {
          if (!first.done) yield first.value
          yield* output
        } finally {
          await output.return()
        }
      })()
    },
  }
}
