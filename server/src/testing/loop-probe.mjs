// For tests: loaded into a server (`node --import`), it writes down how long each turn of the event loop held it. Counted is the
// processor time of the main thread, so that a busy machine, which lets it wait, changes nothing, nor a busy host.
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

const accounts = `/proc/${process.pid}/task/${process.pid}/schedstat`
/** Milliseconds; elsewhere than on Linux the clock's. */
const used = existsSync(accounts)
  ? () => Number(readFileSync(accounts, 'utf8').split(' ')[0]) / 1e6
  : () => performance.now()

const statistics = '/proc/stat'
/**
 * Milliseconds that the host of this machine took its processors for others. A part of it is charged to the thread that it met: with
 * four busy processes work of 3 ms was written down as 40 and as 64, each time beside 100 ms of these.
 */
const stolen = existsSync(statistics) ? () => Number(readFileSync(statistics, 'utf8').split(/\s+/, 9)[8]) * 10 : () => 0

const file = process.env.LOOP_PROBE_FILE
if (isMainThread && file) {
  const own = () => used() - stolen()
  let before = own()
  setInterval(() => {
    const now = own()
    if (now - before > 20) appendFileSync(file, `${JSON.stringify({ at: Date.now(), held: now - before })}\n`)
    before = now
  }, 10).unref()
}
