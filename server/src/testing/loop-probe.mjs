// For tests: loaded into a server (`node --import`), it writes down how long each turn of the event
// loop held it. Counted is the processor time of the main thread, so that a busy machine, which
// lets it wait, changes nothing, nor a busy host or a slow one.
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

const accounts = `/proc/${process.pid}/task/${process.pid}/schedstat`
/** Milliseconds; elsewhere than on Linux the clock's. */
const used = existsSync(accounts)
  ? () => Number(readFileSync(accounts, 'utf8').split(' ')[0]) / 1e6
  : () => performance.now()

const statistics = '/proc/stat'
/**
 * Milliseconds that the host of this machine took its processors for others. A part of it is
 * charged to the thread that it met: with four busy processes work of 3 ms was written down as 40
 * and as 64, each time beside 100 ms of these.
 */
const stolen = existsSync(statistics) ? () => Number(readFileSync(statistics, 'utf8').split(/\s+/, 9)[8]) * 10 : () => 0

/** Milliseconds to parse `sample` on the reference machine, measured while it was idle. */
const usual = 1.0
const sample = JSON.stringify(Array.from({ length: 2_000 }, (_, at) => ({ number: at, name: `step ${at}`, on: ['a'] })))
/**
 * What the same takes at this moment: within an hour one host's processor was worth between once
 * and twice as much.
 */
function pace() {
  let least = Infinity
  for (let times = 0; times < 5; times += 1) {
    const began = performance.now()
    JSON.parse(sample)
    least = Math.min(least, performance.now() - began)
  }
  return least
}

const file = process.env.LOOP_PROBE_FILE
if (isMainThread && file) {
  const own = () => used() - stolen()
  let before = own()
  setInterval(() => {
    const work = own() - before
    if (work > 20) {
      const held = work * Math.min(1, usual / pace())
      appendFileSync(file, `${JSON.stringify({ at: Date.now(), held, work })}\n`)
    }
    before = own()
  }, 10).unref()
}
