import { expect, test } from 'vitest'

import { addVisit, parseVisits } from './page-visits.ts'

const visit = (name: string, number?: number) => ({ namespace: 'acme', name, ...(number !== undefined && { number }) })

test('a visit is first and only once; builds are visits of their own; the oldest of many are dropped', () => {
  const visits = ['a', 'b'].map((name) => visit(name))
  expect(addVisit(visits, visit('b'))).toEqual([visit('b'), visit('a')])
  expect(addVisit(visits, visit('b', 7))).toEqual([visit('b', 7), visit('a'), visit('b')])
  expect(
    addVisit(
      Array.from({ length: 30 }, (_, n) => visit(`repo-${n}`)),
      visit('new'),
    ),
  ).toHaveLength(30)
})

test('what is stored and is no visit is ignored', () => {
  expect(parseVisits(undefined)).toEqual([])
  expect(parseVisits('{')).toEqual([])
  expect(parseVisits('{"namespace":"acme","name":"a"}')).toEqual([])
  expect(parseVisits(JSON.stringify([null, 1, { name: 'a' }, { ...visit('a'), number: '7' }, visit('b', 7)]))).toEqual([
    visit('b', 7),
  ])
})
