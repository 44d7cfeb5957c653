/** A printed build page: the page and the visible log, black on white. */
import { data, expect, ok, styleOf, test, withBuild } from '../support/screens.ts'

test('printing a build prints its header and every shown line, black on white @system', async ({ page, host, go }) => {
  withBuild(
    host,
    data.detail({ stages: [data.stage({ name: 'build' }), data.stage({ id: 2, number: 2, name: 'ship' })] }),
  )
  host.on('GET /api/repos/octocat/hello/builds/42/logs/1/1', ok(data.lines(1000)))
  await page.emulateMedia({ colorScheme: 'dark' })
  await go('/octocat/hello/42')
  await page.getByRole('button', { name: 'Show all logs' }).click()
  const log = page.getByRole('log')
  await expect(log.locator('[data-line]')).toHaveCount(1000)
  await expect(page.getByRole('group', { name: 'View' })).toBeVisible()
  const onScreen = await page.screenshot()
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Details' })).toBeHidden()
  // Without its buttons a group is an empty frame.
  await expect(page.getByRole('group', { name: 'View', includeHidden: true })).toBeHidden()
  await expect(
    page.getByRole('navigation', { name: 'Pipeline stages' }).getByText('ship', { exact: true }),
  ).toBeVisible()
  for (const text of ['line 1', 'line 1000']) {
    const line = log.getByText(text, { exact: true })
    expect(await styleOf(line, 'color')).toBe('rgb(0, 0, 0)')
    expect(await styleOf(line, 'background-color')).toBe('rgb(255, 255, 255)')
    // No ancestor clips the line.
    const cutBy = await line.evaluate((element) => {
      const { bottom, top } = element.getBoundingClientRect()
      for (let around = element.parentElement; around && around !== document.body; around = around.parentElement) {
        const box = around.getBoundingClientRect()
        const isCut = getComputedStyle(around).overflowY !== 'visible' && (bottom > box.bottom + 1 || top < box.top - 1)
        if (isCut) return around.outerHTML.slice(0, 120)
      }
      return ''
    })
    expect(cutBy).toBe('')
  }
  const pdf = (await page.pdf()).toString('latin1')
  // A page holds about fifty lines.
  expect(pdf.match(/\/Type\s*\/Page\b/g)?.length).toBeGreaterThan(12)
  await page.emulateMedia({ media: 'screen' })
  expect((await page.screenshot()).equals(onScreen)).toBe(true)
})
