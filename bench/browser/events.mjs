// Twenty build events a second on the dashboard of 10,000 repositories, through a proxy that adds
// them to the server's stream.
import { busySeconds, newPage, newPerson, throttle } from '../lib/chrome.mjs'
import { startProxy } from '../lib/proxy.mjs'

const perSecond = 20
const seconds = 10
const warmUp = 5

/** The states of a build: pending, running, running, finished. */
const life = [
  { status: 'pending', started: 0, finished: 0 },
  { status: 'running', finished: 0 },
  { status: 'running', finished: 0 },
  { status: 'success' },
]
/** The number of builds that are unfinished at the same time, in different states. */
const atOnce = 20

/**
 * The event with this number. Each new build is the newest one, so its repository moves to the top
 * of the list.
 */
function lifeOf(repos, newest, index) {
  const place = index % atOnce
  const age = Math.floor(index / atOnce) + place
  const round = Math.floor(age / life.length)
  const repo = repos[((place + round * atOnce) * 37) % repos.length]
  const build = {
    ...repo.build,
    id: 5_000_000 + round * atOnce + place,
    number: repo.build.number + 1,
    version: 10 + index,
    created: newest + 1 + round * atOnce + place,
    ...life[age % life.length],
  }
  return { ...repo, build }
}

async function watchEvents(browser, person, repos, cpu) {
  const streams = new Set()
  const proxy = await startProxy(person.origin, {
    onStream: (response) => {
      streams.add(response)
      response.on('close', () => streams.delete(response))
    },
  })
  const context = await newPerson(browser, { ...person, origin: proxy.origin })
  const { page, cdp } = await newPage(context)
  await page.goto(`${proxy.origin}/`)
  await page.evaluate(() => window.bench.when(() => document.querySelectorAll('main ul a').length >= 50))
  await page.waitForTimeout(2000)
  await throttle(cdp, { cpu })
  await page.waitForTimeout(500)
  const newest = Math.max(...repos.map(({ build }) => build.created))
  let sent = 0
  const began = performance.now()
  /** Sends all events that are due, because a timer can fire late. */
  const send = () => {
    while (sent < ((performance.now() - began) / 1000) * perSecond) {
      const event = lifeOf(repos, newest, sent++)
      for (const stream of streams) stream.write(`data: ${JSON.stringify(event)}\n\n`)
    }
  }
  const timer = setInterval(send, 1000 / perSecond)
  // The page has been open all day: code that runs for the first time is not measured.
  await page.waitForTimeout(warmUp * 1000)
  const before = await busySeconds(cdp)
  const counted = performance.now()
  await page.evaluate(() => (window.stop = window.bench.over50('long-animation-frame')))
  await page.waitForTimeout(seconds * 1000)
  clearInterval(timer)
  const frames = await page.evaluate(() => window.stop())
  const busy = (await busySeconds(cdp)) - before
  const share = (busy * 1000) / (performance.now() - counted)
  await context.close()
  await proxy.close()
  if (sent < perSecond * (warmUp + seconds) * 0.9) throw new Error(`only ${sent} events were sent`)
  return { busy: share * 100, longest: Math.max(0, ...frames) }
}

export const events = {
  name: 'events',
  size: 'big',
  rows: [
    ['busy', 'main thread busy, 20 build events/s at 10,000 repositories', '%', 8, '60'],
    ['longest', '– longest frame at CPU ×4', 'ms', 50],
  ],
  how: 'a proxy adds the events to the server’s stream, twenty builds of different repositories at a time, each waiting, running, still running and finished, one state a second, the newest first; ten seconds after five of warm-up; growth of `TaskDuration` in the thread’s own time; the longest `long-animation-frame` on the slowed CPU (0: none over 50 ms)',
  async once({ browser, person }) {
    const answer = await fetch(`${person.origin}/api/user/repos?latest=true`, { headers: { cookie: person.cookie } })
    const repos = (await answer.json()).filter((repo) => repo.build)
    const quick = await watchEvents(browser, person, repos, 1)
    const slowly = await watchEvents(browser, person, repos, 4)
    return { busy: quick.busy, longest: slowly.longest }
  },
}
