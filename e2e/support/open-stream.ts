/**
 * Waits until the page knows that its event stream is open, which is later than the server's
 * receipt of the request.
 */
import type { Page } from '@playwright/test'
import type { Host } from './host.ts'

/**
 * Call before opening the page. The returned function resolves once the page has its stream. If a
 * test changes the page's clock earlier, the page reads everything again, as after a slow
 * connection.
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
  })
  return async () => {
    await page.waitForFunction(() => 'streamIsOpen' in window)
    // A heartbeat on the open connection.
    await host.ping('/api/stream')
  }
}
