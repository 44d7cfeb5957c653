/**
 * Reading a repository from elsewhere (git's "smart" protocol over HTTP). Only `upload-pack` is ever started, on a folder
 * that the caller has looked up; whatever the repository's own configuration says, nothing of it runs.
 */
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { CloneServer, PackRequest } from '../../interfaces/clone.ts'
import { findGitDir, readHead } from '../repositories/git-dir.ts'
import { Refusal } from '../../refusal.ts'
import { complaintOf } from './complaints.ts'
import { safeOptions } from './run.ts'
import { createViews } from './view.ts'

export interface CloneServerOptions {
  environment: Readonly<Record<string, string>>
  /** For the git directories of ours through which repositories are read (`view.ts`). */
  folder: string
  /** git processes at once. */
  most?: number
  /** Requests that wait for one. */
  mostWaiting?: number
  /** A client that takes nothing for so long loses its process. */
  idleMs?: number
}

const killedCode = 137

/** Runs at most `most` at once; who waits and goes away is forgotten. */
function createPlaces(most: number, mostWaiting: number) {
  let taken = 0
  const waiting = new Set<() => void>()
  return {
    async take(signal: AbortSignal): Promise<() => void> {
      if (taken >= most) {
        if (waiting.size >= mostWaiting) throw new Refusal(503, 'Too many clones at once')
        await new Promise<void>((resolve, reject) => {
          const next = () => {
            signal.removeEventListener('abort', gone)
            resolve()
          }
          const gone = () => {
            waiting.delete(next)
            reject(new Refusal(499, 'The client disconnected'))
          }
          waiting.add(next)
          if (signal.aborted) gone()
          else signal.addEventListener('abort', gone, { once: true })
        })
      } else taken += 1
      return () => {
        const [next] = waiting
        if (next) {
          // The place goes from hand to hand.
          waiting.delete(next)
          next()
        } else taken -= 1
      }
    },
  }
}

/** Which branch a clone checks out. */
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
  const places = createPlaces(given.most ?? 4, given.mostWaiting ?? 200)
  const idleMs = given.idleMs ?? 120_000

  async function start(repository: string, { advertise, protocol, input, signal }: PackRequest, leave: () => void) {
    const found = await findGitDir(repository)
    if (!found) throw new Refusal(404, 'Not Found')
    // Those of another repository are not this one's to give away.
    const { path: gitDir } = await views
      .open(found.commonDir)
      .catch(() => Promise.reject(new Refusal(404, 'Not Found')))
    await pointHead(gitDir, await readHead(found.gitDir))
    const words = ['--strict', '--stateless-rpc', ...(advertise ? ['--advertise-refs'] : []), gitDir]
    const child = spawn('git', [...safeOptions, '-c', 'uploadpack.allowFilter=false', 'upload-pack', ...words], {
      cwd: '/',
      env: {
        ...environment,
        // What a partial clone lacks is not fetched from wherever its configuration says.
        GIT_NO_LAZY_FETCH: '1',
        GIT_ALLOW_PROTOCOL: 'none',
        GIT_CEILING_DIRECTORIES: dirname(gitDir),
        // Its form is checked: nothing but numbers and words of git's own.
        ...(protocol !== undefined && /^[a-z0-9=:.-]{1,100}$/.test(protocol) && { GIT_PROTOCOL: protocol }),
      },
      stdio: ['pipe', 'pipe', 'pipe'],
      // A group of its own, since it starts `pack-objects`.
      detached: true,
    })
    const kill = () => {
      if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
      try {
        process.kill(-child.pid, 'SIGKILL')
      } catch {
        // It has just ended by itself.
      }
    }
    const ended = new Promise<number>((resolve) => {
      child.once('error', () => resolve(127))
      child.once('close', (code) => resolve(code ?? killedCode))
    })
    void ended.then(leave)
    let told = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      if (told.length < 4096) told += text
    })
    signal.addEventListener('abort', kill, { once: true })
    if (signal.aborted) kill()
    // A git that needs no more of it ends before; then writing fails, and nobody minds. What cannot be read ends it.
    let fault: Error | undefined
    pipeline(input, child.stdin).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE' || error.code === 'ERR_STREAM_PREMATURE_CLOSE') return
      fault = 'status' in error ? error : new Refusal(400, 'The request cannot be read')
      kill()
    })
    return { child, kill, ended, words: () => told.trim(), fault: () => fault }
  }

  return {
    async serve(repository, request) {
      const leave = await places.take(request.signal)
      let running: Awaited<ReturnType<typeof start>>
      try {
        running = await start(repository, request, leave)
      } catch (error) {
        leave()
        throw error
      }
      const { child, kill, ended } = running
      const output = (async function* () {
        let timer = setTimeout(kill, idleMs)
        try {
          for await (const bytes of child.stdout as AsyncIterable<Uint8Array>) {
            clearTimeout(timer)
            timer = setTimeout(kill, idleMs)
            yield bytes
          }
          // A pack that was cut must not look whole; what git itself refuses, it has told the client.
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
      // Without a word for the client.
      if (first.done && (await ended) !== 0)
        throw new Refusal(500, `git cannot read the repository: ${complaintOf(running.words(), await ended)}`)
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
