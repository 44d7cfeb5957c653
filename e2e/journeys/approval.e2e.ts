/**
 * A protected repository: a user with write access who is not an administrator approves a waiting
 * build, on the real server.
 */
import { join } from 'node:path'
import type { UserWithToken } from '@flightdeck/api'
import { activate, expectStatus, signIn } from '../support/person.ts'
import { expect, test } from '../support/product.ts'
import { makeRepository, pipeline } from '../support/repositories.ts'

test('[S2.build.5] [S6.roles.4] people with write access approve and decline; the server agrees with the page [F.approval.3]', async ({
  page,
  browser,
  folder,
  start,
}) => {
  const repos = join(folder, 'repos')
  const rocket = await makeRepository(repos, 'space/rocket', pipeline({ greet: ['echo hello'] }))
  const server = await start({ repos })
  await signIn(page, server.origin)
  await activate(page, server.origin, rocket.slug)
  const repo = `${server.origin}/api/repos/${rocket.slug}`
  const send = async (method: string, address: string, body?: unknown): Promise<unknown> => {
    const answer = await page.request.fetch(address, { method, ...(body !== undefined && { data: body }) })
    expect(answer.ok(), `${method} ${address}: ${answer.status()} ${await answer.text()}`).toBe(true)
    return answer.json()
  }
  await send('PATCH', repo, { protected: true })
  const bot = { login: 'wes', email: 'wes@example.com', admin: false, machine: true }
  const { token } = (await send('POST', `${server.origin}/api/users`, bot)) as UserWithToken
  await send('PUT', `${repo}/collaborators/wes`, { read: true, write: true, admin: false })
  await rocket.commit('Wait for somebody', { a: '1' })
  const builds = async () => ((await send('GET', `${repo}/builds`)) as unknown[]).length
  await expect.poll(builds).toBe(1)
  await rocket.commit('Wait for somebody else', { a: '2' })
  await expect.poll(builds).toBe(2)

  const writer = await browser.newPage({ extraHTTPHeaders: { Authorization: `Bearer ${token}` } })
  await writer.goto(`${server.origin}/${rocket.slug}/1`)
  await expect(writer.getByRole('region', { name: 'Waiting for approval' })).toContainText('Wait for somebody')
  // The commands can be read on the page before the approval.
  await expect(writer.getByRole('region', { name: 'Commands to approve' })).toContainText('$ echo hello')
  await writer.getByRole('link', { name: '.drone.yml' }).click()
  const details = writer.getByRole('dialog', { name: 'Build #1 details' })
  await expect(details).toContainText('echo hello')
  await writer.keyboard.press('Escape')
  await expect(details).toHaveCount(0)
  await expect(writer.getByRole('button', { name: 'Follow the build' })).toHaveCount(0)
  await writer.getByRole('button', { name: 'Approve Build' }).click()
  await expectStatus(writer.getByRole('status', { name: 'Build status' }), 'success')
  await rocket.commit('Run more', { '.drone.yml': pipeline({ greet: ['echo hello', 'echo more'] }) })
  await expect.poll(builds).toBe(3)
  await writer.goto(`${server.origin}/${rocket.slug}/3`)
  const changes = writer.getByRole('region', { name: 'Changes since the last approval' })
  await expect(changes).toContainText('Changes since #1, the last approved build')
  await expect(changes).toContainText('echo more')
  await writer.goto(`${server.origin}/${rocket.slug}/2`)
  await writer.getByRole('button', { name: 'Decline Build' }).click()
  await expectStatus(writer.getByRole('status', { name: 'Build status' }), 'declined')
  await expect(writer.getByText('This pipeline was declined')).toBeVisible()
  await writer.context().close()
})
