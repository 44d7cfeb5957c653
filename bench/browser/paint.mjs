// What a user with a slow connection and a slow computer sees, and when: the first frame, a build
// with the end of its log, a later visit.
import { newPage, newPerson, slow } from '../lib/chrome.mjs'
import { rowsShown } from './dashboard.mjs'

/** The browser's own paint timings. */
const paints = () =>
  Object.fromEntries(performance.getEntriesByType('paint').map(({ name, startTime }) => [name, startTime]))

const tailShown = () =>
  window.bench.when(() => {
    const rows = [...document.querySelectorAll('[role=log] [data-text]')]
    return rows.length >= 20 && rows.at(-1).textContent !== ''
  })

/**
 * Checks from the first frame on whether names and titles are visible: they can appear before any
 * code has loaded.
 */
const checkForNames = () => {
  window.names = window.bench.when(() => document.querySelectorAll('main ul a[href^="/bench/"]').length >= 50)
}

async function visit(context, address, shown) {
  const { page } = await newPage(context, slow)
  await page.addInitScript(checkForNames)
  await page.goto(address, { waitUntil: 'commit' })
  const seconds = (await page.evaluate(shown)) / 1000
  const first = await page.evaluate(paints)
  return { page, seconds, paint: first['first-paint'] / 1000, content: first['first-contentful-paint'] / 1000 }
}

export const paint = {
  name: 'paint',
  size: 'small',
  rows: [
    ['paint', 'first paint of the dashboard, slow', 's', 0.8, '4.9'],
    ['content', '– with content', 's', 0.8],
    ['laterNames', 'names and titles of 50 repositories on a later visit, slow', 's', 0.7],
    ['later', '– with status, branch and times', 's', 0.7],
    ['laterPaint', '– first paint', 's', 0.7],
    ['build', 'a build’s page with the tail of its log, slow', 's', 2.0],
    ['buildPaint', '– first paint', 's', 0.8],
  ],
  how: 'from navigation: the browser’s own `first-paint` and `first-contentful-paint`; the painted frame with links to 50 repositories, in the page or its skeleton, and the painted frame with 50 rows of the page itself; the painted frame with the lines of a build’s only step, of 400 lines; empty cache except for the later visit, a new page of the same profile after two quiet seconds of the first',
  async once({ browser, person }) {
    const context = await newPerson(browser, person)
    const first = await visit(context, `${person.origin}/`, rowsShown)
    await first.page.waitForTimeout(2000)
    await first.page.close()
    const later = await visit(context, `${person.origin}/`, rowsShown)
    const laterNames = (await later.page.evaluate(() => window.names)) / 1000
    await context.close()
    const other = await newPerson(browser, person)
    const build = await visit(other, `${person.origin}/bench/repo-00002/1`, tailShown)
    await other.close()
    return {
      paint: first.paint,
      content: first.content,
      laterNames,
      later: later.seconds,
      laterPaint: later.paint,
      build: build.seconds,
      buildPaint: build.paint,
    }
  },
}
