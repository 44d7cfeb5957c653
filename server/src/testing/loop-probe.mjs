// For tests: loaded into a server (`node --import`), it records the length of each turn of the
// event loop, in processor time of the main thread, so that a busy machine, or a busy or slow host,
// does not matter.
import { appendFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

import { atUsualSpeed, workMsOf } from './machine-speed.mjs'

const file = process.env.LOOP_PROBE_FILE
if (isMainThread && file) {
  let before = workMsOf(process.pid)
  setInterval(() => {
    const work = workMsOf(process.pid) - before
    if (work > 20) appendFileSync(file, `${JSON.stringify({ at: Date.now(), held: atUsualSpeed(work), work })}\n`)
    before = workMsOf(process.pid)
  }, 10).unref()
}
