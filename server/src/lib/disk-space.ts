/** Whether a disk has room for what wants to begin, and for what runs. */
import { statfs } from 'node:fs/promises'

const mebibyte = 1024 * 1024
/** Less free space than this, or than a twentieth of a small disk, is not enough for the next builds. */
const minFreeBytes = 256 * mebibyte
const minFreeShare = 0.05
/** The same for inodes: each step needs some. */
const minFreeFiles = 1_000
const minFreeFilesShare = 0.01

/** The part of `statfs` that counts. */
export interface DiskFigures {
  bsize: number
  blocks: number
  bavail: number
  files: number
  ffree: number
}

/** What is missing, as a sentence without a path; `null` if nothing is. */
export function problemOf({ bavail, blocks, bsize, files, ffree }: DiskFigures): string | null {
  const free = bavail * bsize
  if (free < Math.min(minFreeBytes, blocks * bsize * minFreeShare)) {
    return `The disk of the data folder is nearly full: ${Math.floor(free / mebibyte)} MiB are free`
  }
  // Some file systems have no fixed number of them, and say 0.
  if (files > 0 && ffree < Math.min(minFreeFiles, files * minFreeFilesShare)) {
    return `The disk of the data folder has nearly no inodes left: ${ffree} are free`
  }
  return null
}

/** What a disk runs short of. */
export type Shortage = 'space' | 'inodes'

/** Half of what new builds need, so that a stage that has just started is not ended for what it checks out. */
const runningShare = 0.5

/** What a disk has too little of for the stages that run, and how much that is. */
export function shortageOf({
  bavail,
  blocks,
  bsize,
  files,
  ffree,
}: DiskFigures): { kind: Shortage; min: number } | null {
  const minBytes = Math.min(minFreeBytes, blocks * bsize * minFreeShare) * runningShare
  if (bavail * bsize < minBytes) return { kind: 'space', min: minBytes }
  const min = Math.min(minFreeFiles, files * minFreeFilesShare) * runningShare
  return files > 0 && ffree < min ? { kind: 'inodes', min } : null
}

/** Rejects if the folder is not there. */
export const diskProblem = async (folder: string): Promise<string | null> => problemOf(await statfs(folder))

/** The message is for people. */
export class DiskFullError extends Error {}

const watchMs = 1_000

export interface WatchSpaceOptions {
  /** For tests. */
  readDisk?: (folder: string) => Promise<DiskFigures>
}

/**
 * For work that writes much to the disk of `folder`: rejects with a `DiskFullError` if the disk has too little space for it to
 * begin, and aborts `signal` with one if space runs out. Call `stop` when the work has ended.
 */
export async function watchSpace(folder: string, { readDisk = statfs }: WatchSpaceOptions = {}) {
  const ending = new AbortController()
  const full = () => new DiskFullError('The disk of the server is nearly full')
  // A folder that is not there says nothing about its disk.
  const read = () => readDisk(folder).catch(() => null)
  const figures = await read()
  if (figures && problemOf(figures) !== null) throw full()
  const timer = setInterval(() => {
    void read().then((now) => {
      if (now && shortageOf(now)) ending.abort(full())
    })
  }, watchMs).unref()
  return { signal: ending.signal, stop: () => clearInterval(timer) }
}
