/**
 * Syncs a folder's entries to disk: after a power loss, a synced file can be missing if its folder
 * was not synced.
 */
import { open } from 'node:fs/promises'

interface Syncs {
  running: Promise<void>
  /** Starts after the running sync; shared by all callers meanwhile. */
  next: Promise<void> | undefined
}

const folders = new Map<string, Syncs>()

async function sync(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/** Resolves when all current names in the folder are on the disk. Concurrent calls share a sync. */
export function syncFolder(path: string): Promise<void> {
  const cached = folders.get(path)
  if (!cached) {
    const syncs: Syncs = { running: sync(path), next: undefined }
    folders.set(path, syncs)
    void settle(path, syncs)
    return syncs.running
  }
  cached.next ??= cached.running.then(
    () => sync(path),
    () => sync(path),
  )
  return cached.next
}

async function settle(path: string, syncs: Syncs): Promise<void> {
  for (;;) {
    await syncs.running.catch(() => {})
    if (!syncs.next) break
    syncs.running = syncs.next
    syncs.next = undefined
  }
  folders.delete(path)
}
