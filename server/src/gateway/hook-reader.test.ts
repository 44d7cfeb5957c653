import { expect, it } from 'vitest'
import { createHookReader } from './hook-reader.ts'

const slugsOf = (text: string, type: string | null = 'application/json') => {
  const reader = createHookReader(type)
  for (let at = 0; at < text.length; at += 7) reader.add(Buffer.from(text.slice(at, at + 7)))
  return reader.slugs()
}

it.each([
  ['GitHub', { ref: 'refs/heads/main', repository: { id: 1, full_name: 'octocat/hello' } }, ['octocat/hello']],
  ['GitLab', { project: { path_with_namespace: 'group/sub/hello' } }, ['group/sub/hello']],
  [
    'a pull request from a fork',
    { pull_request: { head: { repo: { full_name: 'eve/hello' } } }, repository: { full_name: 'octocat/hello' } },
    ['eve/hello', 'octocat/hello'],
  ],
  ['no repository', { zen: 'x', full_name: 'no slash' }, []],
])('names the repository of %s', (_from, body, slugs) => {
  expect(slugsOf(JSON.stringify(body))).toEqual(slugs)
  expect(slugsOf(JSON.stringify(body, null, 2))).toEqual(slugs)
  const form = new URLSearchParams({ payload: JSON.stringify(body) }).toString()
  expect(slugsOf(form, 'application/x-www-form-urlencoded')).toEqual(slugs)
})

it('keeps little of what is long', () => {
  expect(slugsOf(JSON.stringify(Array.from({ length: 50 }, (_, n) => ({ full_name: `a/${n}` }))))).toHaveLength(10)
  const reader = createHookReader(null)
  for (let n = 0; n < 6; n += 1) reader.add(Buffer.alloc(1 << 20, 'x'))
  expect(reader.slugs()).toEqual([])
})
