import { expect, test } from 'vitest'
import { addParam, isComplete, isReserved, paramError, parseParams, withTyped } from './params.ts'

test('a pair counts only with both sides', () => {
  expect(isComplete({ key: 'A', value: 'b' })).toBe(true)
  expect(isComplete({ key: ' ', value: 'b' })).toBe(false)
  expect(isComplete({ key: 'A', value: '' })).toBe(false)
})

test('adding trims the ends and keeps spaces inside', () => {
  expect(addParam([], { key: ' A ', value: ' b c ' })).toEqual([{ key: 'A', value: 'b c' }])
})

test('the same key again replaces, it does not add', () => {
  const params = addParam([{ key: 'A', value: '1' }], { key: 'A', value: '2' })
  expect(params).toEqual([{ key: 'A', value: '2' }])
})

test('a typed pair that was not added is sent, an incomplete one is not', () => {
  expect(withTyped([], { key: 'A', value: '1' })).toEqual([{ key: 'A', value: '1' }])
  expect(withTyped([], { key: 'A', value: '' })).toEqual([])
})

test('a pair whose key would be lost is refused; an empty pair is not', () => {
  const refusal = (key: string, value = 'x') => paramError({ key, value }, ['branch', 'commit'])
  expect(refusal(' branch ')).toBe('“branch” can’t be used as a parameter name')
  for (const key of ['commit', 'access_token']) expect(refusal(key)).toContain(`“${key}”`)
  for (const key of ['target', 'branches', 'BRANCH', '__proto__']) expect(refusal(key)).toBeUndefined()
  expect(refusal('branch', ' ')).toBeUndefined()
  expect(isReserved('target', ['target'])).toBe(true)
})

test('URLs have parameters as JSON', () => {
  expect(parseParams('[{"key":"A","value":"1"},{"key":"","value":"2"},7]')).toEqual([{ key: 'A', value: '1' }])
  expect(parseParams('{"__proto__":"x","N":3}')).toEqual([
    { key: '__proto__', value: 'x' },
    { key: 'N', value: '3' },
  ])
  expect(parseParams('nonsense')).toEqual([])
  expect(parseParams(undefined)).toEqual([])
})
