/** The dashboard's first load is what the budget counts (tools/budget.mjs). */
import { signIn } from '../support/person.ts'
import { expect, test } from '../support/product.ts'
import { builtFirstLoad } from '../../tools/budget.mjs'

test('a first visit loads exactly the files and bytes that the budget counts', async ({ browser, page, start }) => {
  const { origin } = await start()
  await signIn(page, origin)
  // Creates a branch chip, so that the font of the chips is loaded.
  await page.request.post(`${origin}/api/repos/sample/hello/builds`, { headers: { Origin: origin } })
  // A first-time visitor: for returning visitors the fonts are preloaded.
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

  // The headless browser shows no favicon and requests none.
  const counted = builtFirstLoad().filter(({ file }) => file !== 'favicon.svg' || file in sizes)
  await expect.poll(() => Object.keys(sizes).toSorted()).toEqual(counted.map(({ file }) => file).toSorted())
  for (const { file, size } of counted) {
    expect(Math.abs((sizes[file] ?? 0) - size), `${file}: ${sizes[file]} bytes, ${size} counted`).toBeLessThan(60)
  }
})
