/** `test` with a folder of its own and a way to start the real server on it; everything started is stopped afterwards. */
import { join } from 'node:path'
import { test as base, expect } from '@playwright/test'
import { type RunningServer, type ServerOptions, startServer, withFolder } from './server.ts'

export { expect }

interface Product {
  /** Other people's browsers end with the test that opened them: Playwright would let them live, and ask on, until its own end. */
  others: void
  /** An empty folder for this test. */
  folder: string
  /** Starts the server; without `repos` it makes the sample repository. */
  start: (options?: Partial<ServerOptions>) => Promise<RunningServer>
}

export const test = base.extend<Product>({
  others: [
    async ({ browser }, use) => {
      await use()
      await Promise.all(browser.contexts().map((context) => context.close()))
    },
    { auto: true },
  ],
  folder: async ({}, use) => {
    await withFolder(use)
  },
  start: async ({ folder }, use) => {
    const started: RunningServer[] = []
    await use(async (options) => {
      const server = await startServer({ data: join(folder, 'data'), ...options })
      started.push(server)
      return server
    })
    for (const server of started) await server.stop()
  },
})
