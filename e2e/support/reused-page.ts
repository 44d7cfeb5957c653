/**
 * One page for the tests of a worker: a page that is loaded where the same code ran before takes a third of the processor time
 * of one in a new browser context, because its code is compiled already. Between two tests it has the empty page of its origin,
 * without cookies, storage, routes, listeners and permissions, in its first size and media. A test that changes what cannot be
 * taken back – clock, init scripts, further pages – or that fails takes the page with it.
 */
import type { Browser, BrowserContext, BrowserContextOptions, Page } from '@playwright/test'
import { blankPath } from './host.ts'
import { watchToasts } from './toasts.ts'

/** What no reset takes back. */
const lasting: Record<'context' | 'page' | 'clock', string[]> = {
  context: [
    'addInitScript',
    'exposeBinding',
    'exposeFunction',
    'newCDPSession',
    'newPage',
    'routeFromHAR',
    'routeWebSocket',
    'setGeolocation',
  ],
  page: [
    'addInitScript',
    'addLocatorHandler',
    'close',
    'exposeBinding',
    'exposeFunction',
    'routeFromHAR',
    'routeWebSocket',
    'setContent',
    'setDefaultTimeout',
    'setDefaultNavigationTimeout',
  ],
  clock: ['fastForward', 'install', 'pauseAt', 'resume', 'runFor', 'setFixedTime', 'setSystemTime'],
}

type Undo = () => unknown
/** For each method that a reset takes back: what does that, from the arguments of the call. */
type Undos = Record<string, (...args: never[]) => Undo>

interface Emitter {
  off: (event: never, listener: never) => unknown
}
const listening = (emitter: Emitter) => (event: never, listener: never) => () => emitter.off(event, listener)

/** What a context has unless a test asks for something else. */
const firstMedia = {
  media: null,
  colorScheme: 'light',
  reducedMotion: 'no-preference',
  forcedColors: 'none',
  contrast: 'no-preference',
} as const

const undosOf = (context: BrowserContext, page: Page, { viewport }: BrowserContextOptions) => ({
  context: {
    grantPermissions: () => () => context.clearPermissions(),
    on: listening(context),
    once: listening(context),
    route: () => () => context.unrouteAll({ behavior: 'ignoreErrors' }),
    setExtraHTTPHeaders: () => () => context.setExtraHTTPHeaders({}),
    setOffline: () => () => context.setOffline(false),
  } satisfies Undos,
  page: {
    emulateMedia: () => () => page.emulateMedia(firstMedia),
    on: listening(page),
    once: listening(page),
    route: () => () => page.unrouteAll({ behavior: 'ignoreErrors' }),
    setExtraHTTPHeaders: () => () => page.setExtraHTTPHeaders({}),
    setViewportSize: () => () => viewport && page.setViewportSize(viewport),
  } satisfies Undos,
  keyboard: { down: (key: string) => () => page.keyboard.up(key) } satisfies Undos,
  mouse: { down: () => () => page.mouse.up() } satisfies Undos,
})

export class ReusedPage {
  readonly #browser: Browser
  readonly #origin: string
  #open: { context: BrowserContext; page: Page; options: string } | undefined
  #isChanged = false
  /** Of the present test; of the methods that are undone as a whole, the last call's. */
  readonly #undos = new Map<unknown, Undo>()

  constructor(browser: Browser, origin: string) {
    this.#browser = browser
    this.#origin = origin
  }

  /** The context for the next test: that of the test before if it has these options, else a new one. */
  async open(options: BrowserContextOptions): Promise<BrowserContext> {
    const text = JSON.stringify(options)
    if (this.#open?.options !== text) await this.discard()
    if (!this.#open) {
      const context = await this.#browser.newContext(options)
      await watchToasts(context)
      const page = await context.newPage()
      this.#watch(context, page, options)
      this.#open = { context, page, options: text }
      this.#isChanged = false
    }
    return this.#open.context
  }

  get page(): Page {
    if (!this.#open) throw new Error('no page is open')
    return this.#open.page
  }

  /** After a test. */
  async reset(hasPassed: boolean): Promise<void> {
    if (!this.#open) return
    const { context, page } = this.#open
    if (!hasPassed || this.#isChanged || page.isClosed() || context.pages().length > 1) return this.discard()
    const undos = [...this.#undos.values()]
    this.#undos.clear()
    for (const undo of undos) await undo()
    // First away from the test's page: what leaves may still write.
    await page.goto(this.#origin + blankPath)
    await page.evaluate(() => {
      localStorage.clear()
      sessionStorage.clear()
      window.name = ''
    })
    await context.clearCookies()
    await page.mouse.move(-1, -1)
    // What the reset itself has called.
    this.#undos.clear()
  }

  async discard(): Promise<void> {
    this.#undos.clear()
    await this.#open?.context.close()
    this.#open = undefined
  }

  #watch(context: BrowserContext, page: Page, options: BrowserContextOptions): void {
    const { clock } = context
    const { keyboard, mouse } = page
    for (const [name, object] of Object.entries({ context, page, clock }))
      for (const method of lasting[name as keyof typeof lasting])
        this.#watchMethod(object, method, () => (this.#isChanged = true))
    const undos = undosOf(context, page, options)
    for (const [name, object] of Object.entries({ context, page, keyboard, mouse }))
      for (const [method, undoOf] of Object.entries(undos[name as keyof typeof undos] as Undos))
        this.#watchMethod(object, method, (args) => {
          // Each listener and each key is undone; of all else one call is enough.
          const isOwn = method === 'on' || method === 'once' || name === 'keyboard'
          this.#undos.set(isOwn ? {} : `${name} ${method}`, undoOf(...(args as never[])))
        })
  }

  #watchMethod(object: object, method: string, onCall: (args: unknown[]) => void): void {
    const original = Reflect.get(object, method) as (...args: unknown[]) => unknown
    Reflect.set(object, method, (...args: unknown[]) => {
      onCall(args)
      return original.apply(object, args)
    })
  }
}
