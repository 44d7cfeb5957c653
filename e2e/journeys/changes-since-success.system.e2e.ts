/** From a failed step to the commit and the line that broke it, on the real server. */
import { join } from 'node:path'
import { activate, expectStatus, signIn, startBuild } from '../support/person.ts'
import { expect, test } from '../support/product.ts'
import { makeRepository, pipeline } from '../support/repositories.ts'

test('a failed step leads to the changes since its last successful run, and to the line that broke it', async ({
  page,
  folder,
  start,
}) => {
  const repos = join(folder, 'repos')
  const rocket = await makeRepository(repos, 'space/rocket', pipeline({ unit: ['sh src/launch.sh'] }))
  const script = (end: string) => ['# The launch', 'echo three', 'echo two', end, ''].join('\n')
  await rocket.commit('Count down', { 'src/launch.sh': script('echo one') })
  const server = await start({ repos })
  await signIn(page, server.origin)
  await activate(page, server.origin, rocket.slug)
  await startBuild(page)
  const banner = page.getByRole('status', { name: 'Build status' })
  await expectStatus(banner, 'success')

  const broken = 'echo "src/launch.sh:4: error: no fuel"; exit 1'
  const sha = await rocket.commit('Forget the fuel', { 'src/launch.sh': script(broken) })
  await page.goto(`${server.origin}/${rocket.slug}`)
  await page.locator('main').getByRole('link').filter({ hasText: 'Forget the fuel' }).last().click()
  await expectStatus(banner, 'failure')
  const row = page.getByRole('region', { name: 'What changed', exact: true })
  await expect(row).toContainText('since #1: 1 commit by Ada Tester')
  await page.keyboard.press('c')
  const commits = page.getByRole('dialog').getByRole('region', { name: 'Commits' })
  await expect(commits.getByRole('link', { name: 'Forget the fuel' })).toHaveAttribute('href', new RegExp(`${sha}$`))
  await expect(commits.getByRole('link', { name: 'src/launch.sh' })).toBeVisible()
  await page.keyboard.press('Escape')

  await page.getByRole('log').getByRole('link', { name: 'src/launch.sh:4' }).click()
  const text = page.getByRole('region', { name: 'Contents of src/launch.sh' })
  await expect(text.locator('[aria-current=location]')).toContainText('4echo "src/launch.sh:4')
  const who = page.getByRole('region', { name: 'Last change to this line' })
  await expect(who).toContainText(/^Line 4 was last changed after #1, .* by Ada Tester in [0-9a-f]{8} Forget the fuel$/)
  await expect(text.getByRole('link', { name: /Count down$/ })).toHaveCount(1)
})
