import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { chmod, chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { canEnter, type Account } from '../account.ts'
import { readingAs } from '../read-as.ts'
import { UnusableExposure } from './exposed.ts'
import { hasId } from '../stage-accounts.ts'
import { innerMounts, mountTable, readMounts, type Bind } from './mounts.ts'
import { isWithin } from './paths.ts'
import { becomeStep, firstProcess } from './script.ts'
import { inside, keepSkeleton } from './skeleton.ts'
import { findVisible, systemFolders, type VisibleOptions } from './visible.ts'

/** The folders of a stage that its steps get. */
export interface StageFolders {
  /** Closed to the steps. */
  folder: string
  /** Contains `source`, and folders on which `home` and `scripts` are mounted. */
  parent: string
  source: string
  home: string
  temporary: string
  scripts: string
}

/**
 * What only the clone step sees: it fetches from `repository`, which borrows the objects in
 * `objects`.
 */
export interface CloneSource {
  repository: string
  objects: string
}

export interface Command {
  command: string
  args: string[]
  /** Of the helpers that set the step up; the step's own goes another way (`variables`). */
  env: Record<string, string>
  /**
   * What the command reads from descriptor 3: what a shell is to do before it becomes the step, and
   * that it does.
   */
  variables: string
}

export interface Sandbox {
  /**
   * Wraps the command of a step. Without an account it runs as the server's own, still without its
   * rights.
   */
  wrap(stage: StageFolders, argv: readonly string[], options: WrapOptions): Promise<Command>
  /** Whether a folder of programs can be used by steps. */
  shows(folder: string, account: Account | undefined): Promise<boolean>
}

export interface WrapOptions {
  account?: Account | undefined
  clone?: CloneSource | undefined
  /** Commands of a shell that set the step's own variables. */
  variables?: string
}

export const standardPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
/** Of the programs that set a step up. */
export const helperEnvironment = { PATH: standardPath, LC_ALL: 'C' }

/** Separate namespaces for each step, created with util-linux, which every Debian has. */
export async function createSandbox(
  folder: string,
  { keyring, ...options }: VisibleOptions & { keyring: readonly string[] },
): Promise<Sandbox> {
  const visible = await findVisible(options)
  const skeleton = keepSkeleton(folder, visible)
  await skeleton()
  // Root of a user namespace without other ids is like an ordinary user.
  const isRoot = process.geteuid?.() === 0 && (await hasId(1))
  return {
    async shows(path, account) {
      // A folder that is exposed on its own was checked on its own, and may be inside an
      // inaccessible one.
      if (systemFolders.some((system) => isWithin(path, system))) return !account || canEnter(path, account)
      return visible.folders.some((shown) => isWithin(path, shown))
    },
    async wrap(stage, argv, { account, clone, variables = '' }) {
      const binds: Bind[] = [
        ...(clone ? [] : [{ from: stage.parent, to: inside.parent, writable: true }]),
        { from: stage.source, to: inside.source, writable: true },
        { from: stage.home, to: inside.home, writable: true },
        { from: stage.temporary, to: inside.temporary, writable: true },
        { from: stage.temporary, to: '/var/tmp', writable: true },
        { from: stage.scripts, to: inside.scripts },
      ]
      if (clone)
        binds.push({ from: clone.repository, to: inside.repository }, { from: clone.objects, to: inside.objects })
      else binds.push(...(await accountFiles(stage, account ?? ourselves())))
      const root = await skeleton()
      const mounts = readMounts()
      const table = join(stage.folder, clone ? 'clone-mounts' : 'mounts')
      await writeFile(table, mountTable(mounts, root, visible, binds), { mode: 0o600 })
      const inner = innerMounts(mounts, root, visible).flatMap(({ path, options: how }) => [path, how])
      const namespaces = ['--mount', '--pid', '--ipc', '--fork', '--kill-child']
      if (clone) namespaces.push('--net')
      if (!isRoot) namespaces.push('--user', '--map-root-user')
      const first = ['/bin/sh', '-c', firstProcess, 'step', table, root, ...inner, '--']
      const start = [...keyring, '/bin/sh', '-s', ...argv]
      return {
        command: 'setpriv',
        // A killed server takes its steps with it.
        args: [
          '--pdeathsig',
          'KILL',
          'unshare',
          ...namespaces,
          '--',
          ...first,
          ...(isRoot ? asAccount(account, clone !== undefined) : asOurselves()),
          ...start,
        ],
        env: helperEnvironment,
        variables: `${variables}${becomeStep}`,
      }
    },
  }
}

const noRights = ['--no-new-privs', '--inh-caps=-all']

/**
 * As root: another account, with one right while it clones, which is to read; or root itself with
 * that one right.
 */
function asAccount(account: Account | undefined, isClone: boolean): string[] {
  if (!account) return ['setpriv', ...noRights, '--bounding-set=-all,+dac_read_search']
  if (isClone) return ['setpriv', ...readingAs(account, 'dac_read_search')]
  const ids = ['--reuid', String(account.uid), '--regid', String(account.gid), '--clear-groups']
  return ['setpriv', ...noRights, '--bounding-set=-all', ...ids]
}

/** A second user namespace, in which we have our own ids again and do not own the mounts. */
const asOurselves = (): string[] => {
  const ids = [`--map-user=${process.geteuid?.()}`, `--map-group=${process.getegid?.()}`]
  return ['unshare', '--user', ...ids, 'setpriv', ...noRights, '--bounding-set=-all']
}

/** In a container they may have no name either. */
const ourselves = () => ({ uid: process.geteuid?.() ?? 0, gid: process.getegid?.() ?? 0 })

/** Programs that ask for their own name find one. */
async function accountFiles(stage: StageFolders, { uid, gid }: Pick<Account, 'uid' | 'gid'>): Promise<Bind[]> {
  const rows = { passwd: `build:x:${uid}:${gid}::${inside.home}:/bin/sh\n`, group: `build:x:${gid}:\n` }
  const binds = Object.entries(rows).map(async ([name, row]): Promise<Bind[]> => {
    const content = read(`/etc/${name}`)
    if (content === null) return []
    const id = String(name === 'passwd' ? uid : gid)
    if (content.split('\n').some((line) => line.split(':')[2] === id)) return []
    const file = join(stage.folder, name)
    await writeFile(file, `${content.replace(/\n?$/, '\n')}${row}`)
    // Whatever the server's umask: the step's account reads it.
    await chmod(file, 0o644)
    return [{ from: file, to: `/etc/${name}` }]
  })
  return (await Promise.all(binds)).flat()
}

/** At once, since every program that starts reads them, too, so that they lie in memory. */
function read(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}

export interface TrialOptions {
  account: Account | undefined
  /** Paths that a step must see. */
  exposed?: readonly string[]
}

export interface Trial {
  /** Why the sandbox does not work, or `null`. */
  reason: string | null
  /** Exposed sockets that the account of steps may not connect to. */
  closedSockets: readonly string[]
}

/**
 * Runs a sandbox once and checks it from inside: what a kernel, a container or a security module
 * permits cannot be determined in any other way. Throws `UnusableExposure` for an exposed path that
 * the account of steps may not open.
 */
export async function trySandbox(
  sandbox: Sandbox,
  folder: string,
  { account, exposed = [] }: TrialOptions,
): Promise<Trial> {
  const failed = (reason: string): Trial => ({ reason, closedSockets: [] })
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const stage = await mkdtemp(join(folder, 'trial-'))
  const pathOf = (name: string) => join(stage, name)
  const folders: StageFolders = {
    folder: stage,
    parent: pathOf('drone'),
    source: pathOf('drone/src'),
    home: pathOf('home'),
    temporary: pathOf('tmp'),
    scripts: pathOf('scripts'),
  }
  try {
    const written = [folders.parent, folders.source, folders.home, folders.temporary]
    for (const path of [...written, folders.scripts, pathOf('drone/home'), pathOf('drone/steps')]) await mkdir(path)
    if (account) for (const path of written) await chown(path, account.uid, account.gid)
    const trial = ['/bin/sh', '-c', lookAround, 'look', stage, ...exposed]
    const { command, args, env, variables } = await sandbox.wrap(folders, trial, { account })
    const started = ['-c', 'exec "$@" 3<&0 </dev/null', 'trial', command, ...args]
    const child = promisify(execFile)('/bin/sh', started, { env, timeout: 20_000, killSignal: 'SIGKILL' })
    // Where it ends before it has read them, it says why.
    child.child.stdin?.on('error', () => {}).end(variables)
    const { stdout } = await child
    const [found = '', ...closed] = stdout.trim().split('\n')
    if (found !== `${account?.uid ?? process.geteuid?.()} ok`)
      return failed(`a step in namespaces is not shut in: ${found}`)
    const pathAt = (number: string | undefined) => exposed[Number(number) - 1] ?? ''
    const closedAt = (kind: string) =>
      closed.filter((row) => row.startsWith(kind)).map((row) => pathAt(row.split(' ')[1]))
    const [unusable] = closedAt('other')
    if (unusable !== undefined) throw closedToSteps(unusable, account)
    return { reason: null, closedSockets: closedAt('socket') }
  } catch (error) {
    if (error instanceof UnusableExposure) throw error
    const { stderr } = error as { stderr?: unknown }
    const firstLine = typeof stderr === 'string' ? stderr.trim().split('\n')[0] : ''
    return failed(firstLine || (error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)))
  } finally {
    await rm(stage, { recursive: true, force: true })
  }
}

const closedToSteps = (path: string, account: Account | undefined) =>
  new UnusableExposure(
    account
      ? `--expose ${path}: steps run as accounts that cannot open this path; allow it for everyone, or name an account that can with --run-as`
      : `--expose ${path}: the server's account cannot open this path`,
  )

/**
 * Runs inside. The first line names what would be wrong; the others name exposed paths, by their
 * number, that the account may not open.
 */
const lookAround = `
id -u | tr '\\n' ' '
[ -e "$1" ] && echo "the server's folders can be seen" && exit
shift
for path in "$@"; do [ -e "$path" ] || { echo "$path cannot be seen"; exit; }; done
closed= i=0
for path in "$@"; do
  i=$((i + 1)) kind=other
  if [ -d "$path" ]; then [ -r "$path" ] && [ -x "$path" ]
  elif [ -S "$path" ]; then kind=socket; [ -w "$path" ]
  else [ -r "$path" ] || [ -w "$path" ]
  fi || closed="$closed
$kind $i"
done
cat /proc/1/environ >/dev/null 2>&1 && echo "its first process can be read" && exit
(: > /x) 2>/dev/null && echo "its root can be written" && exit
(: > /usr/x) 2>/dev/null && echo "the system can be written" && exit
grep -q '^NoNewPrivs:.1' /proc/self/status || { echo "it may gain rights"; exit; }
grep -q '^CapEff:.0*$' /proc/self/status || { echo "it has rights"; exit; }
: > x && : > ../x && : > /drone/home/x && : > /tmp/x && : > /dev/null && echo "ok$closed"
`
