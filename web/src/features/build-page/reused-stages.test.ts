import { expect, test } from 'vitest'

import { listReusedStages } from './reused-stages.ts'

const stages = (...of: [string, number?][]) =>
  ({ stages: of.map(([name, taken_over]) => ({ name, ...(taken_over && { taken_over }) })) }) as Parameters<
    typeof listReusedStages
  >[0]

test('stages are grouped by the build in which they ran, newest first', () => {
  const build = stages(['lint', 11], ['docs', 12], ['test'], ['types', 11])
  expect(listReusedStages(build)).toEqual([
    { number: 12, names: 'docs', count: 1 },
    { number: 11, names: 'lint and types', count: 2 },
  ])
  expect(listReusedStages(stages(['test']))).toEqual([])
  expect(listReusedStages({})).toEqual([])
})

test('names are limited in number', () => {
  const names = (count: number) =>
    listReusedStages(stages(...[...'abcdef'].slice(0, count).map((name): [string, number] => [name, 1])))
  expect(names(3)[0]?.names).toBe('a, b and c')
  expect(names(5)[0]?.names).toBe('a, b, c and 2 more')
})
