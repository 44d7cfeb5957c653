// Forges that answer slowly, hugely, with redirects to other hosts or with another person's data.
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startGitea } from '../../testing/forges/gitea.ts'
import { startGithub } from '../../testing/forges/github.ts'
import { startGitlab } from '../../testing/forges/gitlab.ts'
import type { StandForge } from '../../testing/forges/stand.ts'
import type { Driver } from '../driver.ts'
import { createDriver } from './index.ts'

const starts = { gitea: startGitea, github: startGithub, gitlab: startGitlab, gogs: startGitea }
const kinds = ['gitea', 'github', 'gitlab', 'gogs'] as const
const versions = { gitea: 'v1', github: 'v3', gitlab: 'v4', gogs: 'v1' }
const token = { access: 'a-token-of-ann' }
const repo = { id: '7', namespace: 'team', name: 'app' }

describe.each(kinds)('the driver of %s', (kind) => {
  let forge: StandForge
  let driver: Driver

  beforeEach(async () => {
    forge = await starts[kind]('/git')
    driver = await createDriver({ kind, url: forge.url, clientId: 'c', clientSecret: 's' })
  })
  afterEach(() => forge.close())

  it('stops reading an answer without end', async () => {
    forge.lie = { kind: 'huge' }
    await expect(driver.currentUser(token)).rejects.toMatchObject({ failure: 'invalid' })
  })

  it('does not parse an answer of very many values', async () => {
    for (const text of [
      `[${'{},'.repeat(kind === 'gogs' ? 2_600_000 : 250_000)}{}]`,
      `${'['.repeat(70_000)}${']'.repeat(70_000)}`,
    ]) {
      forge.lie = { kind: 'text', text }
      await expect(driver.currentUser(token)).rejects.toMatchObject({
        failure: 'invalid',
        message: expect.stringContaining('too many values') as unknown,
      })
    }
  })

  it('ends a pending call when it is aborted', async () => {
    forge.lie = { kind: 'never' }
    const stop = new AbortController()
    const asked = driver.currentUser(token, stop.signal)
    stop.abort()
    await expect(asked).rejects.toMatchObject({ failure: 'unavailable' })
  })

  it('sends no credential to another host', async () => {
    const heard: string[] = []
    const other = createServer((request, response) => {
      heard.push(JSON.stringify(request.headers))
      response.end('{}')
    })
    other.listen(0, '127.0.0.1')
    await once(other, 'listening')
    try {
      const port = (other.address() as AddressInfo).port
      for (const to of [`http://127.0.0.1:${port}/api/v1/user`, `//127.0.0.1:${port}/x`, 'file:///etc/passwd', '']) {
        forge.lie = { kind: 'redirect', to }
        await expect(driver.currentUser(token)).rejects.toMatchObject({ failure: 'invalid' })
        if (driver.hasStatuses) {
          const status = { state: 'success', context: 'c', description: 'd', url: 'https://x.example' } as const
          await expect(driver.setStatus(token, repo, 'a'.repeat(40), status)).rejects.toMatchObject({
            failure: 'invalid',
          })
        }
        if (driver.signIn.kind === 'oauth')
          await expect(driver.signIn.refresh('refresh-token')).rejects.toMatchObject({ failure: 'invalid' })
      }
      expect(heard).toEqual([])
    } finally {
      other.close()
    }
  })

  it('follows no redirect outside the forge’s path, and no redirect loop', async () => {
    for (const to of ['/elsewhere', '/git-other/user', `${forge.url}/api/${versions[kind]}/user`]) {
      forge.lie = { kind: 'redirect', to }
      await expect(driver.currentUser(token)).rejects.toMatchObject({ failure: 'invalid' })
    }
    expect(forge.requests.filter(({ path }) => !path.startsWith('/git/'))).toEqual([])
  })

  it.each(['', 'null', '[]', '"x"', '{}', '<html>', '{"id":0,"login":"ann"}', '{"id":4,"login":"../x"}'])(
    'takes no person like %s',
    async (text) => {
      forge.lie = { kind: 'text', text }
      await expect(driver.currentUser(token)).rejects.toMatchObject({ failure: 'invalid' })
    },
  )

  it('accepts no other repository than the requested one', async () => {
    const other =
      kind === 'gitlab'
        ? { id: 8, path_with_namespace: 'theirs/app', visibility: 'public' }
        : { id: 8, owner: { login: 'theirs' }, name: 'app', private: false }
    forge.lie = { kind: 'text', text: JSON.stringify(kind === 'gogs' ? [other] : other) }
    if (kind === 'gogs') expect(await driver.repositoryById(token, '7')).toBeNull()
    else await expect(driver.repositoryById(token, '7')).rejects.toMatchObject({ failure: 'invalid' })
  })

  it('skips repositories without an id or with names that resolve to another path', async () => {
    const bad = ['..', '.', 'a/b', '', 'a b', 'x\u0000', '../../etc']
    const list =
      kind === 'gitlab'
        ? bad.map((name, index) => ({ id: index + 1, path_with_namespace: `team/../${name}` }))
        : bad.map((name, index) => ({ id: index + 1, owner: { login: 'team' }, name }))
    forge.lie = { kind: 'text', text: JSON.stringify([...list, null, 7, { name: 'x' }]) }
    const found = []
    for await (const page of driver.repositories(token)) found.push(...page.repositories)
    expect(found).toEqual([])
  })

  it.each([
    [401, {}, 'unauthorized'],
    [403, {}, 'forbidden'],
    [403, { 'x-ratelimit-remaining': '0', 'retry-after': '7' }, 'rate-limited'],
    [404, {}, 'not-found'],
    [422, {}, 'refused'],
    [429, { 'retry-after': '7' }, 'rate-limited'],
    [500, {}, 'unavailable'],
    [503, {}, 'unavailable'],
  ] as const)('tells apart %i with %j', async (status, headers, failure) => {
    forge.lie = { kind: 'status', status, headers }
    const failed = driver.currentUser(token)
    await expect(failed).rejects.toMatchObject({ failure, status })
    await expect(failed).rejects.toThrow(new RegExp(`${driver.title}.*${status}`))
    if (failure === 'rate-limited') await expect(failed).rejects.toMatchObject({ retryAfterMs: 7_000 })
  })

  it('is unavailable when nothing listens', async () => {
    const gone = await starts[kind]()
    const { url } = gone
    await gone.close()
    const lost = await createDriver({ kind, url, clientId: 'c', clientSecret: 's' })
    await expect(lost.currentUser(token)).rejects.toMatchObject({ failure: 'unavailable' })
  })

  it('never repeats the token in a message', async () => {
    forge.lie = { kind: 'status', status: 422 }
    const failed = driver.currentUser(token)
    await expect(failed).rejects.toThrow(/told so/)
    await expect(failed).rejects.not.toThrow(/a-token-of-ann/)
  })
})
