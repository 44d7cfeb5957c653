/** The browser caches and revalidates the repository list, the largest response. */
import { signIn } from '../support/person.ts'
import { expect, test } from '../support/product.ts'

test('the repository list is sent again only after a change', { tag: '@gateway' }, async ({ page, start }) => {
  const server = await start()
  await signIn(page, server.origin)
  const network = await page.context().newCDPSession(page)
  await network.send('Network.enable')
  const requested = new Set<string>()
  // Of all requests, because the status can be reported before the request.
  const statuses = new Map<string, number>()
  const answers = () => [...requested].map((id) => statuses.get(id))
  network.on('Network.requestWillBeSent', ({ requestId, request }) => {
    if (request.url.includes('/api/user/repos?latest=true')) requested.add(requestId)
  })
  network.on('Network.responseReceivedExtraInfo', ({ requestId, statusCode }) => {
    statuses.set(requestId, statusCode)
  })
  let whole = 0
  network.on('Network.loadingFinished', ({ requestId }) => {
    if (requested.has(requestId)) whole += 1
  })
  const card = page.locator('main a[href="/sample/hello"]').first()

  await page.goto(`${server.origin}/`)
  await expect(card).toBeVisible()
  // The rows of the last visit appear before the response. The browser discards its cached copy if
  // the revalidation is aborted.
  await expect.poll(() => whole).toBe(1)
  await page.goto(`${server.origin}/account`)
  await page.goto(`${server.origin}/`)
  await expect(card).toBeVisible()
  await expect.poll(() => answers().at(-1)).toBe(304)

  const build = await page.request.post(`${server.origin}/api/repos/sample/hello/builds`, {
    headers: { Origin: server.origin },
  })
  expect(build.status()).toBe(200)
  const before = answers().length
  await page.goto(`${server.origin}/`)
  await expect(page.locator('main').getByText('#1').first()).toBeVisible()
  await expect.poll(() => answers()[before]).toBe(200)
})
