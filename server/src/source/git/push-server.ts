/**
 * Pushing to a repository on this machine (git's "smart" protocol over HTTP). `receive-pack` runs in a git directory of ours whose
 * objects and refs are the repository's, by links: neither the configuration nor the hooks of the repository run anything.
 */
import { spawn } from 'node:child_process'
import { constants } from 'node:fs'
import { access, chown, lstat, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { PushRequest, PushServer } from '../../interfaces/push.ts'
import { Refusal } from '../../lib/refusal.ts'
import { absent, findGitDir, readHead, type GitDir } from '../repositories/git-dir.ts'
import { readSmallFile } from '../repositories/small-file.ts'
import { readPushCommands, rejection } from './push-commands.ts'
import { refusedRefs } from './push-refs.ts'
import { ownObjects, ownRefs, readFacts, writeView } from './repository-view.ts'

export interface PushServerOptions {
  /** Pushes at once, and of one person. */
  maxAtOnce?: number
  maxPerPerson?: number
  /** Of one push, in which everything has to be there and stored. */
  totalMs?: number
  /** Bytes of one pack. */
  maxPackBytes?: number
}

const defaults = { maxAtOnce: 4, maxPerPerson: 2, totalMs: 15 * 60_000, maxPackBytes: 1024 ** 3 }

/** Hooks that decide whether a push is accepted. */
const decidingHooks = ['pre-receive', 'update', 'proc-receive', 'reference-transaction']

/** KiB of address space of each git process: what is pushed may be made to need any amount. */
const maxMemory = 2 * 1024 * 1024

const isExecutable = (file: string): Promise<boolean> =>
  access(file, constants.X_OK).then(
    () => true,
    () => false,
  )

/** Settings of the repository that make pushes stricter. They are found in any section, so they are only ever turned on. */
const stricter = /(?:^|\])[ \t]*(denydeletes|denynonfastforwards)(?:[ \t]*=[ \t"]*(\w*)|[ \t]*$)/gim

async function stricterSettings(commonDir: string): Promise<Record<string, string>> {
  const text = (await readSmallFile(join(commonDir, 'config'))) ?? ''
  const found: Record<string, string> = {}
  for (const [, name = '', value = 'true'] of text.matchAll(stricter))
    if (/^(?:true|yes|on|[1-9]\d*)$/i.test(value)) found[`receive.${name}`] = 'true'
  return found
}

/** Refuses a repository that no push of ours may change. Answers whom git runs as, if not as this process. */
async function checkRepository({ commonDir }: GitDir): Promise<{ uid: number; gid: number } | null> {
  const hooks = join(commonDir, 'hooks')
  for (const name of decidingHooks)
    if (await isExecutable(join(hooks, name)))
      throw new Refusal(403, `The repository has a hook ${name}, which Flightdeck does not run: push to its folder`)
  const config = (await readSmallFile(join(commonDir, 'config'))) ?? ''
  if (/^[ \t]*refstorage[ \t]*=[ \t]*"?reftable/im.test(config))
    throw new Refusal(403, 'The repository stores its refs in a reftable, to which Flightdeck does not push')
  const { uid, gid } = await lstat(join(commonDir, 'objects'))
  const self = process.geteuid?.() ?? uid
  if (uid === self) return null
  if (self === 0) return { uid, gid }
  throw new Refusal(403, 'The repository belongs to another account of the machine: push to its folder')
}

interface Place {
  folder: string
  options: string[]
}

/** The git directory of ours, for one push. `owner`: whom git runs as. */
async function prepare(
  found: GitDir,
  owner: { uid: number; gid: number } | null,
  maxPackBytes: number,
): Promise<Place> {
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
    if (owner) for (const name of await readdir(folder)) await giveFile(join(folder, name), owner)
    const settings = {
      'core.hooksPath': '/dev/null',
      'core.fsmonitor': 'false',
      'core.bigFileThreshold': '2m',
      'core.packedGitWindowSize': '32m',
      'core.packedGitLimit': '256m',
      'core.logAllRefUpdates': logs?.isDirectory() ? 'true' : 'false',
      'pack.threads': '1',
      'receive.autogc': 'false',
      'receive.fsckObjects': 'true',
      // Old histories have these, and they harm nobody.
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

/** Links keep their owner: they are the way to what is the repository's already. */
async function giveFile(path: string, { uid, gid }: { uid: number; gid: number }): Promise<void> {
  if ((await lstat(path)).isFile()) await chown(path, uid, gid)
}

/** The input until `signal` aborts: then reading it fails, whatever the client does. */
function until(input: AsyncIterable<Uint8Array>, signal: AbortSignal): AsyncIterable<Uint8Array> {
  const through = new PassThrough()
  pipeline(input, through, { signal }).catch((error: Error) => through.destroy(error))
  return through
}

export function createPushServer(given: PushServerOptions = {}): PushServer {
  const limits = { ...defaults, ...given }
  /** The logins of those who push. */
  const running: string[] = []

  async function run(repository: string, { advertise, person, ...request }: PushRequest, leave: () => void) {
    const signal = AbortSignal.any([request.signal, AbortSignal.timeout(limits.totalMs)])
    const input = until(request.input, signal)
    const found = await findGitDir(repository)
    if (!found) throw new Refusal(404, 'Not Found')
    const owner = await checkRepository(found)
    const commands = advertise ? null : await readPushCommands(input)
    if (commands) {
      const refused = await refusedRefs(repository, found, commands.refs)
      if (refused.size > 0) {
        const answer = rejection(commands, (ref) => refused.get(ref) ?? 'another ref of this push is refused')
        // git listens to an answer only once everything was sent.
        for await (const _ of commands.input) continue
        leave()
        return Readable.from([answer])
      }
    }
    const { folder, options } = await prepare(found, owner, limits.maxPackBytes)
    const words = ['receive-pack', '--stateless-rpc', ...(advertise ? ['--http-backend-info-refs'] : []), folder]
    const child = spawn(
      '/bin/sh',
      ['-c', `ulimit -v ${maxMemory} 2>/dev/null; exec "$@"`, 'git', 'git', ...options, ...words],
      {
        cwd: '/',
        env: {
          PATH: process.env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin',
          HOME: folder,
          LC_ALL: 'C.UTF-8',
          GIT_CONFIG_NOSYSTEM: '1',
          GIT_CONFIG_GLOBAL: '/dev/null',
          GIT_NO_LAZY_FETCH: '1',
          GIT_NO_REPLACE_OBJECTS: '1',
          GIT_ALLOW_PROTOCOL: 'none',
          GIT_COMMITTER_NAME: person.login,
          GIT_COMMITTER_EMAIL: person.email || `${person.login}@localhost`,
        },
        stdio: ['pipe', 'pipe', 'ignore'],
        // A group of its own, since it starts `index-pack`.
        detached: true,
        ...owner,
      },
    )
    // Ended so, git removes what it has stored of the push.
    const kill = () => {
      try {
        if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
          process.kill(-child.pid, 'SIGTERM')
      } catch {
        // It has just ended.
      }
    }
    signal.addEventListener('abort', kill, { once: true })
    if (signal.aborted) kill()
    child.once('error', () => child.stdout.destroy(new Error('git cannot be started')))
    child.once('close', () => {
      signal.removeEventListener('abort', kill)
      leave()
      void rm(folder, { recursive: true, force: true })
    })
    // A client that reads no more ends git, too.
    child.stdout.once('close', kill)
    // What git refuses it says to the client; then it reads no more.
    pipeline(commands?.input ?? Readable.from([]), child.stdin).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE' && error.code !== 'ERR_STREAM_PREMATURE_CLOSE') kill()
    })
    return child.stdout
  }

  return {
    async receive(repository, request) {
      const { login } = request.person
      const ofPerson = running.filter((one) => one === login).length
      if (running.length >= limits.maxAtOnce || ofPerson >= limits.maxPerPerson)
        throw new Refusal(503, 'Too many pushes at once')
      running.push(login)
      let isIn = true
      const leave = () => {
        if (isIn) running.splice(running.indexOf(login), 1)
        isIn = false
      }
      try {
        return await run(repository, request, leave)
      } catch (error) {
        leave()
        throw error
      }
    },
  }
}
