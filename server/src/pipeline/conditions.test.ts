import { describe, expect, it } from 'vitest'
import { matchCondition, matchTrigger, matchWhen, runPolicy } from './conditions.ts'
import type { BuildInput } from './conditions.ts'

const push: BuildInput = {
  branch: 'main',
  event: 'push',
  action: '',
  ref: 'refs/heads/main',
  repo: 'acme/web',
  target: '',
  cron: '',
}
const include = (...patterns: string[]) => ({ include: patterns, exclude: [] })
const exclude = (...patterns: string[]) => ({ include: [], exclude: patterns })

describe('matchCondition', () => {
  it('matches everything when nothing is included', () => {
    expect(matchCondition(undefined, 'x')).toBe(true)
    expect(matchCondition(include(), 'x')).toBe(true)
  })
  it('lets excludes win', () => {
    expect(matchCondition({ include: ['*'], exclude: ['main'] }, 'main')).toBe(false)
    expect(matchCondition(exclude('main'), 'dev')).toBe(true)
  })
})

describe('matchTrigger', () => {
  it('needs all entries to match', () => {
    expect(matchTrigger({ branch: include('main'), event: include('push') }, push)).toBe(true)
    expect(matchTrigger({ branch: include('main'), event: include('tag') }, push)).toBe(false)
  })
  it('compares each entry with its own value', () => {
    const deploy = { ...push, event: 'promote', target: 'prod', cron: 'nightly', action: 'opened' }
    for (const [key, value] of Object.entries({ target: 'prod', cron: 'nightly', action: 'opened', repo: 'acme/*' })) {
      expect(matchTrigger({ [key]: include(value) }, deploy)).toBe(true)
      expect(matchTrigger({ [key]: include('other') }, deploy)).toBe(false)
    }
  })
  it('fails a branch on a build without one', () => {
    expect(matchTrigger({ branch: include('main') }, { ...push, branch: '', ref: 'refs/tags/v1' })).toBe(false)
  })
  it('ignores instance and status', () => {
    expect(matchTrigger({ instance: include('other'), status: include('failure') }, push)).toBe(true)
  })
})

it('matchWhen checks the instance, but not the status', () => {
  expect(matchWhen({ instance: include('ci.example.com') }, { ...push, instance: 'ci.example.com' })).toBe(true)
  expect(matchWhen({ instance: include('ci.example.com') }, { ...push, instance: 'other' })).toBe(false)
  expect(matchWhen({ instance: include('?*') }, push)).toBe(false)
  expect(matchWhen({ status: include('failure') }, push)).toBe(true)
})

it.each([
  ['none', undefined, true, false],
  ['success', include('success'), true, false],
  ['failure', include('failure'), false, true],
  ['both', include('success', 'failure'), true, true],
  ['changed', include('changed'), false, false],
  ['not success', exclude('success'), false, true],
])('runPolicy of %s', (_name, status, onSuccess, onFailure) => {
  expect(runPolicy(status)).toEqual({ onSuccess, onFailure })
})
