// A running step that prints 10,000 lines a second for ten seconds, run by the built-in runner.
import { busySeconds, newPage, newPerson } from '../lib/chrome.mjs'
import { startProxy } from '../lib/proxy.mjs'
import { percentile } from '../lib/stats.mjs'

const api = ({ origin, cookie }, path, method = 'GET') =>
  fetch(`${origin}/api/repos/bench/live${path}`, { method, headers: { cookie } }).then(async (answer) => {
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return answer.json()
  })

/** In the page: in each frame, the time and when the newest line on screen was printed. */
const watchLines = (end) => {
  const seen = []
  const log = document.querySelector('[role=log]')
  let newest = 0
  const stop = window.bench.frames(() => {
    const texts = log.querySelectorAll('[data-text]')
    const found = /t=(\d+)/.exec(texts[texts.length - 1]?.textContent ?? '')
    if (found) newest = Number(found[1])
    if (newest > 0 && Date.now() < end) seen.push([Date.now(), newest])
  })
  return new Promise((resolve) => setTimeout(() => resolve({ gaps: stop(), seen }), end - Date.now()))
}

/**
 * Milliseconds from starting the build until its lines start: the build waits, clones its
 * repository, and the page loads.
 */
const leadMs = 6000

async function once({ browser, person, origin, sentAt, rate = 10_000 }) {
  const start = Date.now() + leadMs
  const { number } = await api(person, `/builds?START=${start}&RATE=${rate}`, 'POST')
  const context = await newPerson(browser, { ...person, origin })
  const { page, cdp } = await newPage(context)
  await page.goto(`${origin}/bench/live/${number}/1/2`)
  await page.evaluate(() => window.bench.when(() => document.querySelectorAll('[role=log] [data-text]').length > 0))
  if (Date.now() > start) throw new Error(`the page came ${Date.now() - start} ms too late`)
  await page.waitForTimeout(start - Date.now())
  const before = await busySeconds(cdp)
  // Observing frames produces frames, so it is off while measuring the work.
  await page.waitForTimeout(start + 5000 - Date.now())
  const busy = (await busySeconds(cdp)) - before
  const { gaps, seen } = await page.evaluate(watchLines, start + 10_000)
  await context.close()
  while (!(await api(person, `/builds/${number}`)).finished) await new Promise((resolve) => setTimeout(resolve, 200))
  const frame = 1000 / 60
  const dropped = gaps.reduce((sum, gap) => sum + Math.max(0, Math.round(gap / frame) - 1), 0)
  const lags = seen.map(([at, printed]) => at - (sentAt?.get(printed) ?? printed))
  return { busy: busy * 20, dropped: dropped * 2, lag: percentile(lags, 0.95) }
}

const prepare = ({ person }) =>
  fetch(`${person.origin}/api/repos/bench/live`, { method: 'POST', headers: { cookie: person.cookie } })

export const live = {
  name: 'live',
  size: 'small',
  rows: [
    ['busy', 'live log, 10,000 lines/s for 10 s: main thread busy', '%', 15, '54'],
    ['dropped', '– dropped frames', '', 0, '109'],
    ['lag', '– lag, 95th percentile', 'ms', 60, '331'],
  ],
  how: 'a build of the server’s own runner whose lines contain their print time; growth of `TaskDuration` in the thread’s own time over the first five seconds, divided by five; in the other five, with each frame observed, twice the number of dropped frames, and the age of the newest line on screen',
  prepare,
  once: (tools) => once({ ...tools, origin: tools.person.origin }),
}

export const liveSlow = {
  name: 'live-slow',
  size: 'small',
  rows: [
    ['busy', 'live log, 200 lines/s for 10 s: main thread busy', '%', 20, '17'],
    ['dropped', '– dropped frames', '', 0],
    ['lag', '– lag, 95th percentile', 'ms', 60, '144'],
  ],
  how: 'the same with 200 lines a second; before: Drone 2.28',
  prepare,
  once: (tools) => once({ ...tools, origin: tools.person.origin, rate: 200 }),
}

/**
 * One event per line, as other servers send them. An independent measurement found: 63 % busy, 226
 * dropped frames, 333 ms late.
 */
export const liveEach = {
  name: 'live-each',
  size: 'small',
  rows: [
    ['busy', 'the same, each line sent as an event of its own: main thread busy', '%', 15, '63'],
    ['dropped', '– dropped frames', '', 0, '226'],
    ['lag', '– lag, 95th percentile', 'ms', 60, '333'],
  ],
  how: 'the same through a proxy that writes each event alone, ten thousand times a second; the age of a line since the proxy wrote it: on a busy machine the proxy itself falls behind',
  prepare,
  async once(tools) {
    const proxy = await startProxy(tools.person.origin, { eachAlone: true })
    try {
      return await once({ ...tools, origin: proxy.origin, sentAt: proxy.sentAt })
    } finally {
      await proxy.close()
    }
  },
}
