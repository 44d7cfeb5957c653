/**
 * One page for all tests of a worker: a page on the same origin takes a third of the processor time
 * of a new browser context, because its code is already compiled. Between two tests it shows an
 * empty page of the origin, without cookies and storage. If a test fails, or changes more than that
 * (clock, routes, media, permissions, listeners, further pages), the page is replaced.
 */
import type { Browser, BrowserContext, BrowserContextOptions, Page } from '@playwright/test'
import { blankPath } from './host.ts'
import { watchToasts } from './toasts.ts'

/** Methods whose effects a reset cannot undo. */
const lasting: Record<'context' | 'page' | 'clock' | 'keyboard' | 'mouse', string[]> = {
  context: [
    'addInitScript',
    'exposeBinding',
    'exposeFunction',
    'grantPermissions',
    'newCDPSession',
    'newPage',
    'on',
    'once',
    'route',
    'routeFromHAR',
    'routeWebSocket',
    'setExtraHTTPHeaders',
    'setGeolocation',
    'setOffline',
  ],
  page: [
    'addInitScript',
    'addLocatorHandler',
    'close',
    'emulateMedia',
    'exposeBinding',
    'exposeFunction',
    'on',
    'once',
    'route',
    'routeFromHAR',
    'routeWebSocket',
    'setContent',
    'setDefaultTimeout',
    'setDefaultNavigationTimeout',
    'setExtraHTTPHeaders',
    'setViewportSize',
  ],
  clock: ['fastForward', 'install', 'pauseAt', 'resume', 'runFor', 'setFixedTime', 'setSystemTime'],
  keyboard: ['down'],
  mouse: ['down'],
}

export class ReusedPage {
  readonly #browser: Browser
  readonly #origin: string
  #open: { context: BrowserContext; page: Page; options: string } | undefined
  #isChanged = false

  constructor(browser: Browser, origin: string) {
    this.#browser = browser
    this.#origin = origin
  }

  /**
   * The context for the next test: the previous one if it has the same options, otherwise a new
   * one.
   */
  async open(options: BrowserContextOptions): Promise<BrowserContext> {
    const text = JSON.stringify(options)
    if (this.#open?.options !== text) await this.discard()
    if (!this.#open) {
      const context = await this.#browser.newContext(options)
      await watchToasts(context)
      const page = await context.newPage()
      this.#watch(context, page)
      this.#open = { context, page, options: text }
      this.#isChanged = false
    }
    return this.#open.context
  }

  get page(): Page {
    if (!this.#open) throw new Error('no page is open')
    return this.#open.page
  }

  /** Resets the page after a test. */
  async reset(hasPassed: boolean): Promise<void> {
    if (!this.#open) return
    const { context, page } = this.#open
    if (!hasPassed || this.#isChanged || page.isClosed() || context.pages().length > 1) return this.discard()
    // Leaves the test's page first, because a page can still write while it is unloaded.
    await page.goto(this.#origin + blankPath)
    await page.evaluate(() => {
      localStorage.clear()
      sessionStorage.clear()
      window.name = ''
    })
    await context.clearCookies()
    await page.mouse.move(-1, -1)
  }

  async discard(): Promise<void> {
    await this.#open?.context.close()
    this.#open = undefined
  }

  #watch(context: BrowserContext, page: Page): void {
    const { clock } = context
    const { keyboard, mouse } = page
    for (const [name, object] of Object.entries({ context, page, clock, keyboard, mouse }))
      for (const method of lasting[name as keyof typeof lasting]) this.#watchMethod(object, method)
  }

  #watchMethod(object: object, method: string): void {
    const original = Reflect.get(object, method) as (...args: unknown[]) => unknown
    Reflect.set(object, method, (...args: unknown[]) => {
      this.#isChanged = true
      return original.apply(object, args)
    })
  }
}
