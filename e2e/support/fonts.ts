import type { Page } from '@playwright/test'

/**
 * The fonts that the browser actually rendered monospace text with, regardless of the style sheet.
 */
export async function monospaceFonts(page: Page): Promise<Set<string>> {
  await page.evaluate(async () => {
    await document.fonts.ready
    for (const element of document.querySelectorAll<HTMLElement>('body *')) {
      const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim())
      if (own && /mono/i.test(getComputedStyle(element).fontFamily)) element.dataset['mono'] = ''
    }
  })
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('DOM.enable')
  await devtools.send('CSS.enable')
  const { root } = await devtools.send('DOM.getDocument')
  const { nodeIds } = await devtools.send('DOM.querySelectorAll', { nodeId: root.nodeId, selector: '[data-mono]' })
  const drawn = await Promise.all(nodeIds.map((nodeId) => devtools.send('CSS.getPlatformFontsForNode', { nodeId })))
  await devtools.detach()
  const fonts = drawn.flatMap((usage) => usage.fonts)
  return new Set(fonts.map(({ familyName, isCustomFont }) => `${familyName}${isCustomFont ? '' : ' of this machine'}`))
}
