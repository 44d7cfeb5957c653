/**
 * Waits until the page knows that its event stream is open, and has received a heartbeat: both are
 * later than what the server sees.
 */
import type { Page } from '@playwright/test'
import type { Host } from './host.ts'

declare const heartbeats: number | undefined

/**
 * Call before opening the page. The returned function resolves once the page has its stream and,
 * each time, another heartbeat, from which the page measures the stream's silence. If a test
 * changes the page's clock earlier, the page reads everything again, as after a slow connection.
 */
export async function watchOpenStream(page: Page, host: Host): Promise<() => Promise<void>> {
  // The leading tab notifies the others that its connection is open.
  await page.addInitScript(() => {
    const channels = BroadcastChannel.prototype
    const post = Reflect.get(channels, 'postMessage') as (this: BroadcastChannel, message: unknown) => void
    channels.postMessage = function (message: unknown) {
      if (typeof message === 'object' && message !== null && 'kind' in message && message.kind === 'opened')
        Object.assign(window, { streamIsOpen: true })
      post.call(this, message)
    }
    let heartbeats = 0
    window.EventSource = class extends EventSource {
      constructor(url: string | URL, options?: EventSourceInit) {
        super(url, options)
        this.addEventListener('ping', () => Object.assign(window, { heartbeats: ++heartbeats }))
      }
    }
  })
  return async () => {
    await page.waitForFunction(() => 'streamIsOpen' in window)
    const before = await page.evaluate(() => (typeof heartbeats === 'number' ? heartbeats : 0))
    await host.ping('/api/stream')
    await page.waitForFunction((before) => typeof heartbeats === 'number' && heartbeats > before, before)
  }
}
