import type { Build } from '@flightdeck/api'
import { expect, it } from 'vitest'

import { passedWith, runsOf } from './from-builds.ts'

const build = (number: number, status: string, after: string, more: Partial<Build> = {}): Build =>
  ({ number, status, after, ref: 'refs/heads/main', ...more }) as unknown as Build

const list = [
  build(7, 'failure', 'c'),
  build(6, 'running', 'c'),
  build(5, 'success', 'b'),
  build(4, 'failure', 'b'),
  build(3, 'killed', 'b'),
  build(2, 'success', 'a', { params: { FAST: '1' } }),
  build(1, 'failure', 'a'),
]

it('counts failed and successful builds of the branch, and commits that were both with nothing else changed', () => {
  const failed = build(7, 'failure', 'c')
  expect(runsOf(list, failed)).toEqual({ count: 5, failed: 3, mixed: [{ commit: 'b', failed: 4, passed: 5 }] })
})

it('ignores other branches and later builds, and needs at least three builds', () => {
  expect(runsOf(list, build(4, 'failure', 'b'))).toMatchObject({ count: 3, failed: 2 })
  expect(runsOf(list.slice(0, 3), build(7, 'failure', 'c'))).toBeUndefined()
  expect(runsOf(list, build(7, 'failure', 'c', { ref: 'refs/heads/side' }))).toBeUndefined()
})

it('finds the newest other successful build of the commit with the same parameters', () => {
  expect(passedWith(list, build(4, 'failure', 'b'))?.number).toBe(5)
  // Different parameters, a different commit, and the build itself.
  for (const candidate of [build(1, 'failure', 'a'), build(7, 'failure', 'c'), build(5, 'success', 'b')])
    expect(passedWith(list, candidate)).toBeUndefined()
  const params = { A: '1', B: '2' }
  const same = [build(1, 'success', 'd', { params: { B: '2', A: '1' } })]
  expect(passedWith(same, build(2, 'failure', 'd', { params }))?.number).toBe(1)
})
