/**
 * Receives pushes to a local repository (git's "smart" protocol over HTTP). `receive-pack` runs in
 * the server's own git directory with links to the repository's objects and refs, so the
 * repository's configuration and hooks do not run.
 */
import { spawn } from 'node:child_process'
import { constants } from 'node:fs'
import { access, chown, lstat, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { PushRequest, PushServer } from '../../interfaces/push.ts'
import { timeoutSignal } from '../../lib/abort.ts'
import { DiskFullError, watchSpace, type WatchSpaceOptions } from '../../lib/disk-space.ts'
import { killGroup } from '../../lib/kill-group.ts'
import { Refusal } from '../../lib/refusal.ts'
import { absent, findGitDir, readHead, type GitDir } from '../repositories/git-dir.ts'
import { readSmallFile } from '../repositories/small-file.ts'
import { gitFailure } from './git-errors.ts'
import { readPushCommands, rejectionReport, tooManyReport } from './push-commands.ts'
import { refusedRefs } from './push-refs.ts'
import { gitEnvironment, limitedGit } from './run-git.ts'
import { ownObjects, ownRefs, readFacts, writeView } from './repository-view.ts'

export interface PushServerOptions extends WatchSpaceOptions {
  /** The maximum number of concurrent pushes, and of those by one person. */
  maxConcurrency?: number
  maxPerPerson?: number
  /** The time limit of one push, including the storing. */
  totalMs?: number
  /** The maximum size of one pack. */
  maxPackBytes?: number
  /**
   * How long a check of the write permission is valid while the push arrives. The permission is
   * checked at the end in any case.
   */
  recheckMs?: number
}

const defaults = { maxConcurrency: 4, maxPerPerson: 2, totalMs: 15 * 60_000, maxPackBytes: 1024 ** 3, recheckMs: 1_000 }

/** Hooks that can reject a push. */
const decidingHooks = ['pre-receive', 'update', 'proc-receive', 'reference-transaction']

interface Owner {
  uid: number
  gid: number
}

/** How much of git's error output is read, in characters. */
const maxErrorChars = 4096
const killedCode = 137
const cannotStore = 'git cannot store the push'

const isExecutable = (file: string): Promise<boolean> =>
  access(file, constants.X_OK).then(
    () => true,
    () => false,
  )

/**
 * Settings of the repository that make pushes stricter. They are found in any section, so they can
 * only be turned on.
 */
const stricter = /(?:^|\])[ \t]*(denydeletes|denynonfastforwards)(?:[ \t]*=[ \t"]*(\w*)|[ \t]*$)/gim

async function stricterSettings(commonDir: string): Promise<Record<string, string>> {
  const text = (await readSmallFile(join(commonDir, 'config'))) ?? ''
  const found: Record<string, string> = {}
  for (const [, name = '', value = 'true'] of text.matchAll(stricter))
    if (/^(?:true|yes|on|[1-9]\d*)$/i.test(value)) found[`receive.${name}`] = 'true'
  return found
}

/**
 * Refuses a repository that Flightdeck must not change. Returns the account as which git runs, or
 * `null` for the server's own.
 */
async function checkRepository({ commonDir }: GitDir): Promise<Owner | null> {
  const hooks = join(commonDir, 'hooks')
  for (const name of decidingHooks)
    if (await isExecutable(join(hooks, name)))
      throw new Refusal(
        403,
        `The repository has a hook ${name}, which Flightdeck does not run: push to its folder directly`,
      )
  const config = (await readSmallFile(join(commonDir, 'config'))) ?? ''
  if (/^[ \t]*refstorage[ \t]*=[ \t]*"?reftable/im.test(config))
    throw new Refusal(403, 'The repository stores its refs in a reftable, and Flightdeck does not push to it')
  const { uid, gid } = await lstat(join(commonDir, 'objects'))
  const self = process.geteuid?.() ?? uid
  if (uid === self) return null
  if (self === 0) return { uid, gid }
  throw new Refusal(403, 'The repository belongs to a different account of this machine: push to its folder directly')
}

interface PushFolder {
  folder: string
  options: string[]
}

/**
 * Creates the server's own git directory for one push. `owner` is the account as which git runs.
 */
async function prepare(found: GitDir, owner: Owner | null, maxPackBytes: number): Promise<PushFolder> {
  const { commonDir } = found
  const { objects } = await ownObjects(commonDir)
  await ownRefs(commonDir)
  const folder = await mkdtemp(join(tmpdir(), 'flightdeck-push-'))
  try {
    await writeView(folder, { commonDir, objects, refs: 'all', facts: await readFacts(commonDir) })
    const head = await readHead(found.gitDir)
    await writeFile(join(folder, 'HEAD'), `ref: refs/heads/${head ?? 'main'}\n`)
    const logs = await lstat(join(commonDir, 'logs')).catch(absent)
    if (logs?.isDirectory()) await symlink(join(commonDir, 'logs'), join(folder, 'logs'))
    if (owner) await chown(folder, owner.uid, owner.gid)
    if (owner) for (const name of await readdir(folder)) await chownFile(join(folder, name), owner)
    const settings = {
      'core.logAllRefUpdates': logs?.isDirectory() ? 'true' : 'false',
      'pack.threads': '1',
      'receive.autogc': 'false',
      'receive.fsckObjects': 'true',
      // Old histories contain these problems, which are harmless.
      'receive.fsck.zeroPaddedFilemode': 'ignore',
      'receive.fsck.missingSpaceBeforeDate': 'ignore',
      'receive.fsck.badTimezone': 'ignore',
      'receive.maxInputSize': `${maxPackBytes}`,
      ...(await stricterSettings(commonDir)),
    }
    return { folder, options: Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`]) }
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
}

/**
 * Changes the owner of a file. Links keep theirs, because they point at files of the repository.
 */
async function chownFile(path: string, { uid, gid }: Owner): Promise<void> {
  if ((await lstat(path)).isFile()) await chown(path, uid, gid)
}

const diskFull = () => new Refusal(503, 'The disk of the server is nearly full')

/** The error for a push that was ended. */
const endOf = ({ reason }: AbortSignal): Refusal =>
  reason instanceof DiskFullError ? diskFull() : new Refusal(408, 'The push took too long')

/** The input until `signal` aborts; then reading fails. */
async function* until(input: AsyncIterable<Uint8Array>, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const through = new PassThrough()
  pipeline(input, through, { signal }).catch((error: Error) => through.destroy(error))
  try {
    yield* through as AsyncIterable<Uint8Array>
  } catch (error) {
    throw signal.aborted && !(error instanceof Refusal) ? endOf(signal) : error
  }
}

interface Recheck extends Pick<PushRequest, 'stillMay'> {
  /** When the write permission was checked, by `performance.now()`. */
  startedAt: number
  recheckMs: number
}

/**
 * The input while the person may write. git changes refs after it has received everything, so the
 * last chunk is passed on only after a new check. A client could send more than git needs, so
 * earlier chunks are checked too if the last check is too old.
 */
async function* recheck(
  input: AsyncIterable<Uint8Array>,
  { stillMay, startedAt, recheckMs }: Recheck,
): AsyncGenerator<Uint8Array> {
  let checked = startedAt
  let buffered: Uint8Array | null = null
  for await (const chunk of input) {
    if (buffered) {
      if (performance.now() - checked >= recheckMs) {
        await stillMay()
        checked = performance.now()
      }
      yield buffered
    }
    buffered = chunk
  }
  await stillMay()
  if (buffered) yield buffered
}

type Child = ReturnType<typeof startReceivePack>

function startReceivePack(
  { folder, options }: PushFolder,
  { advertise, owner, person }: Pick<PushRequest, 'advertise' | 'person'> & { owner: Owner | null },
) {
  const args = ['receive-pack', '--stateless-rpc', ...(advertise ? ['--http-backend-info-refs'] : []), folder]
  return spawn('/bin/sh', limitedGit([...options, ...args]), {
    cwd: '/',
    env: {
      ...gitEnvironment('/dev/null'),
      HOME: folder,
      LC_ALL: 'C.UTF-8',
      GIT_ALLOW_PROTOCOL: 'none',
      GIT_COMMITTER_NAME: person.login,
      GIT_COMMITTER_EMAIL: person.email || `${person.login}@localhost`,
    },
    stdio: ['pipe', 'pipe', 'pipe'],
    // A separate process group, because git starts `index-pack`.
    detached: true,
    ...owner,
  })
}

/** Returns git's output. Rejects if git fails before its first byte, or if the input fails. */
async function outputOf(
  child: Child,
  { input, signal, ended }: { input: Readable; signal: AbortSignal; ended: Promise<number> },
): Promise<AsyncIterable<Uint8Array>> {
  // SIGTERM makes git remove what it has stored of the push.
  const kill = () => killGroup(child, 'SIGTERM')
  signal.addEventListener('abort', kill, { once: true })
  if (signal.aborted) kill()
  void ended.then(() => signal.removeEventListener('abort', kill))
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    if (stderr.length < maxErrorChars) stderr += text
  })
  child.stdout.on('error', () => {})
  // A client that stops reading also ends git.
  child.stdout.once('close', kill)
  let fault: Error | undefined
  pipeline(input, child.stdin).catch((error: NodeJS.ErrnoException) => {
    // git reports refusals to the client and stops reading.
    if (error.code === 'EPIPE' || error.code === 'ERR_STREAM_PREMATURE_CLOSE') return
    fault = error
    kill()
  })
  const output = child.stdout[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>
  const first = await output.next()
  // git answered because the input ended; report why the input ended.
  if (fault) {
    child.stdout.destroy()
    throw fault
  }
  if (first.done) {
    const code = await ended
    if (fault) throw fault
    if (signal.aborted) throw endOf(signal)
    if (code !== 0) throw gitFailure(cannotStore, { stderr, code })
  }
  return (async function* () {
    try {
      if (!first.done) yield first.value
      for (let next = await output.next(); !next.done; next = await output.next()) yield next.value
      // A truncated response must not look complete.
      const code = await ended
      if (code !== 0) throw fault ?? gitFailure(cannotStore, { stderr, code })
    } finally {
      child.stdout.destroy()
    }
  })()
}

export function createPushServer(given: PushServerOptions = {}): PushServer {
  const limits = { ...defaults, ...given }
  /** The logins of the running pushes. */
  const running: string[] = []

  async function run(
    repository: string,
    { advertise, person, ...request }: PushRequest,
    { space, release }: { space: AbortSignal; release: () => void },
  ) {
    const startedAt = performance.now()
    const signal = AbortSignal.any([request.signal, space, timeoutSignal(limits.totalMs)])
    const input = until(request.input, signal)
    const found = await findGitDir(repository)
    if (!found) throw new Refusal(404, 'Not Found')
    const owner = await checkRepository(found)
    const commands = advertise ? null : await readPushCommands(input)
    if (commands) {
      const refused = await refusedRefs(repository, found, commands.refs)
      const answer = commands.hasTooMany
        ? tooManyReport(commands)
        : refused.size > 0 &&
          rejectionReport(commands, (ref) => refused.get(ref) ?? 'another ref of this push is refused')
      if (answer) {
        // git reads the response only after it has sent everything.
        for await (const _ of commands.input) continue
        release()
        return Readable.from([answer])
      }
    }
    const prepared = await prepare(found, owner, limits.maxPackBytes)
    const remove = () => rm(prepared.folder, { recursive: true, force: true })
    try {
      const child = startReceivePack(prepared, { advertise, owner, person })
      const ended = new Promise<number>((resolve) => {
        child.once('error', () => resolve(127))
        child.once('close', (code) => resolve(code ?? killedCode))
      })
      void ended.then(() => {
        release()
        return remove()
      })
      const checked = commands ? recheck(commands.input, { ...request, startedAt, recheckMs: limits.recheckMs }) : []
      return await outputOf(child, { input: Readable.from(checked), signal, ended })
    } catch (error) {
      await remove()
      throw error
    }
  }

  return {
    async receive(repository, request) {
      const { login } = request.person
      const ofPerson = running.filter((one) => one === login).length
      if (running.length >= limits.maxConcurrency || ofPerson >= limits.maxPerPerson)
        throw new Refusal(503, 'Too many pushes at once')
      running.push(login)
      let stop = () => {}
      let isHeld = true
      const release = () => {
        if (isHeld) running.splice(running.indexOf(login), 1)
        isHeld = false
        stop()
      }
      try {
        const space = await watchSpace(repository, given).catch((error: unknown) => {
          throw error instanceof DiskFullError ? diskFull() : error
        })
        stop = space.stop
        return await run(repository, request, { space: space.signal, release })
      } catch (error) {
        release()
        throw error
      }
    },
  }
}
