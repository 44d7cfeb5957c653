/** A live log whose lines arrive one by one. */
import { data, expect, test, withBuild } from '../support/screens.ts'

test('five thousand lines sent one by one do not pass through the page’s main thread', async ({ page, host, go }) => {
  const count = 5000
  const stream = '/api/stream/octocat/hello/42/1/1'
  await page.addInitScript((path) => {
    const { fetch } = globalThis
    globalThis.fetch = (input, init) => {
      if (typeof input === 'string' && input.includes(path)) document.documentElement.dataset['asked'] = input
      return fetch(input, init)
    }
    let messages = 0
    globalThis.Worker = class extends Worker {
      constructor(url: string | URL, options?: WorkerOptions) {
        super(url, options)
        this.addEventListener('message', () => {
          document.documentElement.dataset['told'] = String((messages += 1))
        })
      }
    }
  }, stream)
  withBuild(host, data.running())
  await go('/octocat/hello/42')
  for (let pos = 0; pos <= count; pos += 1) await host.push(stream, { pos, out: `line ${pos}\n`, time: 1 })
  await expect(page.getByText(`line ${count}`, { exact: true })).toBeVisible()
  const root = page.locator('html')
  await expect(root).not.toHaveAttribute('data-asked')
  const announced = Number(await root.getAttribute('data-told'))
  expect(announced).toBeGreaterThan(1)
  expect(announced).toBeLessThan(count / 4)
})
