import { expect, test } from 'vitest'

import { addPlace, parsePlaces } from './page-visits.ts'

const place = (name: string, number?: number) => ({ namespace: 'acme', name, ...(number !== undefined && { number }) })

test('a place is first and only once; builds are places of their own; the oldest of many are dropped', () => {
  const places = ['a', 'b'].map((name) => place(name))
  expect(addPlace(places, place('b'))).toEqual([place('b'), place('a')])
  expect(addPlace(places, place('b', 7))).toEqual([place('b', 7), place('a'), place('b')])
  expect(
    addPlace(
      Array.from({ length: 30 }, (_, n) => place(`repo-${n}`)),
      place('new'),
    ),
  ).toHaveLength(30)
})

test('what is stored and is no place is ignored', () => {
  expect(parsePlaces(undefined)).toEqual([])
  expect(parsePlaces('{')).toEqual([])
  expect(parsePlaces('{"namespace":"acme","name":"a"}')).toEqual([])
  expect(parsePlaces(JSON.stringify([null, 1, { name: 'a' }, { ...place('a'), number: '7' }, place('b', 7)]))).toEqual([
    place('b', 7),
  ])
})
