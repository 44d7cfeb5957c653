import type { Build, Stage, Step } from '@flightdeck/api'
import { expect, test } from 'vitest'

import { branchOf, findBaselineRun, lastSuccessful, NoBaselineError, type BaselineCalls } from './baseline-run.ts'

const build = (number: number, more: Partial<Build> = {}): Build =>
  ({ number, status: 'success', event: 'push', ref: 'refs/heads/side', target: 'side', ...more }) as Build
const failed = build(42, { status: 'failure' })
const stages = [
  {
    number: 2,
    name: 'unit',
    steps: [
      { number: 1, name: 'clone', status: 'success' },
      { number: 3, name: 'test', status: 'success' },
      { number: 4, name: 'lint', status: 'skipped' },
    ] as Step[],
  },
] as Stage[]

/** Responds with these lists, by branch and page, and records the requests. */
const served = (lists: Record<string, readonly Build[]>) => {
  const asked: string[] = []
  const calls: BaselineCalls = {
    listBranch: async (branch, page) => {
      asked.push(`${branch} ${page}`)
      return lists[`${branch} ${page}`] ?? []
    },
    getBuild: async (number) => {
      asked.push(`#${number}`)
      return build(number, { stages })
    },
  }
  return { asked, calls }
}
const find = (calls: BaselineCalls, of = failed, step = 'test') =>
  findBaselineRun(calls, of, { stage: 'unit', step }, 'main')

test('is the newest one before the build on its branch, its step found by name', async () => {
  const { asked, calls } = served({
    'side 1': [build(44), failed, build(41, { status: 'killed' }), build(38), build(30)],
  })
  expect(await find(calls)).toEqual({ build: 38, stage: 2, step: 3 })
  expect(asked).toEqual(['side 1', '#38'])
})

test('otherwise the one on the default branch', async () => {
  const { asked, calls } = served({ 'side 1': [failed], 'main 1': [build(43), build(40), build(12)] })
  expect(await find(calls)).toMatchObject({ build: 40 })
  expect(asked).toEqual(['side 1', 'main 1', '#40'])
})

test('a pull request uses its target branch, a tag the default branch', async () => {
  const into = served({ 'side 1': [build(40)] })
  await find(into.calls, build(42, { event: 'pull_request', ref: 'refs/pull/7/head', status: 'failure' }))
  expect(into.asked[0]).toBe('side 1')
  const tag = served({ 'main 1': [build(40)] })
  await find(tag.calls, build(42, { event: 'tag', ref: 'refs/tags/v1', target: '', status: 'failure' }))
  expect(tag.asked).toEqual(['main 1', '#40'])
})

test('one more page is read if all builds of the first are newer, and no further one', async () => {
  const newer = Array.from({ length: 50 }, (_, i) => build(142 - i))
  const { asked, calls } = served({ 'side 1': newer, 'side 2': [build(39)] })
  expect(await find(calls)).toMatchObject({ build: 39 })
  expect(asked).toEqual(['side 1', 'side 2', '#39'])
  const none = served({ 'side 1': newer })
  await expect(find(none.calls)).rejects.toThrow('in the recent builds of side')
  expect(none.asked).toHaveLength(2)
})

test('a message says if there is none', async () => {
  const nothing = served({})
  await expect(find(nothing.calls)).rejects.toThrow(
    new NoBaselineError('No earlier successful run in the recent builds of side and main'),
  )
  const other = served({ 'side 1': [build(38)] })
  await expect(find(other.calls, failed, 'deploy')).rejects.toThrow(
    'The last successful run (#38) does not have this step',
  )
  await expect(find(other.calls, failed, 'lint')).rejects.toThrow(
    'This step did not run in the last successful run (#38)',
  )
})

test('the last successful build before it counts, in any order of builds', () => {
  expect(lastSuccessful([build(3), build(41), build(43), build(40)], failed)?.number).toBe(41)
  expect(lastSuccessful([build(43), failed], failed)).toBeUndefined()
})

test('a build with an empty ref counts as one of the default branch', () => {
  for (const ref of [null, undefined]) expect(branchOf({ ...failed, ref } as unknown as Build, 'main')).toBe('main')
})
