import { readFileSync, watch, type FSWatcher } from 'node:fs'
import { basename, dirname } from 'node:path'

/** More folders of one repository (a mirror's pull requests have one each) are left to the looks. */
const maxOfOne = 200
/** Node holds about a kilobyte for each, the kernel another one. */
const maxOfAll = 100_000
/** Events of one repository within a second, from which on it is left to the looks for another one. */
const storm = 500
const secondMs = 1000

/** Of all accounts of a user on this machine, so half of them is left to others. */
function limitOfSystem(): number {
  try {
    return Math.min(maxOfAll, Number(readFileSync('/proc/sys/fs/inotify/max_user_watches', 'utf8')) / 2)
  } catch {
    return 0
  }
}

export interface NoticesOptions<T> {
  /** Something of it may be different: told for each event, so it must be quick. */
  onChange: (item: T) => void
  /** It is not watched any more, and nobody asked for that. */
  onLost?: (item: T) => void
  /** Folders that are watched at once. */
  most?: number
}

/** Notices of the file system about the refs of repositories: told at once, and not for sure. */
export interface Notices<T> {
  /**
   * From now on these are watched, anew: a folder that has taken another one's place, too. `changed`: it has just changed, and
   * is watched in place of what changed the longest time ago. Answers whether all of them are.
   */
  set(item: T, paths: readonly string[], changed: boolean): boolean
  drop(item: T): void
  has(item: T): boolean
  stop(): void
}

interface Watched {
  watchers: FSWatcher[]
}

/** Of one second. */
interface Events {
  count: number
  since: number
}

/** What stands beside the refs, and changes for other reasons; git writes a ref under another name first. */
const matters = (folder: string, name: string | null, files: ReadonlyMap<string, Set<string>>): boolean => {
  if (name === null) return true
  const wanted = files.get(folder)
  // The folder itself has gone.
  return wanted ? wanted.has(name) || name === basename(folder) : !name.endsWith('.lock')
}

export function createNotices<T extends object>({
  onChange,
  onLost,
  most = limitOfSystem(),
}: NoticesOptions<T>): Notices<T> {
  /** The one that changed the longest time ago first. */
  const watched = new Map<T, Watched>()
  const events = new WeakMap<T, Events>()
  let count = 0
  /** The system gave no more at so many. */
  let ceiling = process.platform === 'linux' ? most : 0

  function drop(item: T): void {
    const known = watched.get(item)
    if (!known) return
    watched.delete(item)
    count -= known.watchers.length
    for (const watcher of known.watchers) watcher.close()
  }

  function lose(item: T): void {
    drop(item)
    onLost?.(item)
  }

  function eventsOf(item: T): Events {
    const now = performance.now()
    const known = events.get(item)
    if (known && now - known.since < secondMs) return known
    const fresh = { count: 0, since: now }
    events.set(item, fresh)
    return fresh
  }

  function tell(item: T, own: Watched): void {
    if (watched.get(item) !== own) return
    const known = eventsOf(item)
    known.count += 1
    if (known.count > storm) lose(item)
    onChange(item)
  }

  /** The files among `paths` are watched by their folders: git puts others in their place. */
  function foldersOf(paths: readonly string[]): { folders: string[]; files: Map<string, Set<string>> } {
    const files = new Map<string, Set<string>>()
    const folders = new Set<string>()
    for (const path of paths) {
      const isFile = /^(?:HEAD|packed-refs)$/.test(basename(path))
      if (!isFile) {
        folders.add(path)
        continue
      }
      const folder = dirname(path)
      files.set(folder, (files.get(folder) ?? new Set()).add(basename(path)))
      folders.add(folder)
    }
    return { folders: [...folders], files }
  }

  return {
    set(item, paths, changed) {
      drop(item)
      // Not looked through: of 240,000 that alone took 300 ms.
      if (paths.length > 2 * maxOfOne) return false
      const { folders, files } = foldersOf(paths)
      if (folders.length > maxOfOne || eventsOf(item).count > storm) return false
      for (const oldest of watched.keys()) {
        if (!changed || count + folders.length <= ceiling) break
        lose(oldest)
      }
      if (count + folders.length > ceiling) return false
      const own: Watched = { watchers: [] }
      watched.set(item, own)
      try {
        for (const folder of folders) {
          const watcher = watch(folder, { persistent: false }, (_kind, name) => {
            if (matters(folder, name, files)) tell(item, own)
          })
          own.watchers.push(watcher)
          count += 1
          watcher.on('error', () => lose(item))
        }
        return true
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException
        // There are no more to be had; what is watched stays so.
        if (code === 'ENOSPC' || code === 'EMFILE') ceiling = count - own.watchers.length
        drop(item)
        return false
      }
    },
    drop,
    has: (item) => watched.has(item),
    stop() {
      for (const item of watched.keys()) drop(item)
    },
  }
}
