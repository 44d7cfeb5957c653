import { expect, test } from 'vitest'

import { slowdownText, summaryOf, type SummarizedChanges } from './summary.ts'

const commit = (author: string) => ({ sha: 'a', title: 'x', author, time: 1, files: [] })
const same: SummarizedChanges = { commits: [], differences: { params: [] } }

test.each([
  [{}, 'the same commit'],
  [{ commits: [commit('Ada')] }, '1 commit by Ada'],
  [{ commits: [commit('Ada'), commit('Ben'), commit('Ada')] }, '3 commits by Ada and Ben'],
  [{ commits: ['A', 'B', 'C', 'D'].map(commit), more: true as const }, '4+ commits by A, B and 2 more'],
  [{ commits: [commit('')] }, '1 commit'],
  [{ without: 2 }, '2 commits fewer'],
  [
    {
      file: { path: 'x', same: false as const, line: 3 },
      differences: {
        params: [{ name: 'A', before: '1', after: '2' }],
        runner: { before: 'a', after: 'b', same: false },
        duration: { before: 10, after: 40 },
      },
    },
    'the same commit · pipeline file · 1 parameter · different runner · +30s',
  ],
])('%j is told as %j', (over, words) => {
  expect(summaryOf({ ...same, ...over })).toBe(words)
})

test('unknown commits are not mentioned', () => {
  expect(summaryOf({ differences: { params: [] } })).toBe('')
})

test.each([
  [100, 110, undefined],
  [10, 14, undefined],
  [10, 15, '+5s'],
  [100, 60, '−40s'],
])('%i s before and %i s now', (before, after, words) => {
  expect(slowdownText({ before, after })).toBe(words)
})
