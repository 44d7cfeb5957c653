/** Whether the disk of the data folder has room for the next builds. */
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

/** Rejects if the folder is not there. */
export const diskProblem = async (folder: string): Promise<string | null> => problemOf(await statfs(folder))
