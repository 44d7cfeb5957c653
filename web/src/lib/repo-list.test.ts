import type { Build, Repo } from '@flightdeck/api'
import { describe, expect, it } from 'vitest'

import { filterRepos, recentRepos, searchRepos, sortRepos } from './repo-list.ts'

const repo = (slug: string, active: boolean, created?: number): Repo => {
  const [namespace = '', name = ''] = slug.split('/')
  return { slug, namespace, name, active, ...(created && { build: { created } as Build }) } as Repo
}
const slugs = (repos: readonly Repo[]): string[] => repos.map(({ slug }) => slug)

const repos = [
  repo('octocat/zeta', true, 100),
  repo('octocat/alpha', true, 100),
  repo('acme/idle', true),
  repo('acme/asleep', false, 900),
  repo('Acme/Web', true, 300),
]

describe('sortRepos', () => {
  it('puts active ones first, then the newest build, then the slug', () => {
    expect(slugs(sortRepos(repos))).toEqual(['Acme/Web', 'octocat/alpha', 'octocat/zeta', 'acme/idle', 'acme/asleep'])
  })
})

describe('filterRepos', () => {
  it('ignores letter case and surrounding space', () => {
    expect(slugs(filterRepos(repos, '  WEB ', false))).toEqual(['Acme/Web'])
  })
  it('leaves out inactive ones when asked', () => {
    expect(slugs(filterRepos(repos, 'acme', true))).toEqual(['acme/idle', 'Acme/Web'])
  })
  it('is the very same list when there is nothing to filter', () => {
    expect(filterRepos(repos, ' ', false)).toBe(repos)
  })
})

describe('recentRepos', () => {
  it('takes those with a build, newest first, active or not', () => {
    expect(slugs(recentRepos(repos, 3))).toEqual(['acme/asleep', 'Acme/Web', 'octocat/alpha'])
  })
})

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
})
