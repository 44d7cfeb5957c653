/**
 * For tests: processor time of a main thread, corrected for a busy or slow host. Plain JavaScript,
 * because `node --import` loads it into a built server; `machine-speed.d.mts` documents it.
 */
import { existsSync, readFileSync } from 'node:fs'

/** Wall-clock time on other systems than Linux. */
export function processorMsOf(process) {
  const accounts = `/proc/${process}/task/${process}/schedstat`
  return existsSync(accounts) ? Number(readFileSync(accounts, 'utf8').split(' ')[0]) / 1e6 : performance.now()
}

const statistics = '/proc/stat'
/**
 * Milliseconds that the host gave this machine's processors to others (steal time). Part of it is
 * charged to the interrupted thread: with four busy processes, 3 ms of work was recorded as 40 and
 * 64 ms, each beside 100 ms of steal time.
 */
const stolenMs = () => (existsSync(statistics) ? Number(readFileSync(statistics, 'utf8').split(/\s+/, 9)[8]) * 10 : 0)

export const workMsOf = (process) => processorMsOf(process) - stolenMs()

/** Milliseconds to parse `sample` on the reference machine, measured while it was idle. */
const usualMs = 1.0
const sample = JSON.stringify(Array.from({ length: 2_000 }, (_, at) => ({ number: at, name: `step ${at}`, on: ['a'] })))
/** Milliseconds for the same now: within an hour one host's speed varied by a factor of two. */
function paceMs() {
  let least = Infinity
  for (let times = 0; times < 5; times += 1) {
    const began = performance.now()
    JSON.parse(sample)
    least = Math.min(least, performance.now() - began)
  }
  return least
}

export const atUsualSpeed = (workMs) => workMs * Math.min(1, usualMs / paceMs())
