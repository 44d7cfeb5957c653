import { expect, test } from 'vitest'

import { failedProgramOf, isSame, withoutProgram, programOf } from './program-prefix.ts'

test.each([
  ['tests-1  | cart 7 has 3 lines', 'tests-1', 'cart 7 has 3 lines'],
  ['08:00:01 worker.1 | reading', 'worker.1', 'reading'],
  ['[api] two routes', 'api', 'two routes'],
  ['@shop/api:check: no owner', '@shop/api:check', 'no owner'],
  ['@shop/ui: two stories', '@shop/ui', 'two stories'],
  ['packages/core verify: 3 currencies', 'packages/core verify', '3 currencies'],
  ['[ERROR] two routes', undefined, '[ERROR] two routes'],
  ['error: two routes', undefined, 'error: two routes'],
])('%s', (line, program, expected) => {
  expect(programOf(line)).toBe(program)
  expect(withoutProgram(line)).toBe(expected)
})

test.each([
  ['tests-1 exited with code 1', 'tests-1'],
  ["lerna ERR! npm run build exited 1 in '@shop/ui'", '@shop/ui'],
  ['[api] npm run api exited with code 2', 'api'],
  ['packages/core verify: Failed', 'packages/core verify'],
  ['db-1 exited with code 0', undefined],
  ['db-1 exited with code 137', undefined],
])('%s', (line, failed) => {
  expect(failedProgramOf(line)).toBe(failed)
})

test("a container's name can start with the name of its project", () => {
  expect(isSame('tests-1', 'shop-tests-1')).toBe(true)
  expect(isSame('tests-1', 'api-tests')).toBe(false)
})
