/** The thread in which pipeline files are read: a program of its own, bundled beside the server. */
import { parentPort } from 'node:worker_threads'
import { createJobs, type Job } from './jobs.ts'

const answer = createJobs()
parentPort?.on('message', (job: Job) => parentPort?.postMessage(answer(job)))
// The time of a job begins when its thread is ready.
parentPort?.postMessage('ready')
