/** The git processes of mirrors, the only ones that use the network. */
import { spawn } from 'node:child_process'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { rootCertificates } from 'node:tls'
import { MirrorError, type FetchRequest } from '../../interfaces/mirrors.ts'
import { DiskFullError, watchSpace, type WatchSpaceOptions } from '../../lib/disk-space.ts'
import { errorMessage } from '../../lib/error-message.ts'
import { killGroup } from '../../lib/kill-group.ts'
import { writeLog } from '../../lib/log.ts'
import { extraCertificates, gitEnvironment } from '../git/run-git.ts'

/**
 * The first fetch of a large repository can take long. A forge that sends nothing for a minute
 * times out.
 */
const maxFetchMs = 20 * 60_000
const silentSeconds = 60
/** The maximum size of one pack, so that a single push does not fill the server's disk. */
const maxPackBytes = 20 * 1024 ** 3
const maxMessage = 2_000

/** Fetches branches, tags and the heads of pull requests. */
const refspecsOf = ({ pulls }: FetchRequest): string[] =>
  ['heads/*', 'tags/*', `${pulls}/*/head`].map((refs) => `+refs/${refs}:refs/${refs}`)

/**
 * Answers git's credential prompts from environment variables, so that no credential is on a
 * command line or in a file. The address is part of the prompt, so other hosts get an empty answer.
 */
const askpass = `#!/bin/sh
case "$1" in
  "Username for '$FORGE_ORIGIN'"*) printf '%s\\n' "$FORGE_LOGIN" ;;
  "Password for '$FORGE_ORIGIN_LOGIN'"*) printf '%s\\n' "$FORGE_PASSWORD" ;;
  *) printf '\\n' ;;
esac
`

export async function writeAskpass(file: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  await writeFile(`${file}.new`, askpass, { mode: 0o700 })
  await rename(`${file}.new`, file)
  const extra = extraCertificates()
  // git accepts only one file, so this joins the certificates of Node.js and the additional ones.
  if (extra !== undefined)
    await writeFile(certificatesFile(file), [...rootCertificates, await readFile(extra, 'utf8')].join('\n'))
}

const certificatesFile = (askpassFile: string): string => join(dirname(askpassFile), 'certificates.pem')

/**
 * The prompts as git writes them: the address without its path; the second one with the login,
 * percent-encoded as git does.
 */
function prompts(url: string, login: string): { origin: string; withLogin: string } {
  const { protocol, host } = new URL(url)
  return { origin: `${protocol}//${host}`, withLogin: `${protocol}//${encodeURIComponent(login)}@${host}` }
}

const options = (configFile: string, askpassFile: string, request: FetchRequest): Record<string, string> => {
  const { origin, withLogin } = prompts(request.url, request.credential.login)
  return {
    ...gitEnvironment(configFile),
    ...(extraCertificates() !== undefined && { GIT_SSL_CAINFO: certificatesFile(askpassFile) }),
    GIT_ALLOW_PROTOCOL: 'http:https',
    GIT_ASKPASS: askpassFile,
    FORGE_ORIGIN: origin,
    FORGE_ORIGIN_LOGIN: withLogin,
    FORGE_LOGIN: request.credential.login,
    FORGE_PASSWORD: request.credential.password,
    HOME: dirname(askpassFile),
  }
}

const settings = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'credential.helper=',
  // A redirect would send the credential to another host.
  'http.followRedirects=false',
  'http.lowSpeedLimit=1',
  `http.lowSpeedTime=${silentSeconds}`,
  'gc.auto=0',
  'maintenance.auto=false',
  'fetch.writeCommitGraph=false',
  'fetch.recurseSubmodules=false',
  'transfer.unpackLimit=1',
].flatMap((setting) => ['-c', setting])

interface Ended {
  code: number
  stdout: string
  stderr: string
}

function run(
  args: readonly string[],
  { environment, signal }: { environment: Record<string, string>; signal?: AbortSignal | undefined },
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const limits = `ulimit -f ${Math.floor(maxPackBytes / 512)} 2>/dev/null; exec git "$@"`
    const child = spawn('/bin/sh', ['-c', limits, 'git', ...args], {
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
      // A separate process group, so that git's network helpers end with it.
      detached: true,
    })
    const end = () => killGroup(child, 'SIGKILL')
    const timer = setTimeout(end, maxFetchMs)
    signal?.addEventListener('abort', end, { once: true })
    let stdout = ''
    let stderr = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout = (stdout + text).slice(0, maxMessage)))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr = (stderr + text).slice(-maxMessage)))
    child.once('error', reject)
    child.once('close', (code) => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      resolve({ code: code ?? 137, stdout, stderr })
    })
  })
}

const isDeniedText = (text: string): boolean =>
  /authentication failed|could not read (username|password)|not found|returned error: 40[134]/i.test(text)

/** The last sentence of git's output. The addresses in it contain no credential. */
const reasonOf = (stderr: string): string =>
  stderr
    .split('\n')
    .filter((line) => /^(fatal|error):/.test(line))
    .at(-1)
    ?.replace(/^(fatal|error): /, '') ?? 'git could not fetch'

/**
 * Whether git's message is about the local files, not about the network, so that the mirror is
 * damaged.
 */
const isDamaged = (text: string): boolean =>
  /not a git repository|bad config|bad object|did not send all necessary objects|packed-refs|packfile|index file|corrupt|cannot mkdir|not a directory|object file \S{1,300} is empty|unable to (read|resolve)/i.test(
    text,
  )

/**
 * A fetch that failed because of the mirror's own files; fetching into a new mirror may succeed.
 */
class DamagedMirror extends MirrorError {}

function failure({ stderr }: Ended): MirrorError {
  const isDenied = isDeniedText(stderr)
  return !isDenied && isDamaged(stderr)
    ? new DamagedMirror(reasonOf(stderr), false)
    : new MirrorError(reasonOf(stderr), isDenied)
}

interface FetchFiles extends WatchSpaceOptions {
  configFile: string
  askpassFile: string
}

/**
 * Removes the files of an interrupted fetch, which can be as large as a pack. If a repack runs at
 * the same time, it fails and is repeated later.
 */
async function removeUnfinishedPacks(path: string): Promise<void> {
  const folder = join(path, 'objects', 'pack')
  const names = await readdir(folder).catch(() => [])
  for (const name of names.filter((one) => one.startsWith('tmp_'))) await rm(join(folder, name), { force: true })
}

async function fetchInto(
  path: string,
  { configFile, askpassFile, ...watching }: FetchFiles,
  request: FetchRequest,
): Promise<void> {
  const { signal } = request
  const environment = options(configFile, askpassFile, request)
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const init = await run(['init', '-q', '--bare', '--template=', path], { environment, signal })
  if (init.code !== 0) throw failure(init)
  const fetching = [...settings, '-C', path, 'fetch', '-q', '--prune', '--no-tags', '--force', '--no-write-fetch-head']
  await removeUnfinishedPacks(path)
  const space = await watchSpace(path, watching)
  const ending = signal ? AbortSignal.any([signal, space.signal]) : space.signal
  const args = [...fetching, '--', request.url, ...refspecsOf(request)]
  const fetched = await run(args, { environment, signal: ending }).finally(() => space.stop())
  if (fetched.code !== 0) {
    await removeUnfinishedPacks(path)
    throw space.signal.aborted ? new MirrorError(errorMessage(space.signal.reason), false) : failure(fetched)
  }
  const branch = request.defaultBranch
  if (branch !== '' && !/[\s~^:?*[\\]|\.\.|^-/.test(branch)) {
    await run([...settings, '-C', path, 'symbolic-ref', 'HEAD', `refs/heads/${branch}`], { environment, signal })
  }
}

/**
 * Creates the bare repository if it does not exist, and fetches all that is built or shown. A
 * damaged mirror is replaced by a new one; it stays as it is if the new one cannot be fetched.
 * Throws `MirrorError`.
 */
export async function fetchMirror(path: string, files: FetchFiles, request: FetchRequest): Promise<void> {
  if (!/^https?:\/\//.test(request.url)) throw new MirrorError('the clone address is not a web address', false)
  try {
    await fetchInto(path, files, request)
  } catch (error) {
    if (error instanceof DiskFullError) throw new MirrorError(error.message, false)
    if (!(error instanceof DamagedMirror) || request.signal?.aborted) throw error
    const newPath = `${path}.new`
    try {
      await rm(newPath, { recursive: true, force: true })
      await fetchInto(newPath, files, request)
      await rm(path, { recursive: true, force: true })
      await rename(newPath, path)
    } finally {
      await rm(newPath, { recursive: true, force: true })
    }
    writeLog('warn', `The mirror ${path} was damaged (${error.message}) and has been fetched again`)
  }
}

/** Each fetch with changes adds a pack; this many packs are repacked into one. */
const maxPacks = 50
/** How long unreachable objects are kept, such as commits before a force push. */
const unreachableDays = 90

/**
 * Repacks a mirror that has too many packs, as `git gc --auto` does. A failure leaves the mirror
 * unchanged.
 */
export async function maintainMirror(
  path: string,
  { configFile, signal, packs = maxPacks }: { configFile: string; signal?: AbortSignal | undefined; packs?: number },
): Promise<void> {
  const limits = {
    'core.hooksPath': '/dev/null',
    'gc.autoPackLimit': packs,
    'gc.autoDetach': false,
    'gc.pruneExpire': `${unreachableDays}.days.ago`,
    'gc.writeCommitGraph': false,
    'pack.threads': 1,
    'pack.windowMemory': '256m',
  }
  const limitArgs = Object.entries(limits).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  await run([...limitArgs, '-C', path, 'gc', '--auto', '-q'], { environment: gitEnvironment(configFile), signal })
}
