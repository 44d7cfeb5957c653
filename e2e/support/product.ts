/**
 * `test` with an empty folder and a way to start the real server in it. Everything is stopped
 * afterwards.
 */
import { join } from 'node:path'
import { test as base, expect } from '@playwright/test'
import { type RunningServer, type ServerOptions, startServer, withFolder } from './server.ts'
import { gateways } from './behind-gateway.ts'
import { watchToasts } from './toasts.ts'

export { expect }

interface Product {
  /**
   * Runs each server behind a gateway (`FLIGHTDECK_THROUGH=gateway`, and in `npm test` the tests
   * with the tag `@gateway`).
   */
  through: boolean
  /**
   * Closes browsers of other people with the test that opened them: Playwright would keep them
   * open, and they would keep polling.
   */
  others: void
  /** An empty folder for this test. */
  folder: string
  /** Starts the server. Without `repos` it creates the sample repository. */
  start: (options?: Partial<ServerOptions>) => Promise<RunningServer>
}

export const test = base.extend<Product>({
  through: [false, { option: true }],
  others: [
    async ({ browser }, use) => {
      await use()
      await Promise.all(browser.contexts().map((context) => context.close()))
    },
    { auto: true },
  ],
  context: async ({ context }, use) => {
    await watchToasts(context)
    await use(context)
  },
  folder: async ({}, use) => {
    await withFolder(use)
  },
  start: async ({ folder, through }, use) => {
    const started: RunningServer[] = []
    const inFront = gateways()
    await use(async (options) => {
      const given = { data: join(folder, 'data'), ...options }
      // Options with a gateway start that gateway.
      const server = await (through && !given.server ? inFront.start(given) : startServer(given))
      started.push(server)
      return server
    })
    for (const server of started) await server.stop()
    await inFront.stop()
  },
})
