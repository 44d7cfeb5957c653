/** Links of pages redirect to the forge's own pages, for each forge (docs/api §2.10). */
import { afterEach, describe, expect, it } from 'vitest'
import type { Forge } from '../interfaces/forge.ts'
import { createRepo } from '../store/repos.ts'
import { createTestApp, type TestApp } from '../testing/test-app.ts'
import { linksOf } from './drivers/links.ts'
import { pageAt } from './forge.ts'
import type { ForgeKind } from './driver.ts'

const url = 'https://example.com/git'
const sha = 'a'.repeat(40)
let app: TestApp
afterEach(() => app.close())

async function connected(kind: ForgeKind): Promise<void> {
  const links = linksOf(kind, url)
  const forge: Forge = {
    title: kind,
    url,
    signIn: 'oauth',
    begin: () => ({ url, cookie: '' }),
    finish: async () => ({ refused: 'no' }),
    withPassword: async () => ({ refused: 'no' }),
    receive: async () => ({ status: 200, message: '' }),
    recheckRight: () => undefined,
    connection: async () => null,
    syncState: () => ({ running: null, error: '', refused: [], refusedCount: 0 }),
    repair: async () => null,
    fetchNow: async () => false,
    pageOf: async (repo, what) => (repo.uid === '21' ? pageAt(links, repo.slug, what) : null),
  }
  app = await createTestApp({ forge })
  const facts = { path: '', forge: true, default_branch: 'main', visibility: 'private', now: 1 } as const
  await createRepo(app.bench.db, { uid: '21', namespace: 'team/sub', name: 'app', ...facts })
}
const leads = async (rest: string, as?: 'boss' | 'otto', repo = 'team%2Fsub/app'): Promise<string | null> =>
  (await app.request(`/link/${repo}${rest}`, as ? { as } : {})).headers.get('location')

const pulls = { gitlab: 'refs/merge-requests/5/head' } as Record<string, string>

describe('a link', () => {
  it.each([
    [
      'gitea',
      `commit/${sha}`,
      'src/branch/feat/x',
      'src/tag/v1',
      `src/commit/${sha}/a/b.ts`,
      'pulls/5',
      'compare/a...b',
    ],
    [
      'forgejo',
      `commit/${sha}`,
      'src/branch/feat/x',
      'src/tag/v1',
      `src/commit/${sha}/a/b.ts`,
      'pulls/5',
      'compare/a...b',
    ],
    ['gogs', `commit/${sha}`, 'src/feat/x', 'src/v1', `src/${sha}/a/b.ts`, 'pulls/5', 'compare/a...b'],
    ['github', `commit/${sha}`, 'tree/feat/x', 'tree/v1', `blob/${sha}/a/b.ts`, 'pull/5', 'compare/a...b'],
    [
      'gitlab',
      `-/commit/${sha}`,
      '-/tree/feat/x',
      '-/tags/v1',
      `-/blob/${sha}/a/b.ts`,
      '-/merge_requests/5',
      '-/compare/a...b',
    ],
  ] as const)('leads to the pages of %s', async (kind, commit, branch, tag, file, pull, compare) => {
    await connected(kind)
    const at = `${url}/team/sub/app`
    expect(await leads('', 'boss')).toBe(at)
    expect(await leads(`/commit/${sha}`, 'boss')).toBe(`${at}/${commit}`)
    expect(await leads('/tree/refs/heads/feat/x', 'boss')).toBe(`${at}/${branch}`)
    expect(await leads('/tree/feat/x', 'boss')).toBe(`${at}/${branch}`)
    expect(await leads('/tree/refs/tags/v1', 'boss')).toBe(`${at}/${tag}`)
    expect(await leads(`/src/a/b.ts?sha=${sha}`, 'boss')).toBe(`${at}/${file}`)
    expect(await leads(`/src/a/b.ts?sha=${sha}&line=7`, 'boss')).toBe(`${at}/${file}#L7`)
    expect(await leads(`/tree/${pulls[kind] ?? 'refs/pull/5/head'}`, 'boss')).toBe(`${at}/${pull}`)
    expect(await leads('/compare/a...b', 'boss')).toBe(`${at}/${compare}`)
  })

  it('reveals no repository without read access', async () => {
    await connected('gitea')
    const own = `/team%2Fsub/app/commits/${sha}`
    for (const as of [undefined, 'otto'] as const) {
      expect(await leads(`/commit/${sha}`, as)).toBe(own)
      expect(await leads(`/commit/${sha}`, as, 'team%2Fsub/none')).toBe(own.replace('/app/', '/none/'))
      expect(await leads('/compare/a...b', as)).toBe(null)
    }
    expect(await leads(`/commit/${sha}`, 'boss', 'team/sub%2Fapp')).toBe(`/team/sub%2Fapp/commits/${sha}`)
  })

  it('opens our own pages for a repository in a folder @system', async () => {
    await connected('github')
    const head = app.bench.source.commit({ a: '1' }, 'First')
    expect(await leads(`/commit/${head}`, 'boss', 'acme/web')).toBe(`/acme/web/commits/${head}`)
    expect(await leads(`/compare/${head}...main`, 'boss', 'acme/web')).toBe(`/acme/web/commits/${head}`)
  })
})
