import { readFileSync } from 'node:fs'
import { join, normalize } from 'node:path'
import { isWithin } from './paths.ts'
import { devices, emptyFolder } from './skeleton.ts'
import type { Visible } from './visible.ts'

export interface Bind {
  from: string
  to: string
  writable?: boolean
}

/** A line of the table that `mount --all` reads. */
const line = (from: string, to: string, type: string, options: string) =>
  `${[from, to].map(escape).join(' ')} ${type} ${options} 0 0\n`

const escape = (path: string): string =>
  path.replace(/[\s\\#]/g, (character) => `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`)

/** The mounts of one step, in order; `mounts` are those of the machine. */
export function mountTable(mounts: readonly Mount[], root: string, visible: Visible, own: readonly Bind[]): string {
  const bind = ({ from, to, writable }: Bind, kind: 'bind' | 'rbind' = 'bind') => {
    const options = [kind, ...(writable ? [] : ['ro']), 'nosuid', 'nodev', ...inheritedMounts(mounts, from)]
    return line(from, join(root, to), 'none', options.join(','))
  }
  return [
    bind({ from: root, to: '/' }),
    ...visible.folders.map((path) => bind({ from: path, to: path }, 'rbind')),
    ...visible.files.map((path) => bind({ from: path, to: path })),
    ...visible.covered.map(({ path, isFolder }) =>
      bind({ from: isFolder ? emptyFolder(root) : '/dev/null', to: path }),
    ),
    ...new Set(
      [...devices.map((name) => `/dev/${name}`), ...visible.devices].map((path) =>
        line(path, join(root, path), 'none', 'bind'),
      ),
    ),
    line('devpts', join(root, 'dev/pts'), 'devpts', 'newinstance,ptmxmode=0666,mode=620,nosuid,noexec'),
    line('tmpfs', join(root, 'dev/shm'), 'tmpfs', 'mode=1777,nosuid,nodev'),
    line('proc', join(root, 'proc'), 'proc', 'nosuid,nodev,noexec'),
    ...own.map((each) => bind(each)),
  ].join('')
}

/** Mounts below the visible folders: binding the folders read-only leaves them writable. */
export function innerMounts(
  mounts: readonly Mount[],
  root: string,
  visible: Visible,
): { path: string; options: string }[] {
  const isInVisible = (path: string) => visible.folders.some((folder) => path !== folder && isWithin(path, folder))
  return mounts
    .filter(({ path }) => isInVisible(path))
    .map(({ path }) => ({
      path: join(root, path),
      options: ['remount', 'bind', 'ro', 'nosuid', 'nodev', ...inheritedMounts(mounts, path)].join(','),
    }))
}

export interface Mount {
  path: string
  options: string[]
}

/**
 * As they are now: they change while the server runs. The kernel answers at once; to ask in another
 * thread costs more.
 */
export function readMounts(): Mount[] {
  const text = readFileSync('/proc/self/mountinfo', 'utf8')
  return text.split('\n').flatMap((row) => {
    const [, , , , path, options] = row.split(' ')
    return path && options ? [{ path: unescape(path), options: options.split(',') }] : []
  })
}

const unescape = (path: string): string =>
  path.replace(/\\([0-7]{3})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 8)))

/**
 * The options of the innermost mount at or above `path` that a mount below it keeps: in a user
 * namespace the kernel refuses to take these off again, and leaving them out would do just that.
 */
export function inheritedMounts(mounts: readonly Mount[], path: string): string[] {
  let best: Mount | undefined
  // The kernel's paths are plain; taking them apart for each pair of folder and mount would cost
  // more than all the rest.
  const plain = normalize(path)
  for (const mount of mounts) {
    const isBelow = plain === mount.path || plain.startsWith(mount.path === '/' ? '/' : `${mount.path}/`)
    if (isBelow && (!best || mount.path.length >= best.path.length)) best = mount
  }
  return (best?.options ?? []).filter((option) => ['noexec', 'noatime', 'nodiratime'].includes(option))
}
