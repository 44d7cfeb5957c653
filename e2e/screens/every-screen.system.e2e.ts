/**
 * One visit per screen for all checks that apply to every screen: loads without a blank page or a
 * jump, title by link, reload and Back, accessible in both themes, monospace font, valid HTML, no
 * console messages, no horizontal scrolling at any width.
 */
import type { Page } from '@playwright/test'
import { expectAccessible } from '../support/axe.ts'
import { monospaceFonts } from '../support/fonts.ts'
import type { Host } from '../support/host.ts'
import { layoutShiftsOf, watchLayoutShifts } from '../support/layout-shifts.ts'
import { data, latch, expect, fitsWidth, follow, ok, test } from '../support/screens.ts'
import { recordConsole, htmlFaults } from '../support/html-validity.ts'
import { full, ownScreens, screens, type Screen } from '../support/tour.ts'

/** A server with data for each screen, with Flightdeck's own features. */
const fullServer = (host: Host): Host =>
  full(host)
    .on('GET /api/runners', ok(data.runners({ runners: [data.runner({ builtin: true })], queue: [data.queueItem()] })))
    .on('GET /api/badges/octocat/hello/status.svg', ok(null))
    .on('GET /api/repos/octocat/hello/builds/19/details', ok({ attempts: [] }))
    .on('GET /api/repos/octocat/hello/builds/20/details', ok({ attempts: [] }))

/** The same with words as long as a window is wide. */
function withLongWords(host: Host): void {
  const long = 'word-'.repeat(60)
  const build = data.build({ message: long, target: `feature/parser-${long}`, deploy_to: `staging-${long}` })
  host.on('GET /api/user/repos', ok([data.repo({ build }), data.repo({ id: 2, name: long, slug: `octocat/${long}` })]))
  for (const tail of ['', '/branches', '/deployments'])
    host.on(`GET /api/repos/octocat/hello/builds${tail}`, ok([build, data.build({ id: 1, number: 1 })]))
}

async function isHere(page: Page, { path, title, shows }: Screen): Promise<void> {
  await expect(page).toHaveTitle(`${title} · Flightdeck`)
  await expect(page.getByText(shows).filter({ visible: true }).first()).toBeVisible()
  const { pathname, search } = new URL(page.url())
  expect(`${pathname}${search}`).toBe(path)
}

/**
 * Delays the screen's reads until after it was rendered without them: expects a skeleton of the
 * same geometry, then no jump.
 */
async function loadsCalmly(page: Page, host: Host, screen: Screen, load: () => Promise<unknown>): Promise<void> {
  const { opened, open } = latch()
  const savedAnswers = (screen.reads ?? []).map((read) => ({
    key: `GET ${read}`,
    answer: host.answerTo(`GET ${read}`),
  }))
  for (const { key, answer } of savedAnswers)
    host.on(key, async (call) => {
      await opened
      return answer(call)
    })
  await load()
  if (savedAnswers.length > 0) {
    const main = page.getByRole('main')
    await expect(main.locator('[aria-hidden=true], .animate-pulse, [class*=skeleton]').first()).toBeAttached()
    await expect.poll(async () => (await main.boundingBox())?.height ?? 0).toBeGreaterThan(200)
    await expect(page.getByText(/^loading/i).first()).toBeAttached()
    // Layout shifts by late fonts have their own test (states.system.e2e.ts).
    await page.evaluate(async () => void (await document.fonts.ready))
  }
  open()
  await isHere(page, screen)
  await page.waitForLoadState('networkidle')
  const { score, jumps } = await layoutShiftsOf(page)
  if (savedAnswers.length > 0) expect(score, `${page.viewportSize()?.width} px: ${jumps.join('\n')}`).toBeLessThan(0.02)
  for (const { key, answer } of savedAnswers) host.on(key, answer)
}

/** All other screens have monospace texts. */
const withoutMono = new Set(['/wall', '/settings/users', '/octocat/hello/settings', '/octocat/hello/settings/access'])

const defaultMedia = { colorScheme: 'light', reducedMotion: 'no-preference' } as const

for (const screen of [...screens, ...ownScreens])
  test(`${screen.path} loads calmly, has its title, is accessible, well made and fits each width [F.dashboard.3] [F.keyboard.5] [F.keyboard.10] [S2.other.8] [F.mobile.2]`, async ({
    page,
    host,
    go,
  }) => {
    const { path } = screen
    fullServer(host)
    await watchLayoutShifts(page)
    // Each visit is a first visit, because the dashboard stores its list.
    await page.addInitScript(() => localStorage.clear())
    const messages = recordConsole(page)
    const isWellMade = async (name: string) => {
      expect.soft(await htmlFaults(page), name).toEqual([])
      // A path that could be a repository is requested before the page says that it does not exist.
      expect.soft(path.startsWith('/nowhere') ? [] : messages(), name).toEqual([])
    }
    await page.emulateMedia(defaultMedia)
    await loadsCalmly(page, host, screen, () => go(path))
    await isWellMade('1280 px')
    const faces = await monospaceFonts(page)
    expect([...faces].filter((face) => face !== 'JetBrains Mono')).toEqual([])
    expect(faces.size > 0, 'has texts in the mono face').toBe(!withoutMono.has(path))
    await expectAccessible(page, path)

    withLongWords(host)
    await page.emulateMedia(defaultMedia)
    await page.setViewportSize({ width: 768, height: 800 })
    await loadsCalmly(page, host, screen, () => page.reload())
    await page.setViewportSize({ width: 390, height: 800 })
    await loadsCalmly(page, host, screen, () => page.reload())
    await isWellMade('390 px')
    for (const width of [320, 390, 767, 768, 1024, 1440]) {
      await page.setViewportSize({ width, height: 800 })
      await fitsWidth(page)
    }

    await follow(page, path === '/account' ? '/welcome' : '/account')
    await expect(page).not.toHaveTitle(`${screen.title} · Flightdeck`)
    await page.goBack()
    await isHere(page, screen)
  })
