import { expect, test } from 'vitest'

import { newBuildRequest } from './new-build-request.ts'

const of = (search: string) => newBuildRequest(new URLSearchParams(search))

test.each([
  ['action=build', { branch: '', commit: '', parameters: [] }],
  ['target=dev', { branch: 'dev', commit: '', parameters: [] }],
  ['action=restart&commit=4f0c1ab', { branch: '', commit: '4f0c1ab', parameters: [] }],
  ['parameters=[{"key":"A","value":"1"}]', { branch: '', commit: '', parameters: [{ key: 'A', value: '1' }] }],
])('%s asks for the dialog with these fields', (search, expected) => {
  expect(of(search)).toEqual(expected)
})

test('a URL that fills no field opens no dialog', () => {
  expect(of('')).toBeUndefined()
  expect(of('action=restart')).toBeUndefined()
})
