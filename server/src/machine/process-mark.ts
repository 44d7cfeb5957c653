import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Every process of a step inherits this variable; by it even a `setsid` child is found. */
export const markVariable = 'FLIGHTDECK_MARK'

/** The part that all marks of one data folder share, so that the next start of the server knows its orphans. */
export async function folderMark(dataDir: string): Promise<string> {
  const path = join(dataDir, 'process-mark')
  const known = await readFile(path, 'utf8').catch(() => '')
  if (/^[0-9a-f]{24}$/.test(known.trim())) return known.trim()
  const mark = randomBytes(12).toString('hex')
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  await writeFile(path, `${mark}\n`, { mode: 0o600 })
  return mark
}

/** A unique mark for one step. */
export const newMark = (folder: string): string => `${folder}-${randomBytes(8).toString('hex')}`

/** The variable's value: a server that itself runs in a step keeps the outer mark, so the outer one finds everything. */
export function markValue(mark: string, outer = process.env[markVariable]): string {
  return outer ? `${outer} ${mark}` : mark
}

/** Whether the bytes of `/proc/<pid>/environ` carry `mark`, or for a folder's mark any that begins with it. */
export function carriesMark(environ: string, mark: string): boolean {
  const prefix = `${markVariable}=`
  return environ.split('\0').some((entry) => {
    if (!entry.startsWith(prefix)) return false
    return entry
      .slice(prefix.length)
      .split(' ')
      .some((value) => value === mark || value.startsWith(`${mark}-`))
  })
}
