import { describe, expect, it } from 'vitest'
import { linksOf } from './links.ts'

const url = 'https://example.com/git'
const sha = 'a'.repeat(40)

describe('a link to a forge', () => {
  it.each([
    ['gitea', 'src/branch/feat/x', 'src/tag/v1', `src/commit/${sha}/src/a.ts#L7`, 'pulls/5', 'commit', 'compare'],
    ['forgejo', 'src/branch/feat/x', 'src/tag/v1', `src/commit/${sha}/src/a.ts#L7`, 'pulls/5', 'commit', 'compare'],
    ['gogs', 'src/feat/x', 'src/v1', `src/${sha}/src/a.ts#L7`, 'pulls/5', 'commit', 'compare'],
    ['github', 'tree/feat/x', 'tree/v1', `blob/${sha}/src/a.ts#L7`, 'pull/5', 'commit', 'compare'],
    [
      'gitlab',
      '-/tree/feat/x',
      '-/tags/v1',
      `-/blob/${sha}/src/a.ts#L7`,
      '-/merge_requests/5',
      '-/commit',
      '-/compare',
    ],
  ] as const)('leads to the pages of %s', (kind, branch, tag, file, pull, commit, compare) => {
    const links = linksOf(kind, url)
    const repo = 'team/app'
    expect(links.repository(repo)).toBe(`${url}/team/app`)
    expect(links.branch(repo, 'feat/x')).toBe(`${url}/team/app/${branch}`)
    expect(links.tag(repo, 'v1')).toBe(`${url}/team/app/${tag}`)
    expect(links.file(repo, sha, 'src/a.ts', 7)).toBe(`${url}/team/app/${file}`)
    expect(links.pullRequest(repo, 5)).toBe(`${url}/team/app/${pull}`)
    expect(links.commit(repo, sha)).toBe(`${url}/team/app/${commit}/${sha}`)
    expect(links.compare(repo, 'a', 'feat/x')).toBe(`${url}/team/app/${compare}/a...feat/x`)
    expect(links.author('ann')).toBe(`${url}/ann`)
  })

  it('keeps the groups of GitLab', () => {
    expect(linksOf('gitlab', url).branch('a/b/c', 'main')).toBe(`${url}/a/b/c/-/tree/main`)
  })

  it.each(['x?y#z', 'a b', '%2e%2e', '"><script>', 'ä'])('encodes the branch %s', (branch) => {
    const link = new URL(linksOf('gitea', url).branch('team/app', branch))
    expect(link.search + link.hash).toBe('')
    expect(decodeURIComponent(link.pathname)).toBe(`/git/team/app/src/branch/${branch}`)
  })

  it.each(['../../admin', './x/..', '/etc/passwd'])('never walks up with %s', (path) => {
    for (const link of [
      linksOf('github', url).file('team/app', sha, path),
      linksOf('github', url).branch('team/app', path),
      linksOf('github', url).repository(path),
      linksOf('github', url).author(path),
    ]) {
      expect(new URL(link).pathname).toMatch(/^\/git\//)
      expect(new URL(link).href).toBe(link)
    }
  })
})
