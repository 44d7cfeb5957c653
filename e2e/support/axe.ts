import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, type Page } from '@playwright/test'
import type { AxeResults } from 'axe-core'
import { rest } from './screens.ts'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** All other rules give the same results in light and dark. */
const rulesOfColour = ['color-contrast', 'link-in-text-block']

interface Looks {
  /** The CSS selector of the part to check; the whole page by default. */
  within?: string
  /** Runs only these rules. */
  only?: readonly string[]
}

/**
 * Serious axe findings once the page is at rest, with their elements. Axe is injected once per
 * page, because that alone takes half as long as a check (decisions/tools.md).
 */
export async function axeFindings(page: Page, { within = 'html', only }: Looks = {}): Promise<string[]> {
  await rest(page)
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source)
  const found = await page.evaluate(
    async ([place, rules]) => {
      const { axe } = window as unknown as { axe: { run: (where: object, how: object) => Promise<AxeResults> } }
      // The menu's focus guards pass focus on immediately; axe would report them as tab stops.
      const where = { include: place, exclude: '[data-base-ui-focus-guard]' }
      const { violations } = await axe.run(where, { resultTypes: ['violations'], ...(rules && { runOnly: rules }) })
      return violations.map(({ id, impact, nodes }) => ({
        id,
        impact,
        nodes: nodes.map((node) => `${node.html.slice(0, 120)} ${node.any[0]?.message}`),
      }))
    },
    [within, only] as const,
  )
  return found
    .filter(({ id, impact }) => impact === 'serious' || impact === 'critical' || id === 'heading-order')
    .map(({ id, nodes }) => `${id}: ${nodes.join(' | ')}`)
}

/**
 * Expects no serious findings on the screen: all rules in the light theme, color rules in the dark
 * one.
 */
export async function expectAccessible(page: Page, name: string) {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme)
    const found = await axeFindings(page, colorScheme === 'dark' ? { only: rulesOfColour } : {})
    expect(found, `${name} ${colorScheme}`).toEqual([])
  }
}
