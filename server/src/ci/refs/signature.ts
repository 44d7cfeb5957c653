import { statSync } from 'node:fs'

/** Times closer than this to a look may change again without looking different: the clock of a file system is coarse. */
const racyNanoseconds = 1_000_000_000n

/**
 * The modification times of `paths` as one text. Synchronous on purpose: a `stat` of a cached entry takes a few
 * microseconds, a tenth of what handing it to another thread costs.
 */
export function signatureOf(paths: readonly string[]): { text: string; settled: boolean } {
  let text = ''
  let newest = 0n
  for (const path of paths) {
    const time = statSync(path, { bigint: true, throwIfNoEntry: false })?.mtimeNs ?? 0n
    if (time > newest) newest = time
    text += `${time} `
  }
  const now = BigInt(Date.now()) * 1_000_000n
  return { text, settled: newest < now - racyNanoseconds }
}
