import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startGitea } from '../../testing/forges/gitea.ts'
import type { StandForge } from '../../testing/forges/stand.ts'
import { boundedFetch, isBelow } from './bounded-fetch.ts'

describe('a bounded fetch', () => {
  let forge: StandForge
  beforeEach(async () => {
    forge = await startGitea('/git')
  })
  afterEach(() => forge.close())

  it.each(['never', 'unfinished'] as const)('ends where the answer is %s given', async (kind) => {
    forge.lie = { kind }
    const ask = boundedFetch({ title: 'Gitea', base: forge.url }, { timeoutMs: 50 })
    await expect(ask(`${forge.url}/api/v1/user`)).rejects.toMatchObject({ failure: 'unavailable' })
  })

  it('reads no more than it may', async () => {
    forge.lie = { kind: 'text', text: 'x'.repeat(1_001) }
    const ask = boundedFetch({ title: 'Gitea', base: forge.url }, { maxBytes: 1_000 })
    await expect(ask(`${forge.url}/api/v1/user`)).rejects.toMatchObject({ failure: 'invalid' })
  })

  it('sends requests to no other host', async () => {
    const ask = boundedFetch({ title: 'Gitea', base: forge.url })
    for (const url of ['http://127.0.0.1:1/git/api', forge.url.replace('/git', '/api/v1/user'), `${forge.url}/../x`])
      await expect(ask(url)).rejects.toMatchObject({ failure: 'invalid' })
    expect(forge.requests).toEqual([])
  })

  it('repeats no credential that the forge repeats', async () => {
    forge.lie = { kind: 'refuse', text: '{"message":"bad header Bearer abcdef123\\u0007"}' }
    const ask = boundedFetch({ title: 'Gitea', base: forge.url })
    const failed = ask(`${forge.url}/api/v1/user`, { headers: { authorization: 'Bearer abcdef123' } })
    await expect(failed).rejects.toThrow('Gitea refused the request (422: bad header Bearer ***).')
  })
})

describe('an address below another', () => {
  it.each([
    ['https://a.example', 'https://a.example/x', true],
    ['https://a.example/git', 'https://a.example/git/x', true],
    ['https://a.example/git', 'https://a.example/git', true],
    ['https://a.example/git', 'https://a.example/gitx', false],
    ['https://a.example/git', 'https://a.example/git/../x', false],
    ['https://a.example', 'http://a.example/x', false],
    ['https://a.example', 'https://a.example:444/x', false],
    ['https://a.example', 'https://a.example.evil.example/x', false],
    ['https://a.example', 'https://a.example@evil.example/x', false],
  ])('%s: %s is %j', (base, address, expected) => {
    expect(isBelow(base, new URL(address))).toBe(expected)
  })
})
