import type { Build } from '@flightdeck/api'
import { expect, test } from 'vitest'

import { indexLoaded, searchLoaded, splitPulls, withFound } from './loaded.ts'

const buildOf = (number: number, target: string, message: string, name = 'hello') => ({
  namespace: 'octocat',
  name,
  build: { number, target, message, created: number, after: `${number}abcdef0123456789` } as Build,
})
const loaded = [
  buildOf(1, 'main', 'Begin'),
  buildOf(12, 'main', 'Fix the parser'),
  buildOf(13, 'feature/parser', 'Try again'),
  buildOf(14, 'main', 'Fix the docs', 'website'),
]
const found = (query: string) => {
  const { branches, builds } = searchLoaded(indexLoaded(loaded), query)
  return [
    branches.map(({ name, build }) => `${name} ${build.target} #${build.number}`),
    builds.map(({ build }) => build.number),
  ]
}

test('branches by a part of their name, each once with its newest build', () => {
  expect(found(' MAI ')).toEqual([['website main #14', 'hello main #12'], []])
  expect(found('parser')).toEqual([['hello feature/parser #13'], [12]])
})

test('builds by their full number, a part of their title, the start of their hash', () => {
  expect(found('#12')).toEqual([[], [12]])
  expect(found('1')).toEqual([[], [1]])
  expect(found('fix the')).toEqual([[], [14, 12]])
  expect(found('13abc')).toEqual([[], [13]])
})

test('a single letter and an empty text find nothing; a build that was read twice is listed once', () => {
  expect(found('m')).toEqual([[], []])
  expect(found('  ')).toEqual([[], []])
  expect(searchLoaded(indexLoaded([...loaded, buildOf(12, 'main', 'Fix the parser')]), 'parser').builds).toHaveLength(1)
})

test('the server’s results come first, and each build once', () => {
  const [first, twelfth] = [buildOf(1, 'main', 'Begin'), buildOf(12, 'main', 'Fix the parser')]
  expect(withFound([twelfth, first], [twelfth, buildOf(7, 'main', 'Old')]).map(({ build }) => build.number)).toEqual([
    12, 7, 1,
  ])
})

test('a pull request is found by its number, once with its newest build', () => {
  const pull = (number: number, ref: string) => {
    const known = buildOf(number, 'main', 'Fix the parser')
    return { ...known, build: { ...known.build, event: 'pull_request', ref } as Build }
  }
  const pulls = [pull(20, 'refs/pull/104/head'), pull(22, 'refs/pull/104/head'), pull(21, 'refs/pull/7/head')]
  expect(searchLoaded(indexLoaded([...loaded, ...pulls]), '#104').builds.map(({ build }) => build.number)).toEqual([
    22, 20,
  ])
  const split = splitPulls([...loaded, ...pulls])
  expect(split.pulls.map(({ build }) => build.number)).toEqual([22, 21])
  expect(split.builds).toEqual(loaded)
})
