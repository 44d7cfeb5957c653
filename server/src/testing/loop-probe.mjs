// For tests: loaded into a server (`node --import`), it writes down how long each turn of the event loop held it. Counted is the
// processor time of the main thread, so that a busy machine, which lets it wait, changes nothing.
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

const accounts = `/proc/${process.pid}/task/${process.pid}/schedstat`
/** Milliseconds; elsewhere than on Linux the clock's. */
const used = existsSync(accounts)
  ? () => Number(readFileSync(accounts, 'utf8').split(' ')[0]) / 1e6
  : () => performance.now()

const file = process.env.LOOP_PROBE_FILE
if (isMainThread && file) {
  let before = used()
  setInterval(() => {
    const now = used()
    if (now - before > 20) appendFileSync(file, `${JSON.stringify({ at: Date.now(), held: now - before })}\n`)
    before = now
  }, 10).unref()
}
