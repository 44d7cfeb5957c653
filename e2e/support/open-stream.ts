/** The moment at which the page knows that its event stream is open; that the server has the request comes before it. */
import type { Page } from '@playwright/test'
import type { Host } from './host.ts'

/**
 * Call before opening the page. The answer resolves once the page has its stream. A test that moves the page's clock before then
 * makes a page that reads everything again, as after a connection that took long.
 */
export async function watchOpenStream(page: Page, host: Host): Promise<() => Promise<void>> {
  // The leading tab tells the others that its connection is open.
  await page.addInitScript(() => {
    const channels = BroadcastChannel.prototype
    const post = Reflect.get(channels, 'postMessage') as (this: BroadcastChannel, message: unknown) => void
    channels.postMessage = function (message: unknown) {
      if (typeof message === 'object' && message !== null && 'kind' in message && message.kind === 'opened')
        Object.assign(window, { streamIsOpen: true })
      post.call(this, message)
    }
  })
  return async () => {
    await page.waitForFunction(() => 'streamIsOpen' in window)
    // A connection that is alive says so.
    await host.ping('/api/stream')
  }
}
