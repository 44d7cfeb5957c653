// A running step with many readers, a reader who joins late, and the server's start.
import { filled } from '../fill/fill.mjs'
import { percentile } from '../lib/stats.mjs'
import { signIn, startServer } from '../lib/server.mjs'
import { openStream } from './ask.mjs'
import { memoryMiB } from './process.mjs'

const api = ({ origin, cookie }, path, method = 'GET') =>
  fetch(`${origin}/api/repos/bench/live${path}`, { method, headers: { cookie } }).then((answer) => answer.json())

/** A build whose step has started to print. `query` sets the rate and the duration. */
async function startFlood(person, query) {
  await fetch(`${person.origin}/api/repos/bench/live`, { method: 'POST', headers: { cookie: person.cookie } })
  const { number } = await api(person, `/builds?${query}`, 'POST')
  for (;;) {
    const build = await api(person, `/builds/${number}`)
    if (build.stages?.[0]?.steps?.[1]?.status === 'running') return number
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

async function waitUntilDone(person, number) {
  while (!(await api(person, `/builds/${number}`)).finished) await new Promise((resolve) => setTimeout(resolve, 200))
}

/** Counts the lines of a stream and measures their delays. */
function counter(lags) {
  let rest = ''
  let lines = 0
  return {
    take(text) {
      const now = Date.now()
      const frames = (rest + text).split('\n\n')
      rest = frames.pop() ?? ''
      for (const frame of frames) {
        const printed = /"out":"t=(\d+)/.exec(frame)?.[1]
        if (!printed) continue
        lines++
        if (lines % 100 === 0) lags.push(now - Number(printed))
      }
    },
    get lines() {
      return lines
    },
  }
}

export const readers = {
  name: 'readers',
  size: 'small',
  rows: [
    ['delivered', 'live log, 50 readers at 5,000 lines/s for 10 s: delivered', '%', -100, '98.7'],
    ['memory', '– memory after', 'MiB', 200, '1,434'],
    ['lag', '– delay, 95th percentile', 'ms', 250],
  ],
  how: 'the lines contain their print time; the readers are one process on the same two cores, and every hundredth line of each is compared with the clock; private memory right after the end',
  async once({ person, server }) {
    const start = Date.now() + 3000
    const number = await startFlood(person, `START=${start}&RATE=5000`)
    const lags = []
    const counters = Array.from({ length: 50 }, () => counter(lags))
    const streams = await Promise.all(
      counters.map((reader) => openStream(person, `/api/stream/bench/live/${number}/1/2`, (text) => reader.take(text))),
    )
    await waitUntilDone(person, number)
    await Promise.all(streams.map((stream) => stream.ended))
    const memory = memoryMiB(server.pid)
    const lines = counters.reduce((sum, reader) => sum + reader.lines, 0)
    return { delivered: (lines / (50 * 50_000)) * 100, memory, lag: percentile(lags, 0.95) }
  },
}

export const late = {
  name: 'late',
  size: 'small',
  rows: [['lines', 'late joiner after 20,000 lines gets', 'lines', -20_000, '5,000']],
  how: 'a reader that joins after 20,000 lines; the number of lines received by the end of the step',
  async once({ person }) {
    const start = Date.now() + 1500
    const number = await startFlood(person, `START=${start}&RATE=10000&SECONDS=2`)
    await new Promise((resolve) => setTimeout(resolve, start + 1950 - Date.now()))
    const reader = counter([])
    const stream = await openStream(person, `/api/stream/bench/live/${number}/1/2`, (text) => reader.take(text))
    await stream.ended
    await waitUntilDone(person, number)
    return { lines: reader.lines }
  },
}

export const starting = {
  name: 'start',
  size: 'small',
  rows: [
    ['time', 'start to listening (built, migrated)', 'ms', 600, '23'],
    ['memory', '– idle memory', 'MiB', 100, '30'],
  ],
  how: 'a second server on the big data folder, from the start of its process to its message that it listens; private memory two seconds later',
  async once({ program }) {
    const server = await startServer(program, await filled('big'))
    await signIn(server.origin)
    await new Promise((resolve) => setTimeout(resolve, 2000))
    const memory = memoryMiB(server.pid)
    await server.stop()
    return { time: server.started, memory }
  },
}
