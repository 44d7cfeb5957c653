// For tests: loaded into a server (`node --import`), it records the length of each turn of the
// event loop, in processor time of the main thread, so that a busy machine, or a busy or slow host,
// does not matter.
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

const accounts = `/proc/${process.pid}/task/${process.pid}/schedstat`
/** Milliseconds; wall-clock time on other systems than Linux. */
const used = existsSync(accounts)
  ? () => Number(readFileSync(accounts, 'utf8').split(' ')[0]) / 1e6
  : () => performance.now()

const statistics = '/proc/stat'
/**
 * Milliseconds that the host gave this machine's processors to others (steal time). Part of it is
 * charged to the interrupted thread: with four busy processes, 3 ms of work was recorded as 40 and
 * 64 ms, each beside 100 ms of steal time.
 */
const stolen = existsSync(statistics) ? () => Number(readFileSync(statistics, 'utf8').split(/\s+/, 9)[8]) * 10 : () => 0

/** Milliseconds to parse `sample` on the reference machine, measured while it was idle. */
const usual = 1.0
const sample = JSON.stringify(Array.from({ length: 2_000 }, (_, at) => ({ number: at, name: `step ${at}`, on: ['a'] })))
/**
 * Milliseconds for the same now: within an hour the speed of one host varied by a factor of two.
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
