import { expect, it } from 'vitest'

import { actionWords, detailWords } from './audit-words.ts'

it('describes an action, and shows one of a newer server by its name', () => {
  expect(actionWords({ action: 'secret.changed' })).toBe('changed a secret of')
  expect(actionWords({ action: 'thing.done' })).toBe('thing.done')
  expect(actionWords({ action: 'constructor' })).toBe('constructor')
})

it('names the old and the new value', () => {
  expect(
    detailWords({
      visibility: ['private', 'public'],
      config_path: ['', 'ci.yml'],
      role: 'read',
      who: 'administrators',
      people: '',
      of: 1,
      commit: '325f84e15229c01352c5060c0b40171806c4eb3b',
      expr: '@daily',
      admin: [0, 1],
      timeout: [1, 0],
      expires: 0,
    }),
  ).toEqual([
    'visibility: private → public',
    'config path: nothing → ci.yml',
    'role: read',
    'can deploy: administrators',
    'from build: #1',
    'commit: 325f84e1',
    'schedule: @daily',
    'administrator: no → yes',
    'timeout: 1 → 0',
    'expires: never',
  ])
})
