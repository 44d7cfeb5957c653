/** Makes the data folder private, and locks it for one server at a time. */
import { chmodSync, mkdirSync, readFileSync, writeFileSync, accessSync, constants } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite'
import { StartError } from '../lib/start-error.ts'
import { errorMessage } from '../lib/error-message.ts'

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined)

function prepare(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    accessSync(folder, constants.W_OK)
  } catch (error) {
    throw new StartError(`The data folder ${folder} cannot be written: ${errorMessage(error)}`)
  }
  try {
    chmodSync(folder, 0o700)
  } catch (error) {
    if (codeOf(error) !== 'EPERM') throw error
    throw new StartError(`The data folder ${folder} is owned by another user; choose another with --data`)
  }
}

/**
 * Locks the folder and returns the function that releases it. The end of the process releases it,
 * too.
 */
export function lockDataFolder(folder: string): () => void {
  prepare(folder)
  const pidFile = join(folder, 'server.pid')
  // The operating system releases database locks when the process ends, so locks are never stale.
  const lockFile = join(folder, 'server.lock')
  const lock = open(lockFile)
  try {
    lock.exec('pragma busy_timeout = 0; begin exclusive')
  } catch (error) {
    lock.close()
    if (!/locked|busy/i.test(errorMessage(error))) throw unusable(lockFile, error)
    throw new StartError(
      `The data folder ${folder} is in use by ${holder(pidFile)}. Stop it, or use another folder with --data`,
    )
  }
  const release = () => {
    lock.exec('rollback')
    lock.close()
  }
  try {
    writeFileSync(pidFile, `${process.pid}\n`)
  } catch (error) {
    release()
    throw error
  }
  return release
}

function open(lockFile: string): DatabaseSyncInstance {
  try {
    return new DatabaseSync(lockFile)
  } catch (error) {
    throw unusable(lockFile, error)
  }
}

/** The error tells the operator to remove the file, which is safe because it is empty. */
const unusable = (lockFile: string, error: unknown): StartError =>
  new StartError(
    `${lockFile} cannot be used (${errorMessage(error)}); is the disk full? If it is not, remove that file`,
  )

function holder(pidFile: string): string {
  try {
    const pid = readFileSync(pidFile, 'utf8').trim()
    return /^\d+$/.test(pid) ? `the server with process id ${pid}` : 'another server'
  } catch {
    return 'another server'
  }
}
