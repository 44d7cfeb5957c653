/** The worker thread that searches builds, on a separate read-only connection. */
import { parentPort, workerData } from 'node:worker_threads'
import { DatabaseSync } from '@photostructure/sqlite'
import { findBuildIds, type FindJob, type FoundIds } from './find.ts'
import { errorMessage } from '../../lib/error-message.ts'

export interface FindData {
  database: string
}
export type FindAnswer = FoundIds | { error: string }

const { database }: FindData = workerData
const db = new DatabaseSync(database, { readOnly: true })
db.exec('pragma busy_timeout = 1000')

parentPort?.on('message', (job: FindJob) => {
  let answer: FindAnswer
  try {
    answer = findBuildIds(db, job)
  } catch (error) {
    answer = { error: errorMessage(error) }
  }
  parentPort?.postMessage(answer)
})
