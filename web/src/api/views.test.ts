import type { SavedView } from '@flightdeck/api'
import { expect, test } from 'vitest'

import { withView } from './views.ts'

const red: SavedView = { list: 'builds', name: 'Red', query: 'status=failure', default: true }
const feed: SavedView = { ...red, list: 'feed' }

test('a saved view replaces the one with its name, and its list’s default', () => {
  const mine: SavedView = { ...red, name: 'Mine', query: 'author=ann' }
  expect(withView([red, feed], mine)).toEqual([{ ...red, default: false }, feed, mine])
  expect(withView([red, feed], { ...red, query: 'status=error', default: false })).toEqual([
    feed,
    { ...red, query: 'status=error', default: false },
  ])
})
