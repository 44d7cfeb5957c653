import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, chown, lstat, mkdir, mkdtemp, readdir, rmdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import type { Account } from '../machine/account.ts'
import { inside } from '../machine/sandbox/skeleton.ts'
import { removeSmallFolder } from './small-folders.ts'

/** The folders of one stage. */
export interface Workspace {
  /** The parent of the working directory, in which steps can create folders beside it. */
  parent: string
  /** The working directory of steps, which contains the clone. */
  source: string
  home: string
  temporary: string
  /** Only the server can write to it. */
  scripts: string
  /** The parent of the other folders. Steps cannot list or change it. */
  folder: string
  remove(): Promise<void>
}

/**
 * All accounts can enter this folder, which is not certain for the folder that the environment
 * names.
 */
const systemTemporary = '/tmp'

/** Accounts can enter the folder, but neither list nor change it. */
const passOnly = 0o711

/**
 * Returns the folder for workspaces. Only the server's account can enter the data folder, so steps
 * of another account have theirs in the system's temporary folder.
 */
export async function workspaceRoot(
  dataDir: string,
  folderMark: string,
  account: Account | undefined,
): Promise<string> {
  const shared = join(systemTemporary, `flightdeck-${folderMark}`)
  if (!account) {
    // A killed server may have run with another kind of isolation.
    await removeShared((path) => path === shared || path.startsWith(`${shared}-`))
    const root = join(dataDir, 'workspaces')
    await mkdir(root, { recursive: true, mode: 0o700 })
    return root
  }
  const root = await sharedRoot(shared)
  await chmod(root, passOnly)
  return root
}

/**
 * Any account can block a predictable name by creating a file, a link or a folder. In that case the
 * folder gets an unpredictable name. The next start removes both kinds.
 */
async function sharedRoot(usual: string): Promise<string> {
  await removeShared((path) => path.startsWith(`${usual}-`))
  try {
    await mkdir(usual, { mode: 0o700 })
    return usual
  } catch {
    return (await isOurs(usual)) ? usual : mkdtemp(`${usual}-`)
  }
}

async function removeShared(isMeant: (path: string) => boolean): Promise<void> {
  for (const name of await readdir(systemTemporary)) {
    const path = join(systemTemporary, name)
    if (isMeant(path) && (await isOurs(path))) await removeFolder(path)
  }
}

/**
 * Whether the folder belongs to this account. Inside a folder like `/tmp`, other users cannot
 * replace such a folder.
 */
async function isOurs(path: string): Promise<boolean> {
  const facts = await lstat(path).catch(() => null)
  return facts !== null && facts.isDirectory() && facts.uid === process.geteuid?.()
}

/**
 * Returns a function that gives the root for each stage: `given`, or a new one if it was deleted or
 * replaced, for example by a program that cleans `/tmp`.
 */
export function keepRoot(given: string, make: () => Promise<string>): () => Promise<string> {
  let current = given
  let making: Promise<string> | undefined
  return async () => {
    if (await isOurs(current)) return current
    making ??= make().finally(() => {
      making = undefined
    })
    current = await making
    return current
  }
}

/** Removes the root, unless it is inside the data folder. */
export async function removeRoot(root: string): Promise<void> {
  if (root.startsWith(systemTemporary)) await rmdir(root).catch(() => {})
}

/** The folders that a killed server left. */
export interface Leftovers {
  /** The names of the folders, without those of workspaces that are created later. */
  readonly names: readonly string[]
  /**
   * Removes them in the background, one at a time, because a commit can have millions of files. The
   * next start removes what a stop leaves.
   */
  remove(stopped: AbortSignal): Promise<void>
}

export async function findLeftovers(root: string): Promise<Leftovers> {
  const names = await readdir(root)
  return {
    names,
    async remove(stopped) {
      for (const name of names) {
        if (stopped.aborted) return
        await removeFolder(join(root, name), stopped)
      }
    },
  }
}

/**
 * The message for a missing folder of the workspace: deleted by an administrator, by a cleanup
 * program or, without isolation, by a step. `null` if all exist. Synchronous, because that takes
 * less time than switching threads.
 */
export function deletedWorkspace({ folder, source, home, temporary, scripts }: Workspace): string | null {
  const isGone = [folder, source, home, temporary, scripts].some((path) => !existsSync(path))
  return isGone ? 'The workspace of this stage was deleted while the stage was running.' : null
}

/**
 * Lets steps create folders beside the working directory. Must not run before the clone, in which
 * the server can work as root. Steps cannot rename or remove what belongs to the server.
 */
export const openParent = (parent: string): Promise<void> => chmod(parent, 0o1770)

/** `sandboxed`: adds the mount points that the sandbox needs beside the working directory. */
export async function createWorkspace(
  root: string,
  stageId: number,
  account: Account | undefined,
  sandboxed = false,
): Promise<Workspace> {
  const folder = await mkdtemp(join(root, `${stageId}-`))
  const make = async (name: string, owner: Account | undefined) => {
    const path = join(folder, name)
    await mkdir(path, { mode: 0o700 })
    if (owner) await chown(path, owner.uid, owner.gid)
    return path
  }
  const parent = await make('drone', undefined)
  const [source, home, temporary, scripts] = await Promise.all([
    make('drone/src', account),
    make('home', account),
    make('tmp', account),
    make('scripts', undefined),
  ])
  if (sandboxed) for (const path of [inside.home, inside.scripts]) await make(join('drone', basename(path)), undefined)
  const workspace = {
    parent,
    source,
    home,
    temporary,
    scripts,
    folder,
    async remove() {
      if (!(await removeSmallFolder(folder))) await removeFolder(folder)
    },
  }
  // The server writes to these as root. If steps could write there too, they could redirect the
  // server by a link.
  if (account) {
    await chown(parent, process.geteuid?.() ?? 0, account.gid)
    await Promise.all([folder, scripts, parent].map((path) => chmod(path, passOnly)))
  }
  return workspace
}

/**
 * Uses the system's own `rm`, which never follows a link that replaces a folder during the removal.
 * Node's function would, so a process that escaped could make root remove any folder.
 */
const run = promisify(execFile)
async function removeFolder(path: string, signal?: AbortSignal): Promise<void> {
  try {
    await run('rm', ['-rf', path], { signal })
  } catch {
    if (signal?.aborted) return
    // Some tools write-protect their caches, including folders.
    await run('chmod', ['-R', 'u+rwX', path], { signal }).catch(() => {})
    await run('rm', ['-rf', path], { signal }).catch((error: unknown) => {
      if (!signal?.aborted) throw error
    })
  }
}
