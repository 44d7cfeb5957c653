import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, chown, lstat, mkdir, mkdtemp, readdir, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Account } from '../machine/account.ts'
import { removeSmallFolder } from './small-folders.ts'

/** The folders of one stage. */
export interface Workspace {
  /** Where steps start, with the clone in it. */
  source: string
  home: string
  temporary: string
  /** Written by the server alone. */
  scripts: string
  /** Holds all of them; closed to steps. */
  folder: string
  remove(): Promise<void>
}

/** All accounts may enter it, which the folder that the environment names need not allow. */
const systemTemporary = '/tmp'

/** Searchable, but neither readable nor writable. */
const passOnly = 0o711

/**
 * Where workspaces are stored. Only the server's account can enter the data folder, so steps of another account
 * have theirs in the system's temporary folder.
 */
export async function workspaceRoot(
  dataDir: string,
  folderMark: string,
  account: Account | undefined,
): Promise<string> {
  const shared = join(systemTemporary, `flightdeck-${folderMark}`)
  if (!account) {
    // A server that was killed may have run under another protection.
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
 * Any account can block a name that it has seen, with a file, a link or a folder. Then the folder
 * gets an unpredictable name. The next start removes both kinds.
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

/** A folder of this account: in a folder like `/tmp` other users cannot replace it. */
async function isOurs(path: string): Promise<boolean> {
  const facts = await lstat(path).catch(() => null)
  return facts !== null && facts.isDirectory() && facts.uid === process.geteuid?.()
}

/** The root for each stage: `given`, or a new one if it was deleted or replaced, such as by a program that cleans `/tmp`. */
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

/** The data folder's own stays. */
export async function removeRoot(root: string): Promise<void> {
  if (root.startsWith(systemTemporary)) await rmdir(root).catch(() => {})
}

/** What a killed server left, and how it is removed. */
export interface Leftovers {
  /** Names of the folders. None of a workspace that is made later is among them. */
  readonly names: readonly string[]
  /** In the background, one at a time: a commit can have millions of files. The next start removes what a stop leaves. */
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
 * What to say where a folder of the workspace is gone: deleted by an administrator, a program that cleans up, or without isolation
 * by a step. `null` where all are there. Synchronous on purpose: less time than handing it to another thread.
 */
export function deletedWorkspace({ folder, source, home, temporary, scripts }: Workspace): string | null {
  const isGone = [folder, source, home, temporary, scripts].some((path) => !existsSync(path))
  return isGone ? 'The workspace of this stage was deleted while the stage was running.' : null
}

export async function createWorkspace(root: string, stageId: number, account: Account | undefined): Promise<Workspace> {
  const folder = await mkdtemp(join(root, `${stageId}-`))
  const make = async (name: string, owner: Account | undefined) => {
    const path = join(folder, name)
    await mkdir(path, { mode: 0o700 })
    if (owner) await chown(path, owner.uid, owner.gid)
    return path
  }
  const [source, home, temporary, scripts] = await Promise.all([
    make('source', account),
    make('home', account),
    make('tmp', account),
    make('scripts', undefined),
  ])
  const workspace = {
    source,
    home,
    temporary,
    scripts,
    folder,
    async remove() {
      if (!(await removeSmallFolder(folder))) await removeFolder(folder)
    },
  }
  // The server writes in these as root: a step that could, too, would lead it elsewhere by a link.
  if (account) await Promise.all([folder, scripts].map((path) => chmod(path, passOnly)))
  return workspace
}

/**
 * By the system's own program, which never follows a link that takes a folder's place while it is at work. Node's would: a
 * process that got away from us could have root remove any folder.
 */
const run = promisify(execFile)
async function removeFolder(path: string, signal?: AbortSignal): Promise<void> {
  try {
    await run('rm', ['-rf', path], { signal })
  } catch {
    if (signal?.aborted) return
    // Some tools write-protect what they cache, even folders.
    await run('chmod', ['-R', 'u+rwX', path], { signal }).catch(() => {})
    await run('rm', ['-rf', path], { signal }).catch((error: unknown) => {
      if (!signal?.aborted) throw error
    })
  }
}
