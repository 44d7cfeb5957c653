/** The commands `backup FILE` and `restore FILE`. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { StartError } from '../lib/start-error.ts'
import { BackupError } from '../operation/backup/backup-error.ts'
import { createBackup } from '../operation/backup/create-backup.ts'
import { databaseName, settingsName } from '../operation/backup/format.ts'
import { restoreBackup } from '../operation/backup/restore-backup.ts'
import { parseOptions } from '../options/options.ts'
import { UsageError } from '../options/values.ts'
import { migrations } from '../store/migrations.ts'
import { explainStart } from './start-failure.ts'

const commands = ['backup', 'restore'] as const
type CommandName = (typeof commands)[number]

interface CommandOptions {
  environment: Record<string, string | undefined>
  version: string
  say: (text: string) => void
}

const commandIn = ([first]: readonly string[]): CommandName | undefined => commands.find((name) => name === first)

/** Runs the command if the first argument is one; otherwise returns false. */
export async function runBackupCommand(args: readonly string[], options: CommandOptions): Promise<boolean> {
  const name = commandIn(args)
  if (!name) return false
  const [, file, ...rest] = args
  if (file === undefined || file.startsWith('-'))
    throw new UsageError(`${name} needs a file: npm start -- ${name} FILE`)
  const { data } = parseOptions(rest, options.environment)
  try {
    await (name === 'backup' ? backup(data, file, options) : restore(data, file, options))
  } catch (error) {
    if (error instanceof BackupError) throw new StartError(error.message)
    throw explainStart(error, { database: join(data, databaseName), folder: file })
  }
  return true
}

async function backup(data: string, file: string, { version, say }: CommandOptions): Promise<void> {
  const { bytes, logs, hasKey } = await createBackup(data, file, version)
  say(`Wrote and checked ${file}: the database, ${logs} ${logs === 1 ? 'log' : 'logs'}, ${Math.ceil(bytes / 1024)} KiB`)
  say(
    hasKey
      ? 'It contains the secrets key: store it where only you can read it'
      : 'It does not contain the secrets key, because FLIGHTDECK_SECRETS_KEY sets it: keep that key as well',
  )
}

async function restore(data: string, file: string, { say }: CommandOptions): Promise<void> {
  const { files, schema } = await restoreBackup(data, file, migrations.length)
  say(`Restored ${files} files into ${data}`)
  if (schema < migrations.length)
    say('Its database is from an older version; the next start migrates it and keeps a copy')
  for (const line of settingsOf(data)) say(line)
}

/** The settings of the server that the backup is from. */
function settingsOf(data: string): string[] {
  let text: string
  try {
    text = readFileSync(join(data, settingsName), 'utf8')
  } catch {
    return []
  }
  return [`That server ran with these settings (${settingsName}):`, ...text.trimEnd().split('\n')]
}
