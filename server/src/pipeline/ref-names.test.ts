import { expect, it } from 'vitest'
import { branchRef, isBranchOrTag } from './ref-names.ts'

it('takes a branch or a ref for a ref', () => {
  expect(branchRef('main')).toBe('refs/heads/main')
  expect(branchRef('feature/refs/x')).toBe('refs/heads/feature/refs/x')
  expect(branchRef('refs/tags/v1')).toBe('refs/tags/v1')
  expect(branchRef('refs')).toBe('refs/heads/refs')
})

it.each([
  ['main', true],
  ['refs/heads/main', true],
  ['refs/tags/v1', true],
  ['x/refs/pull/1/head', true],
  ['', false],
  ['refs/heads/', false],
  ['refs/tags/', false],
  ['refs/pull/1/head', false],
  ['refs/pull/refs/heads/main', false],
  ['refs/headsx/main', false],
])('is "%s" a branch or a tag: %s', (name, expected) => expect(isBranchOrTag(name)).toBe(expected))
