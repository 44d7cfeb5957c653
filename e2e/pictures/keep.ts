import { copyFile } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'

const top = fileURLToPath(new URL('../..', import.meta.url))

/**
 * Writes a picture of the page to test-results/pictures. Only the pictures that a page of the documentation shows are committed:
 * those that are in docs/pictures already are replaced there as well.
 */
export async function keep(page: Page, name: string): Promise<void> {
  const path = join(top, 'test-results/pictures', name)
  await page.screenshot({ path, animations: 'disabled' })
  const shown = join(top, 'docs/pictures', name)
  if (existsSync(shown)) await copyFile(path, shown)
}
