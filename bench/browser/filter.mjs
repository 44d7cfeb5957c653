// Typing into the filter of 10,000 repositories.
import { median } from '../lib/stats.mjs'
import { openHome, typedKeys } from './typing.mjs'

/**
 * In the page: measures from the key's timestamp to the next painted frame, and to the one with the
 * filtered list.
 */
const listen = () => {
  window.keys = []
  window.lists = []
  let pressed = 0
  const fits = () => {
    const [field] = document.querySelectorAll('main input[type=text]')
    return [...document.querySelectorAll('section[aria-labelledby=repositories] ul a')]
      .slice(0, 10)
      .every((row) => row.textContent.includes(field.value))
  }
  const capture = { capture: true }
  addEventListener(
    'keydown',
    (event) => {
      pressed = event.timeStamp
      window.bench.painted((time) => window.keys.push(time - event.timeStamp))
    },
    capture,
  )
  addEventListener(
    'input',
    () => {
      const from = pressed
      void window.bench.when(fits).then((time) => window.lists.push(time - from))
    },
    capture,
  )
}

async function type(tools, cpu) {
  const { context, page, cdp } = await openHome(tools)
  await page.getByRole('textbox', { name: 'Filter' }).click()
  await page.waitForTimeout(1000)
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: cpu })
  await page.evaluate(listen)
  for (const key of typedKeys) {
    const before = await page.evaluate(() => window.lists.length)
    await page.keyboard.press(key)
    await page.waitForFunction((count) => window.lists.length > count && window.keys.length > count, before)
    await page.waitForTimeout(120)
  }
  const { keys, lists } = await page.evaluate(() => ({ keys: window.keys, lists: window.lists }))
  await context.close()
  return { key: median(keys), list: median(lists) }
}

export const filter = {
  name: 'filter',
  size: 'big',
  rows: [
    ['quick', 'keystroke in the filter at 10,000 repositories to next paint, CPU ×1', 'ms', 16, '39'],
    ['quickList', '– to the frame whose list is filtered', 'ms', 33, '23'],
    ['slow', '– CPU ×4', 'ms', 33, '165'],
    ['slowList', '– – to the frame whose list is filtered', 'ms', 100, '92'],
  ],
  how: 'median of twelve keys: from the event’s timestamp to a message sent from the next frame, which runs after its paint. A frame is 16.7 ms, so an idle page gets about half of it',
  async once(tools) {
    const quick = await type(tools, 1)
    const slow = await type(tools, 4)
    return { quick: quick.key, quickList: quick.list, slow: slow.key, slowList: slow.list }
  },
}
