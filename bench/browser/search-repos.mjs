// Typing into the search of 10,000 repositories and 1,000,000 builds.
import { median } from '../lib/stats.mjs'
import { openHome, typedKeys } from './typing.mjs'

/**
 * In the page: measures from the key's timestamp to the painted frame with the repositories that
 * match what was typed.
 */
const listen = () => {
  window.found = []
  let pressed = 0
  const shows = () => {
    const dialog = document.querySelector('dialog[open]')
    return dialog.textContent.includes(`Found "${dialog.querySelector('input').value}" in Repositories`)
  }
  const capture = { capture: true }
  addEventListener('keydown', (event) => (pressed = event.timeStamp), capture)
  addEventListener(
    'input',
    () => {
      const from = pressed
      void window.bench.when(shows).then((time) => window.found.push(time - from))
    },
    capture,
  )
}

async function type(tools, cpu) {
  const { context, page, cdp } = await openHome(tools)
  await page.waitForTimeout(1000)
  await page.keyboard.press('/')
  await page.getByPlaceholder('Search repositories, branches and builds').waitFor()
  await page.waitForTimeout(1000)
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: cpu })
  await page.evaluate(listen)
  for (const [index, key] of typedKeys.entries()) {
    await page.keyboard.press(key)
    await page.waitForFunction((count) => window.found.length > count, index)
    await page.waitForTimeout(120)
  }
  const found = await page.evaluate(() => window.found)
  await context.close()
  return median(found)
}

export const searchRepos = {
  name: 'search-repos',
  size: 'big',
  rows: [
    ['quick', 'keystroke in the search of 10,000 repositories to the frame with the hits, CPU ×1', 'ms', 50],
    ['slow', '– CPU ×4', 'ms', 150],
  ],
  how: 'median of twelve keys: from the event’s timestamp to a message sent from the frame that shows the repositories for the typed text; the server’s answer, with builds, comes later',
  async once(tools) {
    return { quick: await type(tools, 1), slow: await type(tools, 4) }
  },
}
