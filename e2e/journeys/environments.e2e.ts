/**
 * Environments: what runs where, comparisons, promoting and rolling back in place, and who can
 * deploy.
 */
import { join } from 'node:path'
import { expectAccessible } from '../support/axe.ts'
import { activate, signIn } from '../support/person.ts'
import { expect, test } from '../support/product.ts'
import { makeRepository, pipeline } from '../support/repositories.ts'

test.setTimeout(120_000)

test('a build is promoted and rolled back in place, compared, and production is protected', async ({
  page,
  folder,
  start,
}) => {
  const repos = join(folder, 'repos')
  const { slug, commit } = await makeRepository(repos, 'space/rocket', pipeline({ greet: ['echo hello'] }))
  const server = await start({ repos })
  await signIn(page, server.origin)
  await activate(page, server.origin, slug)
  const status = page.getByRole('status', { name: 'Build status' })
  await page.goto(`${server.origin}/${slug}`)
  await commit('Add an engine', { engine: 'on' })
  await expect(page.getByRole('link', { name: /success.*Add an engine/is })).toBeVisible()

  // A link opens the dialog.
  await page.goto(`${server.origin}/${slug}/1?action=promote&target=production`)
  await expect(page.getByLabel('Target')).toHaveValue('production')
  await page.getByRole('button', { name: 'Deploy', exact: true }).click()
  await expect(page).toHaveURL(/\/2(?:\/|$)/)
  await expect(status).toContainText('success')
  await commit('Add a wing', { wing: 'left' })

  await page.getByRole('link', { name: 'Builds', exact: true }).click()
  await page.getByRole('link', { name: 'Deployments' }).click()
  const environment = page.getByRole('region', { name: 'Environment production' })
  await page.getByRole('button', { name: 'Environment production' }).press('Enter')
  await expect(page).toHaveURL(/\?environment=production$/)
  await expect(environment).toContainText('Promoted from #1 by ada in #2')
  await expect(environment).toContainText('1 commit of main is not in production.')
  await expect(environment.getByRole('list', { name: 'Commits' })).toContainText('Add a wing')
  await environment.getByText('1 file differs').click()
  await expect(environment.getByRole('region', { name: 'wing' })).toContainText('left')

  await expectAccessible(page, 'an open environment')
  await environment.getByRole('button', { name: 'Promote here' }).press('Enter')
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByLabel('Build')).toHaveValue('3')
  await expect(dialog.getByLabel('Target')).toHaveValue('production')
  await dialog.getByRole('button', { name: 'Deploy', exact: true }).press('Enter')
  await expect(page).toHaveURL(/\/4(?:\/|$)/)
  await expect(status).toContainText('success')

  await page.goto(`${server.origin}/${slug}/deployments?environment=production`)
  await expect(environment).toContainText('No differences: both have the same commits.')
  await environment.getByRole('button', { name: 'Roll back to #2' }).click()
  await expect(dialog.getByLabel('Type')).toHaveValue('rollback')
  await dialog.getByRole('button', { name: 'Deploy', exact: true }).click()
  await expect(page).toHaveURL(/\/5(?:\/|$)/)
  await expect(status).toContainText('success')

  await page.goto(`${server.origin}/${slug}/deployments`)
  await page.getByRole('button', { name: 'Protect an environment' }).click()
  await dialog.getByLabel('Environment').fill('production')
  await dialog.getByLabel('Only these people').check()
  await dialog.getByRole('button', { name: 'Save protection' }).click()
  await expect(dialog).toContainText('Enter at least one login.')
  await dialog.getByLabel('Logins').fill('bob')
  await dialog.getByRole('switch', { name: 'Require approval' }).check()
  await dialog.getByRole('button', { name: 'Save protection' }).click()
  await expect(page.getByRole('region', { name: 'Protected environments' })).toContainText(
    'Only bob can deploy. Each deployment requires approval.',
  )
  await page.getByRole('button', { name: 'Environment production' }).click()
  await expect(environment.getByRole('button', { name: 'Promote here' })).toHaveAttribute(
    'title',
    'Only bob can deploy. Each deployment requires approval.',
  )
  await page.goto(`${server.origin}/${slug}/1?action=rollback&target=production`)
  await page.getByRole('button', { name: 'Deploy', exact: true }).click()
  await expect(page.getByText('Unable to create new deploy: Only bob can deploy to production')).toBeVisible()
})
