import { expect, test } from 'vitest'

import { builtSince, type Listed } from './built-since.ts'

const build = (number: number, status: Listed['status'], after: string, ref = 'refs/heads/main'): Listed => ({
  number,
  status,
  after,
  ref,
  message: `Commit ${after}`,
  author_name: 'Ada',
  author_login: 'ada',
  created: number,
})
const listed = (builds: Record<string, Listed[]>) => async (branch: string, page: number) =>
  (builds[branch] ?? []).slice((page - 1) * 50, page * 50)

const failed = build(9, 'failure', 'e')

test('the last successful build before it, and the commits built since', async () => {
  const main = [
    build(10, 'success', 'f'),
    failed,
    build(8, 'failure', 'd'),
    build(7, 'failure', 'd'),
    build(6, 'success', 'c'),
    build(5, 'success', 'b'),
  ]
  const since = await builtSince(listed({ main }), failed, 'main')
  expect(since?.lastSuccess.number).toBe(6)
  expect(since?.commits.map(({ sha, build: first }) => `${sha} ${first}`)).toEqual(['e 9', 'd 7'])
  expect(since?.commits[0]).toMatchObject({ title: 'Commit e', author: 'Ada', time: 9 })
})

test('otherwise of the default branch, as for a pull request', async () => {
  const main = [build(4, 'success', 'a')]
  const pull = build(9, 'failure', 'e', 'refs/pull/1/head')
  expect((await builtSince(listed({ main }), pull, 'main'))?.lastSuccess.number).toBe(4)
  const side = build(9, 'failure', 'e', 'refs/heads/side')
  expect((await builtSince(listed({ side: [build(8, 'failure', 'd')], main }), side, 'main'))?.lastSuccess.number).toBe(
    4,
  )
})

test('the same commit is no change', async () => {
  expect(await builtSince(listed({ main: [build(8, 'success', 'e')] }), failed, 'main')).toMatchObject({ commits: [] })
})

test('the search ends after a few pages', async () => {
  const main = [...Array.from({ length: 150 }, (_, n) => build(8, 'failure', `${n}`)), build(1, 'success', 'a')]
  expect(await builtSince(listed({ main }), failed, undefined)).toBeUndefined()
  expect(await builtSince(listed({}), failed, 'main')).toBeUndefined()
})
