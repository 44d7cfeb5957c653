// The dashboard: bytes over the wire, and the time until its rows are visible.
import { newPage, newPerson, slow } from '../lib/chrome.mjs'

export const rowsShown = () =>
  window.bench.when(
    () =>
      document.querySelectorAll('main ul a[href^="/bench/"]').length >= 50 && !document.querySelector('#root > .frame'),
  )
/** The rows show the server's response, not the data stored at the last visit. */
const rowsConfirmed = () =>
  window.bench.when(
    () =>
      document.querySelectorAll('main ul a[href^="/bench/"]').length >= 50 &&
      !document.querySelector('main [aria-busy=true]'),
  )

async function visit(context, origin, speed = slow) {
  const { page, cdp } = await newPage(context, speed)
  const sizes = { api: 0 }
  const requested = new Set()
  cdp.on('Network.requestWillBeSent', ({ requestId, request }) => {
    if (new URL(request.url).pathname.startsWith('/api/')) requested.add(requestId)
  })
  cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (requested.has(requestId)) sizes.api += encodedDataLength / 1024
  })
  await page.goto(`${origin}/`, { waitUntil: 'commit' })
  const shown = await page.evaluate(rowsShown)
  return { page, cdp, shown, sizes }
}

/** Bytes over the wire of everything but the API, by kind. */
async function weigh(browser, person) {
  const context = await newPerson(browser, person)
  const { page, cdp } = await newPage(context)
  const kinds = new Map()
  const sizes = { script: 0, style: 0, font: 0, total: 0 }
  await cdp.send('Network.enable')
  cdp.on('Network.responseReceived', ({ requestId, type, response }) => {
    if (!new URL(response.url).pathname.startsWith('/api/')) kinds.set(requestId, type)
  })
  cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const kind = kinds.get(requestId)
    if (!kind) return
    const name = { Script: 'script', Stylesheet: 'style', Font: 'font' }[kind]
    if (name) sizes[name] += encodedDataLength / 1024
    sizes.total += encodedDataLength / 1024
  })
  await page.goto(`${person.origin}/`, { waitUntil: 'load' })
  await page.evaluate(rowsShown)
  await page.evaluate(() => document.fonts.ready.then(() => undefined))
  await page.waitForTimeout(500)
  await context.close()
  return sizes
}

export const weight = {
  name: 'weight',
  size: 'small',
  runs: 1,
  rows: [
    ['total', 'first load of the dashboard, everything but the API (brotli)', 'KiB', 136, '873'],
    ['script', '– script', 'KiB', 102],
    ['style', '– style', 'KiB', 10],
    ['font', '– font', 'KiB', 40],
  ],
  how: 'bytes of all finished loads outside `/api/` (`Network.loadingFinished`, with response headers) until the fonts are loaded; empty cache',
  once: ({ browser, person }) => weigh(browser, person),
}

export const fifty = {
  name: 'fifty',
  size: 'small',
  rows: [['shown', 'content of 50 repositories on screen, slow', 's', 2.0, '5.6']],
  how: 'from navigation to the painted frame with 50 rows of the list; empty cache',
  async once({ browser, person }) {
    const context = await newPerson(browser, person)
    const { shown } = await visit(context, person.origin)
    await context.close()
    return { shown: shown / 1000 }
  },
}

/** Visits until the list is complete. Also returns the KiB of API responses. */
async function completed(context, origin) {
  const { page, cdp, shown, sizes } = await visit(context, origin)
  const complete = await page.evaluate(rowsConfirmed)
  return { page, cdp, shown, complete, bytes: sizes.api }
}

export const thousands = {
  name: 'thousands',
  size: 'big',
  rows: [
    ['first', 'the same with 10,000 repositories, slow, first visit', 's', 2, '13.7'],
    ['complete', '– until the filter knows all of them', 's', 5, '13.7'],
    ['later', '– later visit', 's', 1, '13.7'],
    ['laterComplete', '– – until the filter knows all of them', 's', 5],
    ['bytes', '– on the wire from the API, first visit', 'KiB', 300, '13,800'],
    ['laterBytes', '– – later visit', 'KiB', 10],
  ],
  how: 'the same; the filter knows all when the list is no longer marked as busy; bytes of all finished responses from `/api/`; the later visit is a new page of the same profile after two quiet seconds of the first, without changes in between',
  async once({ browser, person }) {
    const context = await newPerson(browser, person)
    const first = await completed(context, person.origin)
    await first.page.waitForTimeout(2000)
    await first.page.close()
    const later = await completed(context, person.origin)
    await context.close()
    return {
      first: first.shown / 1000,
      complete: first.complete / 1000,
      bytes: first.bytes,
      later: later.shown / 1000,
      laterComplete: later.complete / 1000,
      laterBytes: later.bytes,
    }
  },
}
