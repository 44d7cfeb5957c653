// Saved logs of 100,000 and 1,000,000 lines: time until the last line, the number of elements,
// scrolling, searching.
import { newPage, newPerson } from '../lib/chrome.mjs'
import { heapBytes } from '../lib/heap.mjs'
import { startProxy } from '../lib/proxy.mjs'
import { sweepBlank, sweepLog } from './sweep.mjs'

export const lastLine = 'the last line of this log'

/**
 * In the page: clicks "Show all logs" as soon as it appears, and waits for the last line with all
 * lines shown.
 */
export const showAll = (text) => {
  let pressed = false
  return window.bench.when(() => {
    const button = [...document.querySelectorAll('button')].find(
      (candidate) => candidate.textContent === 'Show all logs',
    )
    if (button) {
      button.click()
      pressed = true
      return false
    }
    const rows = document.querySelectorAll('[role=log] [data-line]')
    return pressed && rows.length > 0 && [...rows].slice(-3).some((row) => row.textContent.includes(text))
  })
}

const firstLines = () => window.bench.when(() => document.querySelectorAll('[role=log] [data-text]').length >= 20)
const firstByte = () =>
  performance.getEntriesByType('resource').find((entry) => /\/logs\/\d+\/\d+$/.test(entry.name))?.responseStart ?? 0

async function open(browser, person, build) {
  const context = await newPerson(browser, person)
  const { page, cdp } = await newPage(context)
  await page.goto(`${person.origin}/bench/repo-00001/${build}/1/1`, { waitUntil: 'commit' })
  const [first, shown] = await Promise.all([page.evaluate(firstLines), page.evaluate(showAll, lastLine)])
  const firstByteAt = await page.evaluate(firstByte)
  return { context, page, cdp, shown, first: first - firstByteAt }
}

async function weighLog({ browser, person }, build, bytes) {
  const { context, page, cdp, shown, first } = await open(browser, person, build)
  const elements = await page.evaluate(() => document.getElementsByTagName('*').length)
  const heap = await heapBytes(page, cdp)
  await context.close()
  return { shown: shown / 1000, first: first / 1000, elements, heap: heap / bytes }
}

/** The bytes of the log's text, without JSON, for the measures per byte of log. */
async function logBytes(person, build) {
  const url = `${person.origin}/api/repos/bench/repo-00001/builds/${build}/logs/1/1`
  const answer = await fetch(url, { headers: { cookie: person.cookie } })
  return (await answer.json()).reduce((sum, line) => sum + Buffer.byteLength(line.out), 0)
}

const how =
  'from navigation to the painted frame with the last line and all lines shown (the button is clicked when it appears); elements of the whole document; heaps and external memory of the page and its workers (`Runtime.getHeapUsage`, after a collection), divided by the bytes of the log’s text; empty cache'

export const hundredThousand = {
  name: 'log-100k',
  size: 'small',
  rows: [
    ['shown', 'saved log of 100,000 lines: navigation to last line, with "Show all logs"', 's', 1.5, '25.8'],
    ['elements', '– DOM elements', '', 1500, '488,000'],
    ['heap', '– heap per byte of log', 'bytes', 3],
  ],
  how,
  prepare: ({ person }) => logBytes(person, 2),
  once: (tools, bytes) => weighLog(tools, 2, bytes),
}

export const million = {
  name: 'log-1m',
  size: 'small',
  rows: [
    ['shown', 'the same of 1,000,000 lines (≈ 90 MB)', 's', 6, 'dies'],
    ['first', '– first lines after the first byte', 's', 1],
    ['elements', '– DOM elements', '', 1500],
    ['heap', '– heap per byte of log', 'bytes', 3],
  ],
  how,
  prepare: ({ person }) => logBytes(person, 3),
  once: (tools, bytes) => weighLog(tools, 3, bytes),
}

/** In the page: waits until the last line is rendered, without a click. */
const endShown = (text) =>
  window.bench.when(() =>
    [...document.querySelectorAll('[role=log] [data-line]')].slice(-3).some((row) => row.textContent.includes(text)),
  )

async function timeToEnd(browser, { origin, cookie }) {
  const context = await newPerson(browser, { origin, cookie })
  const { page } = await newPage(context)
  await page.goto(`${origin}/bench/repo-00001/2/1/1`, { waitUntil: 'commit' })
  const shown = await page.evaluate(endShown, lastLine)
  await context.close()
  return shown
}

export const logEnd = {
  name: 'log-end',
  size: 'small',
  rows: [
    ['own', 'saved log of 100,000 lines: navigation to last line, as the page opens', 'ms', 700],
    ['drone', '– through Drone’s API', 'ms', 700, '1,107'],
  ],
  how: 'from navigation to the painted frame with the last line; empty cache; the second through a proxy that unpacks responses and removes what only Flightdeck adds; before: Drone 2.28 with its own page',
  async once({ browser, person }) {
    const proxy = await startProxy(person.origin, { asDrone: true })
    try {
      const own = await timeToEnd(browser, person)
      return { own, drone: await timeToEnd(browser, { ...person, origin: proxy.origin }) }
    } finally {
      await proxy.close()
    }
  },
}

async function sweep({ browser, person }, build) {
  const { context, page } = await open(browser, person, build)
  await page.waitForTimeout(1000)
  const log = await page.evaluate(sweepLog, 4000)
  const height = log.height
  const blank = await context.newPage()
  const empty = await blank.goto('about:blank').then(() => blank.evaluate(sweepBlank, { height, ms: 4000 }))
  await context.close()
  return { frames: (log.frames / empty.frames) * 100, longest: log.longest }
}
const sweepHow =
  'the scroll position is set in every frame so that the whole log passes in four seconds; frames relative to those of an empty page of the same height, measured right after; longest gap between two frames'

export const sweepSmall = {
  name: 'sweep-100k',
  size: 'small',
  rows: [
    ['frames', 'sweeping the whole 100,000 lines in 4 s: frames, by those of an empty page', '%', -95, '8 fps'],
    ['longest', '– longest frame', 'ms', 50],
  ],
  how: sweepHow,
  once: (tools) => sweep(tools, 2),
}
export const sweepBig = {
  name: 'sweep-1m',
  size: 'small',
  rows: [
    ['frames', 'the same at 1,000,000', '%', -95],
    ['longest', '– longest frame', 'ms', 50],
  ],
  how: sweepHow,
  once: (tools) => sweep(tools, 3),
}

/**
 * In the page: enters a word in one event, after the regular expression button was clicked. Returns
 * when the first and the final count were painted.
 */
const find = (word) => {
  const field = document.querySelector('input[aria-label="Find in log"]')
  const resultText = () => document.querySelector('search output').textContent
  const began = performance.now()
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(field, word)
  field.dispatchEvent(new Event('input', { bubbles: true }))
  const first = window.bench.when(() => /^\d/.test(resultText()))
  const all = window.bench.when(() => /^\d[^+]* (results|of)/.test(resultText()))
  return Promise.all([first, all]).then(([a, b]) => ({
    first: (a - began) / 1000,
    all: (b - began) / 1000,
    told: resultText(),
  }))
}

export const search = {
  name: 'search',
  size: 'small',
  rows: [
    ['first', 'search of 1,000,000 lines: first hit', 's', 0.1, 'nobody'],
    ['all', '– all hits', 's', 1.5, 'nobody'],
  ],
  how: 'a word in every hundredth line is put into the field at once; from there to the painted frames with the first and the final count',
  async once({ browser, person }) {
    const { context, page } = await open(browser, person, 3)
    await page.waitForTimeout(1000)
    await page.getByRole('button', { name: 'Find in log' }).click()
    await page.getByRole('searchbox', { name: 'Find in log' }).waitFor()
    const times = await page.evaluate(find, 'needle')
    await context.close()
    if (!times.told.replace(/\D/g, '').startsWith('9999')) throw new Error(`found ${times.told}`)
    return times
  },
}

/**
 * Words that a tool might print, a number and its context: no part is plain text that could be
 * searched separately.
 */
const expression = String.raw`\b(needle|thread)\b.*$|^\[\d{6}7\] .*error`

export const pattern = {
  name: 'pattern',
  size: 'small',
  rows: [
    ['first', 'regular expression over 1,000,000 lines: a first count', 's', 0.5, 'nobody'],
    ['all', '– all hits', 's', 2, 'nobody'],
    ['counts', '– counts that were shown on the way', '', -5],
    ['cpu', '– processor time of the browser', 's', 4],
  ],
  how: 'a regular expression with a choice, a repetition and both ends of a line is put into the field at once; from there to the painted frames with the first and the final count; `SystemInfo.getProcessInfo` before and after',
  async once({ browser, person }) {
    const { context, page } = await open(browser, person, 3)
    await page.waitForTimeout(1000)
    await page.getByRole('button', { name: 'Find in log' }).click()
    await page.getByRole('button', { name: 'Regular expression' }).click()
    const resultOutput = page.locator('search output')
    await resultOutput.evaluate((output) => {
      window.counts = new Set()
      new MutationObserver(() => window.counts.add(output.textContent)).observe(output, {
        childList: true,
        characterData: true,
        subtree: true,
      })
    })
    const whole = await browser.newBrowserCDPSession()
    const seconds = async () =>
      (await whole.send('SystemInfo.getProcessInfo')).processInfo.reduce((sum, { cpuTime }) => sum + cpuTime, 0)
    const cpu = await seconds()
    const times = await page.evaluate(find, expression)
    const used = (await seconds()) - cpu
    const counts = await page.evaluate(() => window.counts.size)
    await context.close()
    return { ...times, counts, cpu: used }
  },
}
