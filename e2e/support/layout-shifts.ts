/** Layout shifts as measured by the browser. */
import type { Page } from '@playwright/test'

/** Records the total layout shift so far, and the elements that moved. */
export const watchLayoutShifts = (page: Page) =>
  page.addInitScript(() => {
    const jumps: string[] = []
    let score = 0
    new PerformanceObserver((entries) => {
      for (const entry of entries.getEntries()) {
        if (!('value' in entry) || !('hadRecentInput' in entry) || entry.hadRecentInput) continue
        score += Number(entry.value)
        const sources = 'sources' in entry ? (entry.sources as { node?: Node | null; currentRect: DOMRect }[]) : []
        for (const { node, currentRect } of sources) {
          // A text node can move as well; a removed element has no node.
          const element = node instanceof Element ? node : node?.parentElement
          const { x, y, width, height } = currentRect
          const named = element ? element.outerHTML.slice(0, 120) : 'what has gone'
          jumps.push(
            `${Number(entry.value).toFixed(3)} to ${[x, y, width, height].map(Math.round).join(' ')}: ${named}`,
          )
        }
      }
    }).observe({ type: 'layout-shift', buffered: true })
    Object.assign(window, { jumps: () => ({ score, jumps }) })
  })
export const layoutShiftsOf = (page: Page) =>
  page.evaluate(() => (window as unknown as { jumps: () => { score: number; jumps: string[] } }).jumps())
