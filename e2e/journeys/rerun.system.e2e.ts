/** Reruns only the failed stages of a build, on the real server. */
import { join } from 'node:path'
import { activate, expectStatus, signIn, startBuild } from '../support/person.ts'
import { expect, test } from '../support/product.ts'
import { makeRepository, pipeline } from '../support/repositories.ts'

const config = [
  pipeline({ style: ['echo neat'] }, 'lint'),
  pipeline({ unit: ['echo "level $LEVEL"', 'test "$LEVEL" = high'] }, 'test'),
  pipeline({ upload: ['echo away'] }, 'ship').replace('steps:', 'depends_on: [lint, test]\nsteps:'),
].join('---\n')

test('only failed stages are rerun, with changes if requested, and the attempts are listed', async ({
  page,
  folder,
  start,
}) => {
  const repos = join(folder, 'repos')
  const rocket = await makeRepository(repos, 'space/rocket', config)
  const server = await start({ repos })
  await signIn(page, server.origin)
  await activate(page, server.origin, rocket.slug)
  await startBuild(page)
  const banner = page.getByRole('status', { name: 'Build status' })
  const stages = page.getByRole('navigation', { name: 'Pipeline stages' })
  const again = page.getByRole('button', { name: 'Restart actions' })
  await expectStatus(banner, 'failure')

  await again.click()
  await page.getByRole('menuitem', { name: 'Failed stages only' }).click()
  await expect(page).toHaveURL(/\/rocket\/2(\/|$)/)
  const note = page.getByRole('region', { name: 'Reused' })
  await expect(note).toHaveText('lint was reused from #1; its time is not counted here.')
  await expectStatus(banner, 'failure')
  await expect(stages.getByRole('button', { name: 'lint' })).toHaveAccessibleDescription('Reused from #1')
  // Its log is available, although the stage did not run in this build.
  await stages.getByRole('button', { name: 'lint' }).click()
  await stages.getByRole('link', { name: 'style' }).click()
  await expect(page.getByRole('region', { name: /console|log/i }).first()).toContainText('neat')

  await again.click()
  await page.getByRole('menuitem', { name: 'With changes…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Restart #2 with changes' })
  await expect(dialog.getByLabel('Branch')).toHaveValue('main')
  await expect(dialog.getByRole('region', { name: 'Same as #2' })).toBeVisible()
  await dialog.getByLabel('Key').fill('LEVEL')
  await dialog.getByLabel('Value').fill('high')
  await expect(dialog.getByRole('region', { name: 'Changes from #2' })).toHaveText(/LEVEL\s*none → high/)
  await dialog.getByRole('button', { name: 'Start' }).click()
  await expect(page).toHaveURL(/\/rocket\/3(\/|$)/)
  await expectStatus(banner, 'success')

  await page.goto(`${server.origin}/${rocket.slug}/2?details`)
  const rows = page.getByRole('region', { name: 'Table of attempts' }).getByRole('row')
  await expect(rows).toHaveText([
    /Build/,
    /#2.*restarted the failed stages of #1.*Failed stages; reused lint/,
    /#1.*All/,
  ])
})

test('one stage of a failed build is rerun: its successful dependencies are reused, the others run first', async ({
  page,
  folder,
  start,
}) => {
  const repos = join(folder, 'repos')
  const docs = pipeline({ write: ['echo page'] }, 'docs').replace('steps:', 'depends_on: [lint]\nsteps:')
  const rocket = await makeRepository(repos, 'space/rocket', [config, docs].join('---\n'))
  const server = await start({ repos })
  await signIn(page, server.origin)
  await activate(page, server.origin, rocket.slug)
  await startBuild(page)
  const banner = page.getByRole('status', { name: 'Build status' })
  const again = page.getByRole('button', { name: 'Restart actions' })
  const note = page.getByRole('region', { name: 'Reused' })
  const stages = page.getByRole('navigation', { name: 'Pipeline stages' })
  await expectStatus(banner, 'failure')
  // Whether it ran before the other one failed is random, because it only depends on lint.
  await page.goto(`${server.origin}/${rocket.slug}/1/4/1`)
  await again.click()
  await expect(page.getByRole('menuitem').nth(4)).toHaveText('docs only')
  await page.getByRole('menuitem', { name: 'docs only' }).click()
  await expect(page).toHaveURL(/\/rocket\/2(\/|$)/)
  // The failed stage stays failed and names the build in which it failed.
  await expectStatus(banner, 'failure')
  await expect(note).toHaveText(/^lint, test and ship were reused from #1; their time/)
  await expect(stages.getByRole('button', { name: 'docs' })).toHaveAccessibleDescription('')

  await page.goto(`${server.origin}/${rocket.slug}/1/3/1`)
  await again.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitem').nth(4)).toHaveText('ship onlyruns test first (it didn’t pass)')
  for (let row = 0; row < 4; row += 1) await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/rocket\/3(\/|$)/)
  await expectStatus(banner, 'failure')
  await expect(note).toHaveText(/^lint and docs were reused from #1; their time/)
  await page.goto(`${server.origin}/${rocket.slug}/3?details`)
  const rows = page.getByRole('region', { name: 'Table of attempts' }).getByRole('row')
  await expect(rows.nth(1)).toContainText('Only ship')
})
