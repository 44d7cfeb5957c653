import { expect, test } from 'vitest'
import { firstRepo } from './first-repo.ts'

const candidate = (slug: string) => ({
  slug,
  path: `/${slug}`,
  defaultBranch: 'main',
  configPath: slug === 'd/file' ? '' : 'ci.yml',
})
const candidates = ['a/broken', 'b/empty', 'c/bare', 'd/file', 'e/file'].map(candidate)
const looked: string[] = []
const git = {
  resolve: async (path: string, ref: string) => {
    looked.push(path)
    if (path === '/a/broken') throw new Error('git cannot read it')
    return path === '/b/empty' || ref !== 'refs/heads/main' ? null : '1'.repeat(40)
  },
  readFile: async (path: string, _: string, file: string) =>
    path.endsWith('/file') && (file === '.drone.yml') === (path === '/d/file') ? 'kind: pipeline' : null,
}

test('suggests the first repository with a pipeline file, else the first with a commit, else the first', async () => {
  expect(await firstRepo(candidates, git)).toBe('d/file')
  expect(looked).not.toContain('/e/file')
  expect(await firstRepo(candidates.slice(0, 3), git)).toBe('c/bare')
  expect(await firstRepo(candidates.slice(0, 2), git)).toBe('a/broken')
  expect(await firstRepo([], git)).toBeNull()
})

test('a hanging git does not delay the start', async () => {
  const silent = {
    ...git,
    resolve: (path: string) =>
      path === '/d/file' ? new Promise<never>(() => {}) : git.resolve(path, 'refs/heads/main'),
  }
  expect(await firstRepo(candidates, silent, 50)).toBe('c/bare')
})
