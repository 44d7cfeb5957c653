/** The entities of specification §3, as the embedded server sends them to the browser. */
import { join } from 'node:path'
import type { APIRequestContext } from '@playwright/test'
import { activate, signIn } from '../support/person.ts'
import { expect, test } from '../support/product.ts'
import { makeRepository } from '../support/repositories.ts'

const config = `
kind: pipeline
type: exec
name: first
steps:
  - name: greet
    commands: [echo hello]
---
kind: pipeline
type: exec
name: second
depends_on: [first]
steps:
  - name: one
    commands: [echo one]
  - name: two
    depends_on: [one]
    commands: [exit 3]
`

/** The listed fields that exist, with the types of their values. */
const typed = (entity: unknown, fields: string): Record<string, string> =>
  Object.fromEntries(
    fields.split(' ').map((field) => [field, typeof (entity as Record<string, unknown>)[field]] as const),
  )
const all = (type: string, fields: string) =>
  Object.fromEntries(fields.split(' ').map((field) => [field, type] as const))

async function read<T = Record<string, unknown>>(
  request: APIRequestContext,
  address: string,
  method = 'GET',
  body?: unknown,
): Promise<T> {
  const answer = await request.fetch(address, { method, ...(body !== undefined && { data: body }) })
  expect(answer.ok(), `${method} ${address}: ${answer.status()}`).toBe(true)
  return (await answer.json()) as T
}

test('[S3.entities.1] [S3.entities.2] [S3.entities.3] [S3.entities.4] [S3.entities.5] [S3.entities.6] [S3.entities.7] [S3.entities.8] [S3.entities.9] [S3.entities.10] [S3.entities.11] [S3.entities.14] [S6.roles.8] every entity has its fields; only signed-in people get them', async ({
  page,
  folder,
  start,
  playwright,
}) => {
  const repos = join(folder, 'repos')
  const rocket = await makeRepository(repos, 'space/rocket', config)
  const server = await start({ repos })
  await signIn(page, server.origin)
  await activate(page, server.origin, rocket.slug)
  const api = (path: string) => `${server.origin}/api${path}`
  const repo = api('/repos/space/rocket')
  const { request } = page

  const user = await read(request, api('/user'))
  expect(typed(user, 'login avatar')).toEqual(all('string', 'login avatar'))
  expect(typed(user, 'admin syncing')).toEqual(all('boolean', 'admin syncing'))

  await read(request, api('/users'), 'POST', { login: 'bob', email: 'bob@example.com', admin: false, machine: true })
  const bob = (await read<{ login: string; last_login: number }[]>(request, api('/users'))).find(
    ({ login }) => login === 'bob',
  )
  expect(typed(bob, 'id created last_login')).toEqual(all('number', 'id created last_login'))
  expect(typed(bob, 'login email avatar')).toEqual(all('string', 'login email avatar'))
  expect(typed(bob, 'active machine admin')).toEqual(all('boolean', 'active machine admin'))
  expect(bob?.last_login).toBe(0)

  await page.goto(`${server.origin}/space/rocket`)
  await page.getByRole('button', { name: 'New Build' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click()
  await expect(page.getByRole('status', { name: 'Build status' })).toContainText('failure', { timeout: 60_000 })

  type Step = Record<string, unknown> & { depends_on?: string[] }
  type Stage = Record<string, unknown> & { steps: Step[]; depends_on: string[] }
  const build = await read<{ id: number; created: number; stages: Stage[] }>(request, `${repo}/builds/1`)
  const buildTexts = 'status message event action sender author_login author_avatar after target ref'
  expect(typed(build, buildTexts)).toEqual(all('string', buildTexts))
  expect(typed(build, 'id number created started finished')).toEqual(
    all('number', 'id number created started finished'),
  )
  // Seconds, not milliseconds.
  expect(Math.abs(build.created - Date.now() / 1000)).toBeLessThan(86_400)
  const [first, second] = build.stages
  expect(typed(first, 'id number started stopped build_id')).toEqual(
    all('number', 'id number started stopped build_id'),
  )
  expect(typed(first, 'name status')).toEqual(all('string', 'name status'))
  expect(first?.['build_id']).toBe(build.id)
  expect(second?.depends_on).toEqual(['first'])
  const two = second?.steps.at(-1)
  expect(typed(two, 'id number started stopped exit_code')).toEqual(
    all('number', 'id number started stopped exit_code'),
  )
  expect(typed(two, 'name status')).toEqual(all('string', 'name status'))
  expect(two).toMatchObject({ name: 'two', status: 'failure', exit_code: 3, depends_on: ['one'] })

  const lines = await read<unknown[]>(request, `${repo}/builds/1/logs/1/2`)
  expect(typed(lines[0], 'pos time')).toEqual(all('number', 'pos time'))
  expect(typed(lines[0], 'out')).toEqual(all('string', 'out'))

  const listed = (await read<{ slug: string; build?: unknown }[]>(request, api('/user/repos?latest=true'))).find(
    ({ slug }) => slug === 'space/rocket',
  )
  expect(typed(listed?.build, 'number')).toEqual(all('number', 'number'))
  const repository = await read(request, repo)
  const repoFlags = 'active ignore_pull_requests ignore_forks protected trusted'
  expect(typed(repository, 'id counter timeout')).toEqual(all('number', 'id counter timeout'))
  expect(typed(repository, 'namespace name slug visibility config_path')).toEqual(
    all('string', 'namespace name slug visibility config_path'),
  )
  expect(typed(repository, repoFlags)).toEqual(all('boolean', repoFlags))
  expect(typed(repository['permissions'], 'read write admin')).toEqual(all('boolean', 'read write admin'))

  await read(request, `${repo}/cron`, 'POST', { name: 'nightly', branch: 'main', expr: '@daily' })
  const [cron] = await read<{ next: number }[]>(request, `${repo}/cron`)
  expect(typed(cron, 'id next')).toEqual(all('number', 'id next'))
  expect(typed(cron, 'name branch expr')).toEqual(all('string', 'name branch expr'))
  expect(Math.abs((cron?.next ?? 0) - Date.now() / 1000)).toBeLessThan(2 * 86_400)
  await read(request, `${repo}/secrets`, 'POST', { name: 'key', data: 'hush', pull_request: true })
  const [secret] = await read<object[]>(request, `${repo}/secrets`)
  expect(secret).toMatchObject({ id: expect.any(Number), name: 'key', pull_request: true })
  expect(JSON.stringify(secret)).not.toContain('hush')
  expect(typed(await read(request, api('/user/token'), 'POST'), 'token')).toEqual(all('string', 'token'))

  await read(request, `${repo}/builds/1`, 'POST')
  await expect
    .poll(async () =>
      (await read<{ slug: string; build: unknown }[]>(request, api('/user/builds/recent'))).map(({ slug }) => slug),
    )
    .toContain('space/rocket')

  // The server itself enforces the permissions, not only the pages.
  const stranger = await playwright.request.newContext()
  for (const address of [api('/user'), api('/users'), `${repo}/secrets`, api('/user/repos')])
    expect((await stranger.get(address)).status(), address).toBe(401)
  await stranger.dispose()
})
