/** The audit log, page by page. */
import type { AuditEntry } from '@flightdeck/api'
import { data, expect, fail, ok, ours, signedInAs, test } from '../support/screens.ts'

const entry = (id: number): AuditEntry => ({
  id,
  time: data.now - 60,
  user: 'ann',
  kind: 'settings',
  action: 'repo.activated',
  target: `octocat/r${id}`,
  name: '',
  details: {},
  address: '127.0.0.1',
  agent: '',
})

test('on a phone each filter shows its whole choice @system', async ({ page, host, go }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  signedInAs(host, { admin: true, ...ours })
  host.on('GET /api/audit', ok({ items: [entry(9)] }))
  await go('/settings/audit')
  const fields = page.getByRole('search', { name: 'Filter changes' })
  const text = fields.getByRole('searchbox', { name: 'Repository, name or action' })
  await expect(text).toBeVisible()
  const cut = await text.evaluate((field: HTMLInputElement) => {
    field.value = field.placeholder
    return field.scrollWidth - field.clientWidth
  })
  expect(cut, 'all words of the hint').toBeLessThanOrEqual(0)
})

test('a failure to load older entries shows the reason, and the next click loads them', async ({ page, host, go }) => {
  signedInAs(host, { admin: true, ...ours })
  host.on('GET /api/audit', ({ query }) =>
    query.includes('before') ? fail(500, 'disk full') : ok({ items: [entry(9)], next: 9 }),
  )
  await go('/settings/audit')
  const main = page.getByRole('main')
  await main.getByRole('button', { name: 'Show more' }).click()
  await expect(main.getByText('More entries could not be loaded: disk full')).toBeVisible()
  host.on('GET /api/audit', ok({ items: [entry(8)] }))
  await main.getByRole('button', { name: 'Show more' }).click()
  await expect(main.getByText('octocat/r8')).toBeVisible()
  await expect(main.getByText('More entries could not be loaded')).toHaveCount(0)
})
