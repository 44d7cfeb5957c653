/** Which presses close a dialog, and what a form in one does with what was typed. */
import type { Page } from '@playwright/test'
import { box, expect, test, withRepo } from '../support/screens.ts'

const newBuild = (page: Page) => page.getByRole('dialog', { name: 'Create a New Build' })

test('a press beside a dialog closes it; the second one of a double-click does not, nor one that began in a field', async ({
  page,
  host,
  go,
}) => {
  withRepo(host)
  await go('/octocat/hello')
  const button = page.getByRole('button', { name: 'New Build' })
  const branch = newBuild(page).getByLabel('Branch')
  await button.dblclick()
  await expect(branch).toBeFocused()
  await page.mouse.click(5, 5)
  await expect(newBuild(page)).toHaveCount(0)
  // Two presses that the system does not take for one double-click.
  const { x, y } = await box(button)
  await page.mouse.click(x + 10, y + 10)
  await page.mouse.click(x + 10, y + 10)
  await expect(branch).toBeFocused()
  // What is selected is dragged out of the field.
  const field = await box(branch)
  await page.mouse.move(field.x + 20, field.y + 10)
  await page.mouse.down()
  await page.mouse.move(5, 5)
  await page.mouse.up()
  await expect(newBuild(page)).toBeVisible()
  await page.mouse.click(5, 5)
  await expect(newBuild(page)).toHaveCount(0)
})

test('a press beside a dialog in which something was typed does not close it; Escape and Close do', async ({
  page,
  host,
  go,
}) => {
  withRepo(host)
  await go('/octocat/hello')
  const button = page.getByRole('button', { name: 'New Build' })
  for (const leave of [
    () => page.keyboard.press('Escape'),
    () => newBuild(page).getByRole('button', { name: 'Close' }).click(),
  ]) {
    await button.click()
    await newBuild(page).getByLabel('Branch').fill('main')
    await newBuild(page).getByLabel('Key').fill('colour')
    await page.mouse.click(5, 5)
    await expect(newBuild(page).getByLabel('Branch')).toHaveValue('main')
    await expect(newBuild(page).getByLabel('Key')).toHaveValue('colour')
    await expect(newBuild(page).getByLabel('Key')).toBeFocused()
    await leave()
    await expect(newBuild(page)).toHaveCount(0)
  }
})
