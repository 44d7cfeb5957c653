/** `test` with a signed-in user on a static `web/dist` and a fake API (support/host.ts). */
import { test as base, expect, type Locator, type Page } from '@playwright/test'
import type { Repo, User } from '@flightdeck/api'
import { capabilities } from '@flightdeck/api/capabilities'
import { Front, Host, fail, ok } from './host.ts'
import { ReusedPage } from './reused-page.ts'
import { toastShows, watchToasts } from './toasts.ts'
import * as data from './data.ts'

export { expect, fail, ok, data, toastShows }

interface Screens {
  host: Host
  go: (path: string) => Promise<void>
  /** False: the test gets its own browser context and server, with an empty cache. */
  reuse: boolean
}

export const test = base.extend<Screens, { front: Front; reused: ReusedPage }>({
  reuse: [true, { option: true }],
  front: [
    async ({}, use) => {
      const front = await new Front().listen()
      await use(front)
      await front.close()
    },
    { scope: 'worker' },
  ],
  reused: [
    async ({ browser, front }, use) => {
      const reused = new ReusedPage(browser, front.origin)
      await use(reused)
      await reused.discard()
    },
    { scope: 'worker' },
  ],
  host: async ({ reuse, front }, use) => {
    const host = await new Host(undefined, reuse ? front : undefined).listen()
    host
      .on('GET /api/user', ok(data.user()))
      .on('GET /api/user/repos', ok([]))
      .on('GET /api/user/builds/recent', ok([]))
    await use(host)
    await host.close()
  },
  context: async ({ browser, reuse, reused, hasTouch, isMobile, locale, timezoneId, viewport }, use, info) => {
    if (reuse) {
      await use(await reused.open({ hasTouch, isMobile, locale, timezoneId, viewport }))
      await reused.reset(info.status === info.expectedStatus)
      return
    }
    const context = await browser.newContext()
    await watchToasts(context)
    await use(context)
    await context.close()
  },
  page: async ({ context, reuse, reused }, use) => {
    await use(reuse ? reused.page : await context.newPage())
  },
  go: async ({ page, host }, use) => {
    await use(async (path) => {
      await page.goto(host.origin + path)
    })
  },
})

/** The account fields that a Flightdeck server sends in addition to Drone's. */
export const ours = { has_password: true, capabilities: [...capabilities] } satisfies Partial<User>
export const signedInAs = (host: Host, over: Partial<User>): Host => host.on('GET /api/user', ok(data.user(over)))
export const signedOut = (host: Host): Host => host.on('GET /api/user', fail(401, 'Unauthorized'))

/** Serves one repository with its builds; `octocat/hello` by default. */
export function withRepo(host: Host, over: Partial<Repo> = {}, builds = [data.build()]): Repo {
  const repo = data.repo(over)
  const base = `/api/repos/${repo.namespace}/${repo.name}`
  host
    .on(`GET ${base}`, ok(repo))
    .on('GET /api/user/repos', ok([repo]))
    .on(`GET ${base}/builds`, ok(builds))
    .on(`GET ${base}/builds/branches`, ok([]))
    .on(`GET ${base}/builds/deployments`, ok([]))
    .on(`GET ${base}/builds/pulls`, ok([]))
    .on(`GET ${base}/secrets`, ok([]))
    .on(`GET ${base}/cron`, ok([]))
  return repo
}

/** Serves build `octocat/hello` #42 (or as given) with a log for each step. */
export function withBuild(host: Host, build = data.detail(), repo: Partial<Repo> = {}): void {
  withRepo(host, repo, [build])
  const base = `/api/repos/octocat/hello/builds/${build.number}`
  host.on(`GET ${base}`, ok(build))
  for (const stage of build.stages ?? [])
    for (const step of stage.steps ?? []) host.on(`GET ${base}/logs/${stage.number}/${step.number}`, ok(data.lines(3)))
}

/**
 * Navigates to another screen within the page, like a link. The previous screen stays until the new
 * one renders.
 */
export const follow = (page: Page, path: string): Promise<void> =>
  page.evaluate((to) => {
    history.pushState({}, '', to)
    dispatchEvent(new PopStateEvent('popstate'))
  }, path)

/**
 * Checks that there is no horizontal scrolling at this width. Measured in a frame, since the page
 * is notified of a new width only then.
 */
export async function fitsWidth(page: Page): Promise<void> {
  const [scroll, width] = await page.evaluate(async () => {
    await new Promise(requestAnimationFrame)
    return [document.documentElement.scrollWidth, innerWidth]
  })
  expect(scroll).toBeLessThanOrEqual(width ?? 0)
}

/** Advances the page's paused clock in small steps until the page shows the result. */
export const advanceClockUntil = (page: Page, isReady: () => Promise<boolean>, step = 16): Promise<void> =>
  expect(async () => {
    await page.clock.runFor(step)
    expect(await isReady()).toBe(true)
  }).toPass({ intervals: [0] })

/** A latch: responses wait until the test opens it. */
export function latch(): { opened: Promise<void>; open: () => void } {
  let open = (): void => undefined
  const opened = new Promise<void>((resolve) => (open = resolve))
  return { opened, open }
}

/** Requests of this pattern wait until the test opens the returned latch. */
export async function holdBack(page: Page, pattern: string): Promise<ReturnType<typeof latch>> {
  const held = latch()
  await page.route(pattern, async (route) => {
    await held.opened
    await route.continue()
  })
  return held
}

export const notFound = 'We are sorry, the resource you requested cannot be found.'

/** The open dialog; its buttons are the answers. */
export const openDialog = (page: Page): Locator => page.getByRole('alertdialog').or(page.getByRole('dialog'))

/** Opens a build's menu and selects an action. */
export async function choose(page: Page, action: string): Promise<void> {
  await page.getByRole('button', { name: 'Actions' }).click()
  await page.getByRole('menuitem', { name: action, exact: true }).click()
}

export const graphView = (page: Page): Locator => page.getByRole('button', { name: 'Graph View' })

/** The position and size of an element. */
export async function box(place: Locator): Promise<{ x: number; y: number; width: number; height: number }> {
  let found: Awaited<ReturnType<Locator['boundingBox']>> = null
  await expect.poll(async () => (found = await place.boundingBox())).not.toBeNull()
  return found ?? { x: 0, y: 0, width: 0, height: 0 }
}

/** Resolves when all transitions and animations have finished; infinite ones don't count. */
export const rest = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    // The end of one can start another: an inherited color changes again if the element has its own
    // transition.
    for (;;) {
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
      const moving = document
        .getAnimations()
        .filter(({ effect, playState }) => playState === 'running' && effect?.getComputedTiming().endTime !== Infinity)
      if (moving.length === 0) return
      await Promise.allSettled(moving.map((animation) => animation.finished))
    }
  })

/** A computed style. */
export const styleOf = (place: Locator, property: string): Promise<string> =>
  place.evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property)
