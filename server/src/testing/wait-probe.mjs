/**
 * For tests: loaded into a server (`node --import`), it adds to each response for how many
 * milliseconds of the server's work the request waited. Counted inside the server: a test on a busy
 * machine sends and receives later than it means to, while the server works on.
 */
import { subscribe } from 'node:diagnostics_channel'
import { isMainThread } from 'node:worker_threads'

import { workMsOf } from './machine-speed.mjs'

if (isMainThread) {
  /** When this turn of the event loop began: a request that it reads has not waited for longer. */
  let turnBeganMs = 0
  const beginTurn = () => {
    turnBeganMs = workMsOf(process.pid)
    // It runs once in each turn, and keeps none from waiting for input.
    setImmediate(beginTurn).unref()
  }
  beginTurn()
  subscribe('http.server.request.start', ({ response }) => {
    const arrivedMs = turnBeganMs
    const { writeHead } = response
    response.writeHead = (...all) => {
      response.setHeader('x-waited-ms', Math.max(0, workMsOf(process.pid) - arrivedMs))
      return writeHead.apply(response, all)
    }
  })
}
