/**
 * The command `compact`: frees the space of removed rows in the database. No server may be running
 * on it.
 */
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { StartError } from '../lib/start-error.ts'
import { databaseName } from '../operation/backup/format.ts'
import { parseOptions } from '../options/options.ts'
import { compactDatabase } from '../store/vacuum.ts'
import { lockDataFolder } from './data-folder.ts'
import { explainStart } from './start-failure.ts'

const inWords = (bytes: number): string => `${Math.ceil(bytes / 1024)} KiB`

/** Returns false if the first argument is another command. */
export function runCompactCommand(
  args: readonly string[],
  { environment, say }: { environment: Record<string, string | undefined>; say: (text: string) => void },
): boolean {
  const [name, ...rest] = args
  if (name !== 'compact') return false
  const { data } = parseOptions(rest, environment)
  const database = join(data, databaseName)
  if (!existsSync(database)) throw new StartError(`${data} is not a Flightdeck data folder`)
  const giveFree = lockDataFolder(data)
  try {
    const before = statSync(database).size
    compactDatabase(database)
    say(`Compacted ${database}: ${inWords(before)} before, ${inWords(statSync(database).size)} now`)
  } catch (error) {
    throw explainStart(error, { database, folder: data })
  } finally {
    giveFree()
  }
  return true
}
