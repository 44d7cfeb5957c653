import { expect, test } from 'vitest'

import { readShown } from './shown.ts'

test('an unknown choice shows all builds', () => {
  expect(['mine', 'waiting', 'x', null].map(readShown)).toEqual(['mine', 'waiting', 'all', 'all'])
})
