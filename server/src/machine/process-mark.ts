import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Every process of a step inherits this variable, which identifies even `setsid` children. */
export const markVariable = 'FLIGHTDECK_MARK'

/**
 * The prefix of all marks of one data folder, by which the next start of the server finds orphaned
 * processes.
 */
export async function folderMark(dataDir: string): Promise<string> {
  const path = join(dataDir, 'process-mark')
  const stored = await readFile(path, 'utf8').catch(() => '')
  if (/^[0-9a-f]{24}$/.test(stored.trim())) return stored.trim()
  const mark = randomBytes(12).toString('hex')
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  await writeFile(path, `${mark}\n`, { mode: 0o600 })
  return mark
}

/** A unique mark for one step. */
export const newMark = (folder: string): string => `${folder}-${randomBytes(8).toString('hex')}`

/**
 * The variable's value: a server that itself runs in a step keeps the outer mark, so the outer one
 * finds everything.
 */
export function markValue(mark: string, outer = process.env[markVariable]): string {
  return outer ? `${outer} ${mark}` : mark
}

/**
 * Whether `/proc/<pid>/environ` contains `mark`, or a mark that starts with it for the prefix of a
 * folder.
 */
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
