import { readFileSync, watch as watchFolder, type FSWatcher } from 'node:fs'
import { basename, dirname } from 'node:path'

/** A repository with more folders (a mirror has one per pull request) is only polled. */
const maxFoldersPerItem = 200
/** Each needs about a kilobyte in Node and another one in the kernel. */
const maxFoldersDefault = 100_000
/** A repository with more events within a second is only polled. */
const maxEventsPerSecond = 500
const secondMs = 1000

/** The limit counts all processes of a user, so half of it is left for others. */
function limitOfSystem(): number {
  try {
    return Math.min(maxFoldersDefault, Number(readFileSync('/proc/sys/fs/inotify/max_user_watches', 'utf8')) / 2)
  } catch {
    return 0
  }
}

export interface FileWatcherOptions<T> {
  /** Called for each event, so it must be fast. Something may have changed. */
  onChange: (item: T) => void
  /** The item is no longer watched although `unwatch` was not called. */
  onLost?: (item: T) => void
  /** The maximum number of watched folders. Default: half of what the system allows. */
  maxFolders?: number
}

/**
 * Reports file system events for the refs of repositories: usually at once, but without a
 * guarantee.
 */
export interface FileWatcher<T> {
  /**
   * Watches these paths instead of the item's previous ones. Always creates new watches, because
   * another folder can have the same name now. `changed`: the item has just changed, and replaces
   * the least recently changed item if the limit is reached. Returns whether all paths are watched.
   */
  watch(item: T, paths: readonly string[], changed: boolean): boolean
  unwatch(item: T): void
  has(item: T): boolean
  stop(): void
}

interface Watched {
  watchers: FSWatcher[]
}

/** The events of one second. */
interface Events {
  count: number
  since: number
}

/** Ignores files other than the refs, and the lock files that git renames into refs. */
const isRelevant = (folder: string, name: string | null, files: ReadonlyMap<string, Set<string>>): boolean => {
  if (name === null) return true
  const watchedNames = files.get(folder)
  // A file that is watched, or the folder itself was removed.
  return watchedNames ? watchedNames.has(name) || name === basename(folder) : !name.endsWith('.lock')
}

export function createFileWatcher<T extends object>({
  onChange,
  onLost,
  maxFolders = limitOfSystem(),
}: FileWatcherOptions<T>): FileWatcher<T> {
  /** Ordered by the last change, least recent first. */
  const watched = new Map<T, Watched>()
  const events = new WeakMap<T, Events>()
  let count = 0
  /** Lower than `maxFolders` after the system has refused more. */
  let limit = process.platform === 'linux' ? maxFolders : 0

  function unwatch(item: T): void {
    const cached = watched.get(item)
    if (!cached) return
    watched.delete(item)
    count -= cached.watchers.length
    for (const watcher of cached.watchers) watcher.close()
  }

  function drop(item: T): void {
    unwatch(item)
    onLost?.(item)
  }

  function eventsOf(item: T): Events {
    const now = performance.now()
    const cached = events.get(item)
    if (cached && now - cached.since < secondMs) return cached
    const created = { count: 0, since: now }
    events.set(item, created)
    return created
  }

  function onEvent(item: T, own: Watched): void {
    if (watched.get(item) !== own) return
    const known = eventsOf(item)
    known.count += 1
    if (known.count > maxEventsPerSecond) drop(item)
    onChange(item)
  }

  /** Files are watched through their folders, because git replaces them. */
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
    watch(item, paths, changed) {
      unwatch(item)
      // Checked before sorting the paths, which takes 300 ms for 240,000.
      if (paths.length > 2 * maxFoldersPerItem) return false
      const { folders, files } = foldersOf(paths)
      if (folders.length > maxFoldersPerItem || eventsOf(item).count > maxEventsPerSecond) return false
      for (const oldest of watched.keys()) {
        if (!changed || count + folders.length <= limit) break
        drop(oldest)
      }
      if (count + folders.length > limit) return false
      const current: Watched = { watchers: [] }
      watched.set(item, current)
      try {
        for (const folder of folders) {
          const watcher = watchFolder(folder, { persistent: false }, (_kind, name) => {
            if (isRelevant(folder, name, files)) onEvent(item, current)
          })
          current.watchers.push(watcher)
          count += 1
          watcher.on('error', () => drop(item))
        }
        return true
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException
        // The system's limit is reached; watched folders stay watched.
        if (code === 'ENOSPC' || code === 'EMFILE') limit = count - current.watchers.length
        unwatch(item)
        return false
      }
    },
    unwatch,
    has: (item) => watched.has(item),
    stop() {
      for (const item of watched.keys()) unwatch(item)
    },
  }
}
