// What the measures of typing share: the keys, and the home page with all its repositories.
import { newPage, newPerson } from '../lib/chrome.mjs'

export const typedKeys = ['r', 'e', 'p', 'o', '-', '0', '0', '7', 'Backspace', 'Backspace', '4', '2']

/** Opens the home page in a new context, and waits until its list is complete. */
export async function openHome({ browser, person }) {
  const context = await newPerson(browser, person)
  const { page, cdp } = await newPage(context)
  await page.goto(`${person.origin}/`)
  await page.evaluate(() =>
    window.bench.when(
      () => document.querySelectorAll('main ul a').length >= 50 && !document.querySelector('main [aria-busy=true]'),
    ),
  )
  return { context, page, cdp }
}
