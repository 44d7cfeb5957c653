import { expect, it } from 'vitest'
import { asksToSkip } from './skip.ts'

it.each([
  ['push', 'docs [ci skip]', true],
  ['push', 'docs [CI SKIP]', true],
  ['push', '[Skip CI] docs', true],
  ['push', 'x\n\n***NO_CI***\n', true],
  ['pull_request', 'x [skip ci]', true],
  ['push', 'skip ci', false],
  ['tag', '[ci skip]', false],
  ['custom', '[ci skip]', false],
  ['cron', '[ci skip]', false],
])('%s "%s" → %s', (event, message, expected) => expect(asksToSkip({ event, message })).toBe(expected))

it('reads titles too', () => {
  expect(asksToSkip({ event: 'pull_request', message: '', title: 'WIP [ci skip]' })).toBe(true)
  expect(asksToSkip({ event: 'push' })).toBe(false)
  // The marker does not span message and title.
  expect(asksToSkip({ event: 'push', message: '[ci', title: 'skip]' })).toBe(false)
})
