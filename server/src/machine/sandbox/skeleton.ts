import { mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Visible } from './visible.ts'

/** Where a step finds its own things, whatever the machine's paths are. */
export const inside = {
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
  { path: '/var/run', target: '/run' },
]

/** The root that steps see: empty folders, files and links, on which each step's own mounts are laid. */
export async function makeSkeleton(root: string, visible: Visible): Promise<void> {
  await rm(root, { recursive: true, force: true })
  const make = (path: string) => mkdir(join(root, path), { recursive: true, mode: 0o755 })
  await make('/')
  for (const path of [...emptyFolders, ...visible.folders]) await make(path)
  for (const path of [...devices.map((name) => `/dev/${name}`), ...visible.files]) {
    await make(dirname(path))
    await writeFile(join(root, path), '')
  }
  for (const { path, target } of [...links, ...visible.links]) {
    await make(dirname(path))
    await symlink(target, join(root, path))
  }
}
