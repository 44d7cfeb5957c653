/**
 * One journey in each browser that Playwright cannot drive: sign in, start a build, read its log.
 */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { firefox, webKit, type Visitor } from '../support/other-browsers.ts'
import { expect, test } from '../support/product.ts'
import { makeRepository, pipeline } from '../support/repositories.ts'
import { admin } from '../support/server.ts'

const text = (visitor: Visitor) => () => visitor.read('document.body?.innerText')
const press = (visitor: Visitor, name: string) =>
  expect
    .poll(() =>
      visitor.read(
        `(() => { const one = [...document.querySelectorAll('a, button')].findLast((each) => each.checkVisibility() && each.textContent.trim().startsWith(${JSON.stringify(name)})); one?.click(); return Boolean(one) })()`,
      ),
    )
    .toBe(true)

for (const browser of [firefox, webKit]) {
  test(`${browser.name} signs in, starts a build and shows its log`, async ({ folder, start }) => {
    // The reason names the missing Debian packages; the product needs neither browser.
    test.skip(browser.missing !== null, browser.missing ?? '')
    const repos = join(folder, 'repos')
    await makeRepository(repos, 'acme/shop', pipeline({ test: ['seq 1 400', 'echo "the end"'] }))
    const { origin } = await start({ repos })
    await mkdir(join(folder, 'profile'))
    const visitor = await browser.open(join(folder, 'profile'))
    try {
      await visitor.goto(`${origin}/login/form`)
      for (const [field, value] of [
        ['username', admin.login],
        ['password', admin.password],
      ] as const) {
        await expect
          .poll(() =>
            visitor.read(
              `(() => { const one = document.querySelector('input[name="${field}"]'); one?.focus(); return document.activeElement === one && one !== null })()`,
            ),
          )
          .toBe(true)
        await visitor.type(value)
      }
      await visitor.type('\uE007')
      await expect.poll(text(visitor)).toContain('Dashboard')
      await visitor.goto(`${origin}/acme/shop`)
      await press(visitor, 'Activate Repository')
      await press(visitor, 'New Build')
      await press(visitor, 'Create')
      // Opens the step by its link: the page navigates to the new build automatically, which would
      // abort a `goto`.
      const step = `document.querySelector('a[href$="/acme/shop/1/1/2"]')`
      await expect.poll(() => visitor.read(`(${step}?.click(), ${step} !== null)`)).toBe(true)
      await expect.poll(() => visitor.read('location.pathname')).toBe('/acme/shop/1/1/2')
      await expect.poll(text(visitor)).toContain('the end')
      // The log scrolls, not the page: it has no scrollbar beside the log's own.
      expect(await visitor.read('innerWidth - document.documentElement.clientWidth')).toBe(0)
      expect(await visitor.read('document.documentElement.scrollHeight - innerHeight')).toBeLessThanOrEqual(0)
    } finally {
      await visitor.close()
    }
  })
}
