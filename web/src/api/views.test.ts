import type { SavedView } from '@flightdeck/api'
import { expect, test } from 'vitest'

import { withView } from './views.ts'

const failedView: SavedView = { list: 'builds', name: 'Red', query: 'status=failure', default: true }
const feed: SavedView = { ...failedView, list: 'feed' }

test('a saved view replaces the one with its name, and its list’s default', () => {
  const mine: SavedView = { ...failedView, name: 'Mine', query: 'author=ann' }
  expect(withView([failedView, feed], mine)).toEqual([{ ...failedView, default: false }, feed, mine])
  expect(withView([failedView, feed], { ...failedView, query: 'status=error', default: false })).toEqual([
    feed,
    { ...failedView, query: 'status=error', default: false },
  ])
})
