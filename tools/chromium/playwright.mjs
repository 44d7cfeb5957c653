// Playwright's own browser download, if it is reachable.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { program } from '../lib/project.mjs'
import { cache, runWhileAlive } from './programs.mjs'

const folder = `${cache}-playwright`

/** The downloaded browser, if there is one. */
export function downloaded() {
  if (!existsSync(folder)) return undefined
  const files = readdirSync(folder, { recursive: true }).map(String)
  const name = files.find((file) => /\/(chrome-headless-shell|headless_shell)$/.test(file))
  return name && join(folder, name)
}

/** Gives up after fifteen seconds without progress. */
export async function download() {
  const ok = await runWhileAlive(program('playwright'), ['install', 'chromium-headless-shell'], {
    env: { PLAYWRIGHT_BROWSERS_PATH: folder, PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: '5000' },
    progress: /[1-9]\d?%/,
    patience: 15_000,
    limit: 5 * 60_000,
  })
  return ok ? downloaded() : undefined
}
