/** What comes by itself on the dashboard is what the budget counts (tools/budget.mjs). */
import { signIn } from '../support/person.ts'
import { expect, test } from '../support/product.ts'
import { builtFirstLoad } from '../../tools/budget.mjs'

test('a first visit loads the files that the budget counts, and as much of each', async ({ browser, page, start }) => {
  const { origin } = await start()
  await signIn(page, origin)
  // Its branch is a chip, in the face of the chips.
  await page.request.post(`${origin}/api/repos/sample/hello/builds`, { headers: { Origin: origin } })
  // Somebody who was never here: who was has the faces asked for ahead.
  const fresh = await browser.newContext({ storageState: { cookies: await page.context().cookies(), origins: [] } })
  const visitor = await fresh.newPage()
  const network = await fresh.newCDPSession(visitor)
  await network.send('Network.enable')
  const names = new Map<string, string>()
  const sizes: Record<string, number> = {}
  network.on('Network.responseReceived', ({ requestId, response }) => {
    const { pathname } = new URL(response.url)
    if (!pathname.startsWith('/api/')) names.set(requestId, pathname === '/' ? 'index.html' : pathname.slice(1))
  })
  network.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const name = names.get(requestId)
    if (name) sizes[name] = encodedDataLength
  })
  await visitor.goto(`${origin}/`, { waitUntil: 'networkidle' })
  await expect(visitor.locator('main a[href="/sample/hello"]').first()).toBeVisible()

  // The browser of the tests shows no icon and asks for none.
  const counted = builtFirstLoad().filter(({ file }) => file !== 'favicon.svg' || file in sizes)
  await expect.poll(() => Object.keys(sizes).toSorted()).toEqual(counted.map(({ file }) => file).toSorted())
  for (const { file, size } of counted) {
    expect(Math.abs((sizes[file] ?? 0) - size), `${file}: ${sizes[file]} bytes, ${size} counted`).toBeLessThan(60)
  }
})
