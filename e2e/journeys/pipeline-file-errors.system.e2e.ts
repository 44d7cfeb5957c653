/** Errors of a pipeline file are shown at their line, even if the message names no line. */
import { join } from 'node:path'
import { activate, signIn, startBuild } from '../support/person.ts'
import { expect, test } from '../support/product.ts'
import { makeRepository, pipeline } from '../support/repositories.ts'

test('unknown names are marked in the file, for a pipeline and for a step', async ({ page, folder, start }) => {
  const repos = join(folder, 'repos')
  const good = pipeline({ unit: ['make'] }, 'test')
  const rocket = await makeRepository(repos, 'space/rocket', good.replace('steps:', 'depends_on:\n  - lnit\nsteps:'))
  const { origin } = await start({ repos })
  await signIn(page, origin)
  await activate(page, origin, rocket.slug)
  await startBuild(page)
  const fault = page.getByRole('region', { name: 'Pipeline file error' })
  await expect(fault).toContainText('"test" depends on "lnit", but no pipeline has this name')
  await expect(fault.getByRole('figure', { name: 'Line 5' }).locator('[aria-current]')).toHaveText(/^5\s*- lnit$/)

  await rocket.commit('Mend, and break', { '.drone.yml': `${good}    depends_on: [biuld]\n` })
  await page.goto(`${origin}/${rocket.slug}`)
  // A local commit is built automatically, like a push.
  const mended = page.getByRole('row').or(page.getByRole('listitem')).filter({ hasText: 'Mend, and break' })
  await expect(mended.first()).toBeVisible()
  await expect(mended.first()).toContainText(/error|failure/i)
  await page.goto(`${origin}/${rocket.slug}/2`)
  const log = page.getByRole('log')
  await expect(log.getByText('unit references biuld')).toBeVisible()
  await expect(log.getByRole('figure', { name: 'Line 8' }).locator('[aria-current]')).toHaveText(
    /^8\s*depends_on: \[biuld\]$/,
  )
})
