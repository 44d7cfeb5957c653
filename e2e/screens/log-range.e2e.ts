/** Ranges of lines beyond the rendered ones, and characters that the log's font does not have. */
import { data, expect, ok, test, withBuild } from '../support/screens.ts'

const log = '/api/repos/octocat/hello/builds/42/logs/1/1'

for (const by of ['mouse', 'keyboard'] as const)
  test(`a range of lines is selected from the first to one far below, by ${by}${by === 'keyboard' ? '' : ' @system'}`, async ({
    page,
    host,
    go,
  }) => {
    withBuild(host)
    host.on(`GET ${log}`, ok(data.lines(9000)))
    await go('/octocat/hello/42')
    await page.getByRole('button', { name: 'Show all logs' }).click()
    const region = page.getByRole('log')
    const number = (text: string) => region.getByRole('link', { name: text, exact: true })
    await page.getByRole('button', { name: 'Jump to top' }).click()
    if (by === 'mouse') await number('3').click()
    else await number('3').press('Enter')
    await expect(page).toHaveURL(/#L3$/)
    await page.getByRole('button', { name: 'Jump to end' }).click()
    await expect(number('8990')).toBeInViewport()
    await expect(number('3')).toHaveCount(0)
    if (by === 'mouse') await number('8990').click({ modifiers: ['Shift'] })
    else await number('8990').press('Shift+Enter')
    await expect(page).toHaveURL(/#L3-L8990$/)
    await expect(region.locator('[data-line="8989"]')).toHaveAttribute('data-marked', 'true')
    await expect(region.locator('[data-line="8990"]')).not.toHaveAttribute('data-marked')
    // The viewport stays at the second end of the range.
    await expect(number('8990')).toBeInViewport()
    await page.getByRole('button', { name: 'Jump to top' }).click()
    await expect(region.locator('[data-line="2"]')).toHaveAttribute('data-marked', 'true')
    await expect(region.locator('[data-line="1"]')).not.toHaveAttribute('data-marked')
  })

test('a character that the log’s font does not have is rendered in a fallback font @system', async ({
  page,
  host,
  go,
}) => {
  withBuild(host)
  const texts = ['plain', '┌─┐│└┘█▓░', '漢字かな', '🚀✅', '⠋⠙⠹⠸', '→ ✓ ✗ ℵ ⅓ ‱']
  host.on(`GET ${log}`, ok(texts.map((out, pos) => ({ pos, out: `${out}\n`, time: 0 }))))
  await go('/octocat/hello/42')
  await expect(page.getByText('⠋⠙⠹⠸')).toBeVisible()
  await page.evaluate(() => document.fonts.ready)
  const session = await page.context().newCDPSession(page)
  await session.send('DOM.enable')
  await session.send('CSS.enable')
  const { root } = await session.send('DOM.getDocument')
  for (const [line, text] of texts.entries()) {
    const selector = `[data-line="${line}"] [data-text]`
    const { nodeId } = await session.send('DOM.querySelector', { nodeId: root.nodeId, selector })
    const { fonts } = await session.send('CSS.getPlatformFontsForNode', { nodeId })
    const glyphs = fonts.reduce((sum, { glyphCount }) => sum + glyphCount, 0)
    expect(glyphs, text).toBe([...text].length)
    if (/[\u2500-\u28ff\u3000-\u9fff]/.test(text))
      expect(
        fonts.some(({ isCustomFont }) => !isCustomFont),
        text,
      ).toBe(true)
  }
})
