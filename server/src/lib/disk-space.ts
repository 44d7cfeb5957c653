/** Whether a disk has room for what wants to begin, and for what runs. */
import { statfs } from 'node:fs/promises'

const mebibyte = 1024 * 1024
/**
 * Less free space than this, or than a twentieth of a small disk, is not enough for the next
 * builds.
 */
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

/** What a disk runs short of. */
export type Shortage = 'space' | 'inodes'

/** `min`: the bytes or inodes below which the disk has too little. */
export interface DiskShortage {
  kind: Shortage
  min: number
}

/** What a disk has too little of, where `share` of what new builds need is enough. */
function shortageBelow(share: number, { bavail, blocks, bsize, files, ffree }: DiskFigures): DiskShortage | null {
  const minBytes = Math.min(minFreeBytes, blocks * bsize * minFreeShare) * share
  if (bavail * bsize < minBytes) return { kind: 'space', min: minBytes }
  // Some file systems have no fixed number of inodes, and say 0.
  const minFiles = Math.min(minFreeFiles, files * minFreeFilesShare) * share
  return files > 0 && ffree < minFiles ? { kind: 'inodes', min: minFiles } : null
}

/**
 * What is missing for new builds, as a sentence without a path; `null` if nothing is. `of`: what
 * the disk holds.
 */
export function problemOf(figures: DiskFigures, of = 'the data folder'): string | null {
  const shortage = shortageBelow(1, figures)
  if (!shortage) return null
  const { bavail, bsize, ffree } = figures
  return shortage.kind === 'space'
    ? `The disk of ${of} is nearly full: ${Math.floor((bavail * bsize) / mebibyte)} MiB are free`
    : `The disk of ${of} has nearly no inodes left: ${ffree} are free`
}

/**
 * Half of what new builds need, so that a stage that has just started is not ended for what it
 * checks out.
 */
const runningShare = 0.5

/** What a disk has too little of for the stages that run. */
export const shortageOf = (figures: DiskFigures): DiskShortage | null => shortageBelow(runningShare, figures)

/** Rejects if the folder is not there. */
export const diskProblem = async (folder: string, of?: string): Promise<string | null> =>
  problemOf(await statfs(folder), of)

/** The message is for people. */
export class DiskFullError extends Error {}

const watchMs = 1_000

export interface WatchSpaceOptions {
  /** For tests. */
  readDisk?: (folder: string) => Promise<DiskFigures>
}

/**
 * For work that writes much to the disk of `folder`: rejects with a `DiskFullError` if the disk has
 * too little space for it to begin, and aborts `signal` with one if space runs out. Call `stop`
 * when the work has ended.
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
