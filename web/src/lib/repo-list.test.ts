import type { Build, Repo } from '@flightdeck/api'
import { describe, expect, it } from 'vitest'

import { filterRepos, recentRepos, sortRepos } from './repo-list.ts'

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

describe('a list that changes a little', () => {
  const many = Array.from({ length: 400 }, (_, n) =>
    repo(`acme/r${(n * 37) % 400}`, n % 5 > 0, n % 3 ? (n * 7919) % 50 : undefined),
  )
  it('is in the same order as after a full sort', () => {
    let list: Repo[] = many
    sortRepos(list)
    for (let step = 0; step < 60; step++) {
      const at = (step * 131) % list.length
      const old = list[at]
      if (old) list = list.with(at, { ...old, active: step % 7 > 0, build: { created: step * 3 } as Build })
      const sorted = slugs(sortRepos(list))
      // A copy in a different order is sorted completely.
      expect(sorted).toEqual(slugs(sortRepos(list.toReversed())))
      sortRepos(list)
    }
  })
  it('is sorted completely only if more than 200 entries changed', () => {
    let reads = 0
    const counted = Array.from({ length: 2000 }, (_, n): Repo => ({
      ...repo(`acme/r${(n * 37) % 2000}`, true, (n * 7919) % 1999),
      get active() {
        reads++
        return true
      },
    }))
    const readsOf = (list: readonly Repo[]): number => {
      reads = 0
      sortRepos(list)
      return reads
    }
    const whole = readsOf(counted)
    // A copy is a different entry.
    const withCopies = (list: readonly Repo[], count: number) =>
      list.map((repo, n) => (n < count ? Object.create(repo) : repo) as Repo)
    const some = withCopies(counted, 200)
    expect(readsOf(some)).toBeLessThan(whole / 2)
    expect(readsOf(withCopies(some, 201))).toBe(whole)
  })
  it('may also grow and shrink', () => {
    sortRepos(many)
    expect(slugs(sortRepos(many.slice(1)))).toHaveLength(399)
    expect(slugs(sortRepos([...many, repo('acme/new', true, 9999)]))[0]).toBe('acme/new')
  })
})

describe('filterRepos', () => {
  it('ignores letter case and surrounding space', () => {
    expect(slugs(filterRepos(repos, '  WEB ', false))).toEqual(['Acme/Web'])
  })
  it('excludes inactive ones on request', () => {
    expect(slugs(filterRepos(repos, 'acme', true))).toEqual(['acme/idle', 'Acme/Web'])
  })
  it('is the same list if there is nothing to filter', () => {
    expect(filterRepos(repos, ' ', false)).toBe(repos)
  })
})

describe('recentRepos', () => {
  it('includes repositories with a build, newest first, active or not', () => {
    expect(slugs(recentRepos(sortRepos(repos), 3))).toEqual(['acme/asleep', 'Acme/Web', 'octocat/alpha'])
  })
})
