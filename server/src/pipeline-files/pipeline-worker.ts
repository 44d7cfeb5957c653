/**
 * The program of the worker threads that parse pipeline files. It is bundled separately from the
 * server.
 */
import { parentPort } from 'node:worker_threads'
import { createJobs, type Job } from './jobs.ts'

const answer = createJobs()
parentPort?.on('message', (job: Job) => parentPort?.postMessage(answer(job)))
// The time limit of a job starts when its thread is ready.
parentPort?.postMessage('ready')
