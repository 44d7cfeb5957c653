// The browser of the measures: headless Chromium with a new profile per visit, throttled through
// its debugging protocol.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { root } from '../../tools/lib/project.mjs'
import { watch } from './watch.mjs'

const executablePath = () =>
  spawnSync(process.execPath, [join(root, 'tools/chromium.mjs'), '--full'], { encoding: 'utf8' }).stdout.trim()

const args = [
  '--no-sandbox',
  '--disable-quic',
  '--disable-dev-shm-usage',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export const startBrowser = () => chromium.launch({ executablePath: executablePath(), args })

/** "Slow" = CPU × 4, 1.6 Mbit/s, 150 ms round trip. */
export const slow = { cpu: 4, bitsPerSecond: 1_600_000, latency: 150 }

export async function throttle(cdp, { cpu = 1, bitsPerSecond, latency = 0 } = {}) {
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: cpu })
  if (!bitsPerSecond) return
  const bytes = bitsPerSecond / 8
  await cdp.send('Network.enable')
  const conditions = { offline: false, latency, downloadThroughput: bytes, uploadThroughput: bytes }
  await cdp.send('Network.emulateNetworkConditions', conditions)
}

/**
 * A signed-in user with an empty cache. Another page in `page.context` is a later visit of the same
 * user.
 */
export async function newPerson(browser, { origin, cookie }) {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    locale: 'en-US',
    timezoneId: 'UTC',
  })
  const [name, ...value] = cookie.split('=')
  await context.addCookies([{ name, value: value.join('='), url: origin }])
  await context.addInitScript(watch)
  return context
}

export async function newPage(context, speed) {
  const page = await context.newPage()
  const cdp = await context.newCDPSession(page)
  // Thread time: processor time that other programs take does not count as the page's work.
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' })
  if (speed) await throttle(cdp, speed)
  return { page, cdp }
}

/** The seconds of processor time that the page's main thread has used. */
export async function busySeconds(cdp) {
  const { metrics } = await cdp.send('Performance.getMetrics')
  return metrics.find((metric) => metric.name === 'TaskDuration')?.value ?? 0
}
