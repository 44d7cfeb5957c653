/** A live log whose lines come one by one (issue 17, point 7). */
import { data, expect, test, withBuild } from '../support/screens.ts'

test('five thousand lines that are sent one by one are taken in handfuls, and all are shown', async ({
  page,
  host,
  go,
}) => {
  const count = 5000
  await page.addInitScript((last) => {
    // A stream of which each read gives one event: how many of them a network hands over together is its own affair.
    const { fetch } = globalThis
    globalThis.fetch = (input, init) => {
      if (typeof input !== 'string' || !input.includes('/api/stream/octocat/hello/42/')) return fetch(input, init)
      let pos = 0
      const body = new ReadableStream({
        pull(stream) {
          if (pos > last) return new Promise(() => undefined)
          const line = { pos, out: `line ${pos}\n`, time: 1 }
          stream.enqueue(new TextEncoder().encode(`data: ${JSON.stringify(line)}\n\n`))
          pos += 1
          return undefined
        },
      })
      return Promise.resolve(new Response(body, { headers: { 'content-type': 'text/event-stream' } }))
    }
    // What the page does about lines begins with what it tells the worker that reads them.
    const told = new EventTarget()
    let messages = 0
    told.addEventListener('told', () => {
      document.documentElement.dataset['told'] = String((messages += 1))
    })
    globalThis.Worker = class extends Worker {
      override postMessage(message: unknown, transfer?: Transferable[] | StructuredSerializeOptions): void {
        told.dispatchEvent(new Event('told'))
        if (Array.isArray(transfer)) super.postMessage(message, transfer)
        else super.postMessage(message, transfer)
      }
    }
  }, count)
  withBuild(host, data.running())
  await go('/octocat/hello/42')
  await expect(page.getByText(`line ${count}`, { exact: true })).toBeVisible()
  const told = Number(await page.locator('html').getAttribute('data-told'))
  expect(told).toBeGreaterThan(1)
  expect(told).toBeLessThan(count / 4)
})
