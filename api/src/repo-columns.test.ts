import { expect, test } from 'vitest'

import { areRepoColumns, packRepos } from './repo-columns.ts'
import type { Build, Repo } from './types.ts'

const build = {
  id: 7,
  number: 3,
  status: 'running',
  event: 'push',
  message: 'Fix the cart',
  target: 'main',
  after: 'a'.repeat(40),
  trigger: '@hook',
  author_login: 'ada',
  author_avatar: '',
  sender: 'ada',
  created: 100,
  started: 110,
  finished: 0,
  version: 2,
} as Build
const packed = () => packRepos([{ id: 1, namespace: 'acme', name: 'web', active: true, version: 4, build } as Repo])

test('columns of a repository with a running build are accepted', () => {
  expect(packed().build).toMatchObject({ started: [10], finished: [null] })
  expect(areRepoColumns(packed())).toBe(true)
})

test.each<[string, object]>([
  ['a time that is a text', { started: ['10'] }],
  ['a time that is missing', { finished: [undefined] }],
  ['a build without a time', { started: [] }],
  ['an unknown status', { status: ['on fire'] }],
  ['an unknown event', { event: ['whim'] }],
  ['a rest that is a number', { rest: [1] }],
  ['a message that is a number', { message: [1] }],
])('columns with %s are refused', (_what, wrong) => {
  const columns = packed()
  expect(areRepoColumns({ ...columns, build: { ...columns.build, ...wrong } })).toBe(false)
})

test('a column that is shorter than the others or has a different type is rejected', () => {
  for (const wrong of [{ id: [] }, { active: [true] }, { name: [7] }, { build: null }, { number: 1 }])
    expect(areRepoColumns({ ...packed(), ...wrong })).toBe(false)
  expect(areRepoColumns(null)).toBe(false)
})
