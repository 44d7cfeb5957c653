/** `test` with a folder of its own and a way to start the real server on it; everything started is stopped afterwards. */
import { join } from 'node:path'
import { test as base, expect } from '@playwright/test'
import { type RunningServer, type ServerOptions, startServer, withFolder } from './server.ts'

export { expect }

interface Product {
  /** An empty folder for this test. */
  folder: string
  /** Starts the server; without `repos` it makes the sample repository. */
  start: (options?: Partial<ServerOptions>) => Promise<RunningServer>
}

export const test = base.extend<Product>({
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
