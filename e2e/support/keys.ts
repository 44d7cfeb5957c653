/** Helpers for keyboard tests. */
import { type Locator, type Page, expect } from '@playwright/test'

/** Presses a key until the target has focus, up to a limit. */
export async function press(page: Page, key: string, target: Locator): Promise<void> {
  await expect(target).toBeVisible()
  for (let times = 0; times < 60; times++) {
    await page.keyboard.press(key)
    if (await target.evaluate((element) => element === document.activeElement)) return
  }
  throw new Error(`the focus never reached ${target.toString()}`)
}
