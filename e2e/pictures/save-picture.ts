import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'

const top = fileURLToPath(new URL('../..', import.meta.url))

/** Encodes the screenshot as WebP, which is half as large, in a separate page. */
async function toWebp(page: Page, png: Buffer): Promise<Buffer> {
  const blank = await page.context().newPage()
  const encoded = await blank.evaluate(async (source) => {
    const image = new Image()
    image.src = `data:image/png;base64,${source}`
    await image.decode()
    const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height })
    canvas.getContext('2d')?.drawImage(image, 0, 0)
    return canvas.toDataURL('image/webp', 0.92).replace(/^.*,/, '')
  }, png.toString('base64'))
  await blank.close()
  return Buffer.from(encoded, 'base64')
}

/**
 * Writes a screenshot of the page to test-results/pictures. Only pictures that a documentation page
 * shows are committed: those that exist in docs/pictures are replaced there as well, as WebP.
 */
export async function savePicture(page: Page, name: string): Promise<void> {
  // A busy machine needs longer than the timeout of a test's action.
  const path = join(top, 'test-results/pictures', name)
  const png = await page.screenshot({ path, animations: 'disabled', timeout: 60_000 })
  const shown = join(top, 'docs/pictures', name.replace(/\.png$/, '.webp'))
  if (existsSync(shown)) await writeFile(shown, await toWebp(page, png))
}
