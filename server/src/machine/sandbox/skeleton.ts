import { lstatSync } from 'node:fs'
import { chmod, mkdir, readdir, rm, rmdir, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isWithin } from './paths.ts'
import type { Visible } from './visible.ts'

/** Paths inside the sandbox, independent of the machine's paths. */
export const inside = {
  parent: '/drone',
  source: '/drone/src',
  home: '/drone/home',
  temporary: '/tmp',
  scripts: '/drone/steps',
  /** Only while cloning: what is fetched from, and the objects that it borrows. */
  repository: '/drone/repository',
  objects: '/drone/objects',
}

/** The harmless ones. A disk, a kernel's log or a virtual machine is not among them. */
export const devices = ['null', 'zero', 'full', 'random', 'urandom', 'tty']

/** Beside the root: an exposed folder could hide a folder inside it. */
export const emptyFolder = (root: string): string => `${root}-empty`

const emptyFolders = [
  ...Object.values(inside),
  '/proc',
  '/dev/pts',
  '/dev/shm',
  '/run',
  '/home',
  '/root',
  '/var/tmp',
  '/var/empty',
]
const links = [
  { path: '/dev/fd', target: '/proc/self/fd' },
  { path: '/dev/stdin', target: '/proc/self/fd/0' },
  { path: '/dev/stdout', target: '/proc/self/fd/1' },
  { path: '/dev/stderr', target: '/proc/self/fd/2' },
  { path: '/dev/ptmx', target: 'pts/ptmx' },
]
/** Where the machine has no such link, a folder that is shown may lie here. */
const runLink = { path: '/var/run', target: '/run' }

/**
 * The root that steps see: empty folders, files and links, over which each step's mounts are
 * placed. Modes are set explicitly, independent of the server's umask. Returns the paths of all
 * entries.
 */
async function makeSkeleton(root: string, visible: Visible): Promise<string[]> {
  await rm(root, { recursive: true, force: true })
  await mkdir(root, { recursive: true })
  await chmod(root, 0o755)
  const made = new Set<string>(['/'])
  async function makeFolder(path: string): Promise<void> {
    if (made.has(path)) return
    made.add(path)
    await makeFolder(dirname(path))
    await mkdir(join(root, path))
    await chmod(join(root, path), 0o755)
  }
  for (const path of [...emptyFolders, ...visible.folders]) await makeFolder(path)
  const files = [...devices.map((name) => `/dev/${name}`), ...visible.files, ...visible.devices]
  for (const path of new Set(files)) {
    await makeFolder(dirname(path))
    await writeFile(join(root, path), '')
    await chmod(join(root, path), 0o644)
  }
  const hasRun = [...visible.folders, ...visible.files, ...visible.devices].some((path) => isWithin(path, runLink.path))
  const allLinks = [...links, ...(hasRun ? [] : [runLink]), ...visible.links].toSorted(
    (one, other) => one.path.length - other.path.length,
  )
  const laid: string[] = []
  for (const { path, target } of allLinks) {
    // Reached through the other link.
    if (laid.some((link) => isWithin(path, link))) continue
    await makeFolder(dirname(path))
    // An empty folder from above, such as `/home` where that is a link on this machine.
    await rmdir(join(root, path)).catch(() => {})
    await symlink(target, join(root, path))
    laid.push(path)
  }
  await mkdir(emptyFolder(root), { recursive: true })
  await chmod(emptyFolder(root), 0o755)
  return [root, emptyFolder(root), ...[...made, ...files, ...laid].map((path) => join(root, path))]
}

/**
 * The skeleton for each step. If something of it was deleted, there is a new one under another
 * name: steps that are running have their mounts on the old one.
 */
export function keepSkeleton(folder: string, visible: Visible): () => Promise<string> {
  let count = 0
  const make = async () => {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    if (count === 0) await removeFormer(folder)
    count += 1
    const root = join(folder, count === 1 ? 'root' : `root-${count}`)
    return { root, entries: await makeSkeleton(root, visible) }
  }
  let current: ReturnType<typeof make> | undefined
  return async () => {
    current ??= make()
    const making = current
    // A failed attempt must not be kept.
    const { root, entries } = await making.catch((error: unknown) => {
      if (current === making) current = undefined
      throw error
    })
    if (entries.every(isPresent)) return root
    if (current === making) current = make()
    return (await current).root
  }
}

/** What is left of earlier runs. */
async function removeFormer(folder: string): Promise<void> {
  for (const name of await readdir(folder))
    if (name.startsWith('root')) await rm(join(folder, name), { recursive: true, force: true })
}

/** Synchronous on purpose: a hundred entries take less time than handing one to another thread. */
const isPresent = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined
