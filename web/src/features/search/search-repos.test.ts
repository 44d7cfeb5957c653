import type { Repo } from '@flightdeck/api'
import { describe, expect, it } from 'vitest'

import { searchRepos } from './search-repos.ts'

const repo = (slug: string): Repo => {
  const at = slug.lastIndexOf('/')
  return { slug, namespace: slug.slice(0, at), name: slug.slice(at + 1) } as Repo
}
const slugs = (repos: readonly Repo[]): string[] => repos.map(({ slug }) => slug)
const repos = ['octocat/zeta', 'octocat/alpha', 'acme/idle', 'acme/asleep', 'Acme/Web'].map(repo)

describe('searchRepos', () => {
  it.each([
    ['', []],
    ['  ', []],
    ['eb', ['Acme/Web']],
    ['cat/al', ['octocat/alpha']],
    ['octocat/', ['octocat/zeta', 'octocat/alpha']],
    ['/web', ['Acme/Web']],
    ['at/alpha', ['octocat/alpha']],
    ['nothing', []],
  ])('%j finds %j', (query, found) => {
    expect(slugs(searchRepos(repos, query))).toEqual(found)
  })

  it.each(['group/sub/app', 'group/sub/', 'group/sub', 'sub/ap', 'sub/deep/app', 'oup/', '/app', 'p/sub/deep/a'])(
    '%j finds a repository of a group in a group',
    (query) => {
      const deep = ['group/sub', 'group/sub/deep'].map((namespace) => repo(`${namespace}/app`))
      expect(slugs(searchRepos([...repos, ...deep], query)).every((slug) => slug.startsWith('group/sub'))).toBe(true)
      expect(searchRepos([...repos, ...deep], query)).toContain(deep[query.includes('deep') ? 1 : 0])
    },
  )
})
