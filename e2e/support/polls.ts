/** Polls of a page whose clock the test controls. */
import type { Page } from '@playwright/test'
import { expect, advanceClockUntil } from './screens.ts'

export interface Polls {
  /** The times of requests for the path, by the page's clock in milliseconds. */
  times: () => Promise<number[]>
  /**
   * Advances to the next poll, at least `minMs` milliseconds from now, and waits for its response;
   * the clock is paused meanwhile.
   */
  goOnToNext: (minMs?: number) => Promise<void>
}

declare const polls: { asked: number[]; answered: number }

/**
 * Call before opening the page. Intervals that restart with each response are exact only because
 * responses take no time.
 */
export async function watchPolls(page: Page, path: string): Promise<Polls> {
  await page.addInitScript((path) => {
    const send = window.fetch
    const polls = { asked: [] as number[], answered: 0 }
    Object.assign(window, { polls })
    window.fetch = async (input, init) => {
      if (new URL(input instanceof Request ? input.url : input, location.href).pathname !== path)
        return send(input, init)
      polls.asked.push(Date.now())
      const answer = await send(input, init)
      await answer.clone().text()
      polls.answered++
      return answer
    }
  }, path)
  const times = () => page.evaluate(() => polls.asked)
  return {
    times,
    async goOnToNext(minMs = 9_000) {
      const { length } = await times()
      await page.clock.runFor(minMs)
      await advanceClockUntil(page, async () => (await times()).length > length, 50)
      await expect.poll(() => page.evaluate(() => polls.answered)).toBe(length + 1)
      // The code that waits for the response runs before the page's next task.
      await page.evaluate(() => scheduler.postTask(() => undefined))
    },
  }
}
