import type { Build } from '@flightdeck/api'
import { expect, test } from 'vitest'

import { differences, originOf } from './differences.ts'
import { noParam } from './params.ts'

const sha = '0123456789abcdef0123456789abcdef01234567'
const build = (more: Partial<Build>): Build =>
  ({
    number: 12,
    event: 'custom',
    ref: 'refs/heads/main',
    source: 'main',
    target: 'main',
    after: sha,
    ...more,
  }) as Build
const origin = originOf(build({ params: { A: '1', B: '2' } }))
const same = { branch: 'main', commit: sha, params: origin.params, typed: noParam }

test('a restart without changes has no differences; a shortened hash is the same commit', () => {
  expect(differences(origin, same)).toEqual([])
  expect(differences(origin, { ...same, branch: ' main ', commit: '01234567' })).toEqual([])
})

test('each change is listed with its previous value', () => {
  const params = [
    { key: 'A', value: '3' },
    { key: 'C', value: '4' },
  ]
  expect(differences(origin, { branch: 'dev', commit: '', params, typed: { key: 'D', value: '5' } })).toEqual([
    { what: 'Branch', before: 'main', after: 'dev' },
    { what: 'Commit', before: '01234567', after: 'the latest on the branch' },
    { what: 'A', before: '1', after: '3' },
    { what: 'B', before: '2', after: 'none' },
    { what: 'C', before: 'none', after: '4' },
    { what: 'D', before: 'none', after: '5' },
  ])
  expect(differences(origin, { ...same, branch: '' })[0]).toMatchObject({ after: 'the default branch' })
})

test('a manual start of a push has a different event, which conditions can check', () => {
  const pushed = originOf(build({ event: 'push' }))
  expect(differences(pushed, { ...same, params: [] })).toEqual([{ what: 'Event', before: 'push', after: 'custom' }])
})

test('the branch has the format of the dialog: for a pull request its source branch, for a tag the ref', () => {
  expect(originOf(build({ event: 'pull_request', source: 'fix', ref: 'refs/pull/7/head' })).branch).toBe('fix')
  expect(originOf(build({ event: 'tag', ref: 'refs/tags/v1', target: 'v1' })).branch).toBe('refs/tags/v1')
  expect(originOf(build({ source: '', target: '' })).branch).toBe('main')
})

test('the commit is unknown if the server omits empty fields', () => {
  const bare = originOf({ number: 3, event: 'custom' } as Build)
  expect(bare).toMatchObject({ branch: '', commit: '' })
  expect(differences(bare, { branch: '', commit: '', params: [], typed: noParam })).toEqual([
    { what: 'Commit', before: 'unknown', after: 'the latest on the branch' },
  ])
})

test('the commit is unknown if the server sends null', () => {
  const bare = originOf(build({ ref: null, after: null, source: null, target: null } as unknown as Partial<Build>))
  expect(bare).toMatchObject({ branch: '', commit: '' })
})
