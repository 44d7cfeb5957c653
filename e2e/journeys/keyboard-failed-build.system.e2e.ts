/**
 * From a failed build to its cause without a mouse: dialogs take the focus, keep it and return it;
 * Escape closes them.
 */
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { axeFindings } from '../support/axe.ts'
import { press } from '../support/keys.ts'
import { activate, expectStatus, signIn, startBuild } from '../support/person.ts'
import { expect, test } from '../support/product.ts'
import { makeRepository, pipeline } from '../support/repositories.ts'

test.setTimeout(120_000)

const console = (page: Page) => page.getByRole('region', { name: 'Console' })
const lines = (page: Page) => page.getByRole('log').locator('[tabindex]').first()
const field = (page: Page) => page.getByRole('searchbox', { name: 'Find in log' })
const results = (page: Page) => page.getByRole('region', { name: 'Search results' })
const holdsFocus = (place: Locator) =>
  expect.poll(() => place.evaluate((element) => element.contains(document.activeElement))).toBe(true)

/** The dialog has the focus, keeps it during Tab, passes axe, and returns the focus. */
async function keepsFocus(page: Page, dialog: Locator, back: Locator): Promise<void> {
  await expectFocusKept(page, dialog, back, async () => {
    expect(await axeFindings(page, { within: 'dialog' })).toEqual([])
  })
}

async function expectFocusKept(
  page: Page,
  dialog: Locator,
  back: Locator,
  check: () => Promise<void> = async () => undefined,
): Promise<void> {
  await holdsFocus(dialog)
  for (let times = 0; times < 12; times++) {
    await page.keyboard.press(times % 4 === 3 ? 'Shift+Tab' : 'Tab')
    // At the ends of the tab order the focus can be in the browser's own controls, outside of the
    // page.
    const isElsewhere = await dialog.evaluate(
      (element) => document.activeElement !== document.body && !element.contains(document.activeElement),
    )
    expect(isElsewhere).toBe(false)
  }
  await check()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(back).toBeFocused()
}

type Start = Parameters<Parameters<typeof test>[2]>[0]

/** Runs a successful and a failed build. Returns the path of the failed step. */
async function openFailedBuild({ page, folder, start }: Pick<Start, 'page' | 'folder' | 'start'>): Promise<string> {
  const repos = join(folder, 'repos')
  const steps = { prepare: ['echo "level 1"', 'seq 1 30'], unit: ['sh src/launch.sh'] }
  const rocket = await makeRepository(repos, 'space/rocket', pipeline(steps))
  const script = (end: string) => ['# The launch', 'echo "level 2"', end, ''].join('\n')
  await rocket.commit('Count down', { 'src/launch.sh': script('seq 1 400') })
  const server = await start({ repos })
  await signIn(page, server.origin)
  await activate(page, server.origin, rocket.slug)
  await startBuild(page)
  const banner = page.getByRole('status', { name: 'Build status' })
  await expectStatus(banner, 'success')
  const broken = 'seq 1 400; echo "src/launch.sh:3: error: no fuel"; exit 1'
  await rocket.commit('Forget the fuel', { 'src/launch.sh': script(broken) })
  await page.goto(`${server.origin}/${rocket.slug}`)
  await page.locator('main').getByRole('link').filter({ hasText: 'Forget the fuel' }).last().waitFor()
  const failedStepUrl = `${server.origin}/${rocket.slug}/2/1/3`
  await page.goto(failedStepUrl)
  await expectStatus(banner, 'failure')
  return failedStepUrl
}

test('the log of a failed step, its build and the last builds are searched without a mouse', async ({
  page,
  folder,
  start,
}) => {
  const failedStepUrl = await openFailedBuild({ page, folder, start })
  const found = results(page).getByRole('link', { name: /level/ })

  await test.step('a regular expression in this log', async () => {
    await press(page, 'Tab', page.getByRole('button', { name: 'Show all logs' }))
    await page.keyboard.press('Enter')
    await expect(lines(page)).toBeFocused()
    await page.keyboard.press('/')
    await expect(field(page)).toBeFocused()
    await page.keyboard.type('no f.el')
    const pattern = page.getByRole('button', { name: 'Regular expression' })
    await press(page, 'Tab', pattern)
    await page.keyboard.press('Space')
    await expect(pattern).toBeFocused()
    await expect(page.getByRole('search').getByRole('status')).toHaveText('1 result')
    // From wherever the focus is.
    await page.keyboard.press('/')
    await expect(field(page)).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('log').locator('mark[data-current]')).toHaveText('no fuel')
    await press(page, 'Tab', pattern)
    await page.keyboard.press('Escape')
    await expect(field(page)).toHaveCount(0)
    await expect(lines(page)).toBeFocused()
  })

  await test.step('in this build, and a hit in another step', async () => {
    await page.keyboard.press('/')
    await page.keyboard.press('Control+a')
    await page.keyboard.type('level \\d')
    const where = page.getByRole('combobox', { name: 'Find in' })
    await press(page, 'Tab', where)
    await page.keyboard.type('This b')
    await expect(where).toHaveValue('build')
    // Each in its output and in the command above it.
    await expect(found.first()).toBeVisible()
    await press(page, 'Tab', found.first())
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/2\/1\/2#L\d+$/)
    await expect(lines(page)).toContainText('level 1')
    await holdsFocus(console(page))
    await press(page, 'Tab', found.first())
    await page.keyboard.press('Escape')
    await expect(results(page)).toHaveCount(0)
    await expect(lines(page)).toBeFocused()
  })

  await test.step('in the last builds', async () => {
    await page.goto(failedStepUrl)
    await expect(page.getByRole('button', { name: 'Show all logs' })).toBeVisible()
    await press(page, 'Tab', lines(page))
    await page.keyboard.press('/')
    await page.keyboard.type('level 2')
    const where = page.getByRole('combobox', { name: 'Find in' })
    await press(page, 'Tab', where)
    await page.keyboard.type('Last')
    await expect(results(page).getByRole('status')).toContainText('First seen in #1')
    const first = results(page).locator(`a[href*="/rocket/1/"][href*="#L"]`).first()
    await press(page, 'Tab', first)
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/rocket\/1\/1\/3#L\d+$/)
    // The previous page has the same text, and stays until the new one is rendered.
    await expect(page.getByRole('navigation', { name: 'Breadcrumb' })).toContainText('#1')
    await expect(lines(page)).toContainText('level 2')
    await holdsFocus(console(page))
    await page.keyboard.press('Escape')
    await expect(results(page)).toHaveCount(0)
    await expect(lines(page)).toBeFocused()
  })
})

test('file, changes, attempts and times of a failed step are reachable without a mouse', async ({
  page,
  folder,
  start,
}) => {
  await openFailedBuild({ page, folder, start })
  await test.step('the file, from the line and by its key', async () => {
    const place = page.getByRole('log').getByRole('link', { name: 'src/launch.sh:3' })
    await press(page, 'Tab', lines(page))
    await page.keyboard.press('e')
    await page.keyboard.press('s')
    const drawer = page.getByRole('dialog', { name: 'launch.sh, line 3' })
    await expect(drawer.getByRole('region', { name: 'Last change to this line' })).toContainText('Forget the fuel')
    await keepsFocus(page, drawer, lines(page))
    await place.focus()
    await page.keyboard.press('Enter')
    await expect(drawer.getByRole('region', { name: 'Contents of src/launch.sh' })).toBeVisible()
    await expectFocusKept(page, drawer, place)
  })

  await test.step('what changed, from its row and by its key', async () => {
    const drawer = page.getByRole('dialog', { name: /^What changed since/ })
    const row = page.getByRole('button', { name: 'What changed', exact: true })
    // Line numbers are tab stops as well.
    await lines(page).focus()
    await press(page, 'Shift+Tab', row)
    await page.keyboard.press('Enter')
    await expect(drawer.getByRole('region', { name: 'Commits' })).toContainText('Forget the fuel')
    await keepsFocus(page, drawer, row)
    await press(page, 'Tab', lines(page))
    await page.keyboard.press('c')
    await expectFocusKept(page, drawer, lines(page))
  })

  await test.step('the attempts', async () => {
    const drawer = page.getByRole('dialog', { name: 'Build #2 details' })
    await page.keyboard.press('i')
    await expect(drawer.getByRole('region', { name: 'Table of attempts' })).toBeVisible()
    await keepsFocus(page, drawer, lines(page))
    const details = page.getByRole('button', { name: 'Details' })
    await press(page, 'Shift+Tab', details)
    await page.keyboard.press('Enter')
    await expectFocusKept(page, drawer, details)
  })

  await test.step('the timeline, and its table', async () => {
    const timeline = page.getByRole('button', { name: 'Timeline' })
    await press(page, 'Tab', timeline)
    await page.keyboard.press('Enter')
    await expect(timeline).toBeFocused()
    const table = page.getByRole('region', { name: 'Timeline' })
    await press(page, 'Tab', table)
    const unit = table.getByRole('row').filter({ hasText: 'unit' }).getByRole('link')
    await press(page, 'Tab', unit)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('log')).toContainText('no fuel')
    // The table with the pressed button is removed, so the focus moves to the heading.
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  })
})
