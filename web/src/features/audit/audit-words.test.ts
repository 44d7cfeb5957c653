import { expect, it } from 'vitest'

import { actionWords, detailWords } from './audit-words.ts'

it('tells an action in words, and one of a newer server as it is named', () => {
  expect(actionWords({ action: 'secret.changed' })).toBe('changed a secret of')
  expect(actionWords({ action: 'thing.done' })).toBe('thing.done')
  expect(actionWords({ action: 'constructor' })).toBe('constructor')
})

it('tells what changed from what to what', () => {
  expect(
    detailWords({
      visibility: ['private', 'public'],
      config_path: ['', 'ci.yml'],
      role: 'read',
      of: 1,
      admin: [0, 1],
      timeout: [1, 0],
      expires: 0,
    }),
  ).toEqual([
    'visibility: private → public',
    'config path: nothing → ci.yml',
    'role: read',
    'of: 1',
    'admin: no → yes',
    'timeout: 1 → 0',
    'expires: never',
  ])
})
