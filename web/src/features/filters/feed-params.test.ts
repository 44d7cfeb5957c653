import { expect, test } from 'vitest'

import { feedQuery } from './feed-params.ts'
import { noFilter, readConditions } from './filter.ts'

const query = (values: object, show?: string): string => {
  const filter = { ...noFilter, ...values }
  return feedQuery(filter, readConditions(filter, 1_700_000_000).conditions, show)
}

test('the feed has the filter of the list, in seconds', () => {
  expect(query({})).toBe('')
  expect(query({ text: 'a&b', status: 'failure', longer: '10m' })).toBe('?text=a%26b&status=failure&longer=600')
  expect(query({ since: '2026-11-27' })).toBe(`?since=${new Date(2026, 10, 27).getTime() / 1000}`)
  expect(query({}, 'mine')).toBe('?show=mine')
})

test('relative dates and invalid values are omitted', () => {
  expect(query({ since: '7d', until: 'today', status: 'green' })).toBe('')
})
