/** Lists the contents of the log folder. */
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { nextTurn } from '../lib/event-loop.ts'
import { whenMissing } from '../lib/when-missing.ts'

/** Bytes of a log, compressed or not; `freed`: the bytes that removing it frees. */
export async function sizeOf(path: string): Promise<{ bytes: number; freed: number }> {
  for (const one of [`${path}.gz`, path]) {
    const found = await stat(one).catch(whenMissing(null))
    if (found) return { bytes: found.size, freed: found.nlink > 1 ? 0 : found.size }
  }
  return { bytes: 0, freed: 0 }
}

/** `17.json.gz`, `17.json`, `17.json.lines`, and unfinished ones: all name the step 17. */
const stepOf = (name: string): number | undefined => {
  const id = /^(\d+)\.json/.exec(name)?.[1]
  return id === undefined ? undefined : Number(id)
}

/** The step ids of all log files, one folder at a time. */
export async function* listStored(folder: string): AsyncGenerator<number[]> {
  for (const thousand of await readdir(folder).catch(whenMissing<string[]>([]))) {
    // This entry is not a folder of logs.
    if (!/^\d+$/.test(thousand)) continue
    const names = await readdir(join(folder, thousand)).catch(whenMissing<string[]>([]))
    yield [...new Set(names.map(stepOf).filter((id) => id !== undefined))]
    await nextTurn()
  }
}
