/** Polls of a page whose clock the test moves. */
import type { Page } from '@playwright/test'
import { expect, goOnUntil } from './screens.ts'

export interface Polls {
  /** When a path was asked for, by the page's clock in milliseconds. */
  times: () => Promise<number[]>
  /** On to where it is asked for the next time, at least so many milliseconds from here, and the answer is there: for that time stands. */
  goOnToNext: (least?: number) => Promise<void>
}

declare const polls: { asked: number[]; answered: number }

/** Before the page is opened. A period that begins anew with each answer is exact only where the answer takes no time. */
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
    async goOnToNext(least = 9_000) {
      const { length } = await times()
      await page.clock.runFor(least)
      await goOnUntil(page, async () => (await times()).length > length, 50)
      await expect.poll(() => page.evaluate(() => polls.answered)).toBe(length + 1)
      // What waited for the answer has taken it before the page's next task.
      await page.evaluate(() => scheduler.postTask(() => undefined))
    },
  }
}
