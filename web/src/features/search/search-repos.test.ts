import type { Repo } from '@flightdeck/api'
import { describe, expect, it } from 'vitest'

import { openedFirst, searchRepos, searchReposFuzzily } from './search-repos.ts'

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

describe('searchReposFuzzily', () => {
  const many = ['acme/catalog-search', 'acme/checkout', 'platform/catalog', 'octocat/zeta'].map(repo)

  it.each([
    ['ctlg', ['acme/catalog-search', 'platform/catalog']],
    ['pltfcat', ['platform/catalog']],
    ['cat srch', ['acme/catalog-search']],
    ['CHKOUT', ['acme/checkout']],
    ['gol', []],
    ['ct', []],
    ['azh', []],
  ])('%j finds %j', (query, found) => {
    expect(slugs(searchReposFuzzily(many, query))).toEqual(found)
  })

  it('puts the closest first', () => {
    expect(slugs(searchReposFuzzily(['a/s-h-o-p', 'a/shxop'].map(repo), 'shop'))).toEqual(['a/shxop', 'a/s-h-o-p'])
  })
})

describe('openedFirst', () => {
  it('puts those first that were opened last, and leaves the others in order', () => {
    expect(slugs(openedFirst(repos, ['acme/asleep', 'gone/gone', 'octocat/alpha']))).toEqual([
      'acme/asleep',
      'octocat/alpha',
      'octocat/zeta',
      'acme/idle',
      'Acme/Web',
    ])
    expect(openedFirst(repos, [])).toBe(repos)
  })
})
