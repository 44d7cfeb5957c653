import type { Build, Repo } from '@flightdeck/api'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { eventParts, type EventPart } from './event-text.ts'
import { commitLink, compareLink, linkOf, sourceLink } from './forge-links.ts'

const sha = '66c79b957ae416fec0978dfd5100d49894988ade'
const forge = { title: 'GitLab', url: 'https://example.com/git', sign_in: 'oauth' }
const repo = {
  namespace: 'team/sub',
  name: 'app',
  slug: 'team/sub/app',
  link: 'https://example.com/git/team/sub/app',
} as Repo
const inFolder = { ...repo, namespace: 'acme', slug: 'acme/app', link: 'https://ci.example.com/link/acme/app' }
const pull = {
  event: 'pull_request',
  action: 'opened',
  ref: 'refs/merge-requests/7/head',
  after: sha,
  source: 'fix',
  target: 'main',
  sender: 'ann',
  author_login: 'ann',
  trigger: '@hook',
  source_repo: 'bob/app',
  // The link in a webhook is not trusted.
  link: 'https://evil.example.com/',
} as Build

beforeEach(() => vi.stubGlobal('window', { flightdeckForge: forge }))
afterEach(() => vi.unstubAllGlobals())

const linksOf = (build: Build, of: Repo): Record<string, string | undefined> =>
  Object.fromEntries(
    eventParts(build, '', of.slug)
      .filter(({ kind }) => kind !== 'text')
      .map((part: EventPart) => [part.kind, linkOf(part, build, of, true)?.href]),
  )

test('a pull request from a fork links to the pages of the forge, and names the fork', () => {
  expect(
    eventParts(pull, '', repo.slug)
      .map(({ text }) => text)
      .join(' '),
  ).toBe('ann opened pull request #7 from bob/app:fix to main')
  expect(linksOf(pull, repo)).toEqual({
    person: 'https://example.com/git/ann',
    pull: '/link/team%2Fsub/app/tree/refs/merge-requests/7/head',
    fork: 'https://example.com/git/bob/app',
    branch: `/link/team%2Fsub/app/tree/refs/heads/main?sha=${sha}`,
  })
})

test('commits and tags, the lines of files and comparisons link to the forge', () => {
  const push = { ...pull, event: 'push', ref: 'refs/heads/main', source_repo: '' } as Build
  expect(linksOf(push, repo)['commit']).toBe(`/link/team%2Fsub/app/commit/${sha}?ref=refs%2Fheads%2Fmain`)
  const tag = { ...push, event: 'tag', ref: 'refs/tags/v1' } as Build
  expect(linksOf(tag, repo)['tag']).toBe(`/link/team%2Fsub/app/tree/refs/tags/v1?sha=${sha}`)
  expect(commitLink(repo, sha)).toBe(`/link/team%2Fsub/app/commit/${sha}`)
  expect(compareLink(repo, 'a'.repeat(40), sha)).toBe(`/link/team%2Fsub/app/compare/${'a'.repeat(40)}...${sha}`)
  expect(sourceLink(repo, push, { path: 'src/a b.ts', line: 7 })).toBe(
    `/link/team%2Fsub/app/src/src/a%20b.ts?sha=${sha}#L7`,
  )
})

test('links of a local repository open our own pages', () => {
  expect(linksOf({ ...pull, event: 'push' }, inFolder)).toEqual({
    person: undefined,
    commit: `/acme/app/commits/${sha}`,
    branch: '/acme/app/branches/main',
  })
  expect(commitLink(inFolder, sha)).toBe(undefined)
})

test('a forge below a path does not match other forges of the host', () => {
  expect(commitLink({ ...repo, link: 'https://example.com/gitea/team/sub/app' }, sha)).toBe(undefined)
})

test('names with relative path segments have no link', () => {
  expect(linksOf({ ...pull, sender: '..', author_login: '..', source_repo: '../../admin' }, repo)).toMatchObject({
    person: undefined,
    fork: undefined,
  })
})

test('a deleted fork is shown as unknown', () => {
  const parts = eventParts({ ...pull, source_repo: 'unknown/fork' }, '', repo.slug)
  expect(parts.map(({ text }) => text).join(' ')).toBe('ann opened pull request #7 from an unknown fork to main')
})
