// Typing into the filter of 10,000 repositories.
import { newPage, newPerson } from '../lib/chrome.mjs'
import { median } from '../lib/stats.mjs'

const typed = ['r', 'e', 'p', 'o', '-', '0', '0', '7', 'Backspace', 'Backspace', '4', '2']

/** In the page: from the key's own time stamp to the next painted frame, and to the frame whose list is filtered. */
const listen = () => {
  window.keys = []
  addEventListener('keydown', (event) => window.bench.painted((time) => window.keys.push(time - event.timeStamp)), {
    capture: true,
  })
}

async function type({ browser, person }, cpu) {
  const context = await newPerson(browser, person)
  const { page, cdp } = await newPage(context)
  await page.goto(`${person.origin}/`)
  await page.evaluate(() => window.bench.when(() => document.querySelectorAll('main ul a').length >= 50))
  await page.getByRole('textbox', { name: 'Filter' }).click()
  await page.waitForTimeout(1000)
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: cpu })
  await page.evaluate(listen)
  for (const key of typed) {
    const before = await page.evaluate(() => window.keys.length)
    await page.keyboard.press(key)
    await page.waitForFunction((count) => window.keys.length > count, before)
    await page.waitForTimeout(120)
  }
  const times = await page.evaluate(() => window.keys)
  await context.close()
  return median(times)
}

export const filter = {
  name: 'filter',
  size: 'big',
  rows: [
    ['quick', 'keystroke in the filter at 10,000 repositories to next paint, CPU ×1', 'ms', 16, '39'],
    ['slow', '– CPU ×4', 'ms', 50, '165'],
  ],
  how: 'median of twelve keys: from the time stamp of the event to the message that is sent from the next frame, which runs after its paint. A frame is 16.7 ms, so that a page with nothing to do gets about half of it',
  once: async (tools) => ({ quick: await type(tools, 1), slow: await type(tools, 4) }),
}
