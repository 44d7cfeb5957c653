// Twenty build events a second on the dashboard of 10,000 repositories, through a proxy that adds them to the server's stream.
import { busySeconds, newPage, newPerson, throttle } from '../lib/chrome.mjs'
import { startProxy } from '../lib/proxy.mjs'

const perSecond = 20
const seconds = 10

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
  let sent = 0
  const send = () => {
    const repo = repos[(sent * 37) % repos.length]
    const number = repo.build.number + 1 + Math.floor(sent / repos.length)
    const build = {
      ...repo.build,
      id: 5_000_000 + sent,
      number,
      status: sent % 2 ? 'running' : 'pending',
      created: repo.build.created + 9_000_000 + sent,
    }
    sent++
    for (const stream of streams) stream.write(`data: ${JSON.stringify({ ...repo, build })}\n\n`)
  }
  const before = await busySeconds(cdp)
  const began = performance.now()
  await page.evaluate(() => (window.stop = window.bench.frames()))
  const timer = setInterval(send, 1000 / perSecond)
  await page.waitForTimeout(seconds * 1000)
  clearInterval(timer)
  const gaps = await page.evaluate(() => window.stop())
  const busy = (await busySeconds(cdp)) - before
  const share = (busy * 1000) / (performance.now() - began)
  await context.close()
  await proxy.close()
  if (sent < perSecond * seconds * 0.9) throw new Error(`only ${sent} events were sent`)
  return { busy: share * 100, longest: Math.max(...gaps) }
}

export const events = {
  name: 'events',
  size: 'big',
  rows: [
    ['busy', 'main thread busy, 20 build events/s at 10,000 repositories', '%', 8, '60'],
    ['longest', '– longest frame at CPU ×4', 'ms', 50],
  ],
  how: 'a proxy adds the events to the server’s stream, each about another repository with a new build; ten seconds; growth of `TaskDuration` in the thread’s own time; the longest gap between two frames, with the CPU slowed down',
  async once({ browser, person }) {
    const answer = await fetch(`${person.origin}/api/user/repos?latest=true`, { headers: { cookie: person.cookie } })
    const repos = (await answer.json()).filter((repo) => repo.build)
    const quick = await watchEvents(browser, person, repos, 1)
    const slowly = await watchEvents(browser, person, repos, 4)
    return { busy: quick.busy, longest: slowly.longest }
  },
}
