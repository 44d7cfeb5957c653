import { expect, test } from 'vitest'

import { keepTyped } from './typed.ts'

const empty = { name: '', value: '', open: false }

test('a submitted form is empty again, except for text typed since', () => {
  const sent = { name: 'one', value: 'first', open: true }
  expect(keepTyped(sent, sent, empty)).toEqual(empty)
  expect(keepTyped({ ...sent, name: 'two' }, sent, empty)).toEqual({ name: 'two', value: '', open: false })
  expect(keepTyped({ ...sent, open: false }, sent, { ...empty, open: true })).toEqual({ ...empty, open: false })
})
