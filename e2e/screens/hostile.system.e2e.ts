/**
 * Every string field of every entity filled with hostile text: nothing runs, nothing breaks the
 * layout.
 */
import { data, expect, fitsWidth, follow, ok, rest, signedInAs, test } from '../support/screens.ts'

const markup = '"><img src=x onerror=alert(1)><script>alert(1)</script>'
const payloads = {
  markup,
  script: 'javascript:alert(1)',
  direction: '\u202Eetirw\u202C\u2066x',
  long: 'x'.repeat(10_000),
  emoji: '👩‍👩‍👧‍👦🏳️‍🌈'.repeat(30),
}
const keep = new Set([
  'status',
  'event',
  'slug',
  'namespace',
  'name',
  'visibility',
  'ref',
  'default_branch',
  'kind',
  'type',
])

/** A copy with the payload in each string, except for those that routes and tables use as keys. */
function poison<T>(value: T, payload: string, keepNames = true): T {
  if (Array.isArray(value)) return value.map((item: unknown) => poison(item, payload, false)) as T
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      const isKept = keep.has(key) && (keepNames || !['name', 'ref'].includes(key))
      if (typeof item === 'string') return [key, isKept ? item : payload]
      return [key, poison(item, payload, keepNames)]
    }),
  ) as T
}

/** The screens in the order of the visits, each with the start of its title. */
const titles: Record<string, RegExp> = {
  '/': /^Dashboard/,
  '/account': /^Account Settings/,
  '/builds-feed': /^Builds feed/,
  '/settings/users': /^Users/,
  '/octocat/hello': /^Builds/,
  '/octocat/hello/branches': /^Branches/,
  '/octocat/hello/deployments': /^Deployments/,
  '/octocat/hello/pulls': /^Pull requests/,
  '/octocat/hello/settings': /^Settings/,
  '/octocat/hello/settings/secrets': /^Secrets/,
  '/octocat/hello/settings/cron': /^Cron Jobs/,
  '/octocat/hello/settings/badges': /^Badges/,
  '/octocat/hello/42/1/1': /^#42/,
}

/** Screens that show the payload only in fields, with other texts. */
const inFields: Record<string, string> = {
  '/octocat/hello/settings': 'Ignore forks',
  '/octocat/hello/settings/badges': 'CCMenu',
}

/** In the page: texts whose bidirectional characters affect the text after them. */
const turned = (payload: string): string[] => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const found: string[] = []
  while (walker.nextNode()) {
    const text = walker.currentNode.textContent ?? ''
    if (!text.includes(payload) || walker.currentNode.parentElement?.closest('pre, [role=log]')) continue
    let around = walker.currentNode.parentElement
    const isApart = (element: Element) => {
      const { display, unicodeBidi } = getComputedStyle(element)
      return display !== 'inline' || unicodeBidi !== 'normal'
    }
    while (around && !isApart(around)) around = around.parentElement
    if (!around) continue
    const after = document.createRange()
    after.setStart(walker.currentNode, text.lastIndexOf(payload) + payload.length)
    after.setEnd(around, around.childNodes.length)
    if (after.toString().trim() !== '') found.push(`${around.tagName}: ${around.textContent}`)
  }
  return found
}

for (const [name, payload] of Object.entries(payloads))
  test(`hostile text (${name}) does not run and breaks no screen`, async ({ page, host, go }) => {
    const text = Array.from(payload).slice(0, 12).join('')
    const fired: string[] = []
    page.on('dialog', (dialog) => {
      fired.push(dialog.message())
      void dialog.dismiss()
    })
    const errors: string[] = []
    page.on('pageerror', (error) => errors.push(error.message))
    const build = poison(
      data.detail({ title: 't', error: 'e', params: { a: 'b' }, cron: 'c', deploy_to: 'd', parent: 3 }),
      payload,
    )
    const repo = poison(data.repo(), payload)
    const base = '/api/repos/octocat/hello'
    signedInAs(host, { admin: true, avatar: payload, email: payload })
    host
      .on('GET /api/user/repos', ok([{ ...repo, build }]))
      .on('GET /api/user/builds/recent', ok([{ ...repo, build }]))
      .on(
        'GET /api/users',
        ok([data.user(), data.user({ id: 2, login: payload.slice(0, 50), email: payload, avatar: payload })]),
      )
      .on('POST /api/user/token', ok({ ...data.user(), token: payload }))
      .on(`GET ${base}`, ok(repo))
      .on(`GET ${base}/builds`, ok([build]))
      .on(`GET ${base}/builds/42`, ok(build))
      .on(`GET ${base}/builds/branches`, ok([build]))
      .on(`GET ${base}/builds/deployments`, ok([build]))
      .on(`GET ${base}/builds/pulls`, ok([build]))
      .on(`GET ${base}/secrets`, ok([data.secret({ name: payload })]))
      .on(`GET ${base}/cron`, ok([data.cron({ name: payload, branch: payload, expr: payload })]))
      .on(
        `GET ${base}/builds/42/logs/1/1`,
        ok([{ pos: 0, out: `${payload}\u001b]8;;${payload}\u0007link\u001b]8;;\u0007\n`, time: 0 }]),
      )
    await page.setViewportSize({ width: 390, height: 800 })
    const check = async (path: string) => {
      const main = page.getByRole('main')
      await expect(page).toHaveTitle(titles[path] ?? /^Sign-in error/)
      await expect(main.getByText(/^Loading/), path).toHaveCount(0)
      // The page shows the payload as text, unless it is in a field.
      await expect(main, path).toContainText(inFields[path] ?? text)
      await rest(page)
      await fitsWidth(page)
      const bad = await page.evaluate(
        () => [...document.querySelectorAll('[src="x"], main script, a[href^="javascript:" i], [onerror]')].length,
      )
      expect(bad, path).toBe(0)
      if (name === 'direction') expect(await page.evaluate(turned, payload), path).toEqual([])
    }
    for (const path of [`/login/error?message=${encodeURIComponent(payload.slice(0, 1000))}`, '/']) {
      await go(path)
      await check(path)
    }
    for (const path of Object.keys(titles).slice(1)) {
      await follow(page, path)
      await check(path)
    }
    await page.setViewportSize({ width: 1280, height: 800 })
    await expect(page.getByRole('log')).toContainText(text)
    await check('/octocat/hello/42/1/1')
    expect(fired).toEqual([])
    expect(errors).toEqual([])
  })
