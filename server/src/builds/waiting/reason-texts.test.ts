/** The sentences of waiting stages, as people read them. */
import { expect, it } from 'vitest'
import {
  approval,
  dependency,
  concurrencyLimited,
  needsOf,
  noRunner,
  paused,
  queuePosition,
  starting,
} from './reason-texts.ts'

const long = 'x'.repeat(61)
const shown = `${'x'.repeat(60)}…`
const nobody = 'none is connected'

it.each([
  [['a'], 'Waiting for a'],
  [['a', 'b'], 'Waiting for a and b'],
  [['a', 'b', 'c', 'd', 'e'], 'Waiting for a, b, c, d and e'],
  [['a', 'b', 'c', 'd', 'e', 'f', 'g'], 'Waiting for a, b, c, d, e and 2 more'],
  [[long, 'x'.repeat(60)], `Waiting for ${shown} and ${'x'.repeat(60)}`],
  [[], 'Waiting for '],
])('what needs %j', (names, text) => {
  expect(dependency(names)).toEqual({ reason: 'dependency', text, stages: names })
})
it('of a thousand names twenty are listed', () => {
  const names = Array.from({ length: 1_000 }, (_, index) => `s${index}`)
  expect(dependency(names)).toMatchObject({
    stages: names.slice(0, 20),
    text: 'Waiting for s0, s1, s2, s3, s4 and 995 more',
  })
})

it.each([
  [{ type: 'exec' }, 'type exec'],
  [{ type: '' }, 'type docker'],
  [{ type: 'docker', os: 'linux', arch: 'arm', variant: 'v7' }, 'type docker for linux/arm/v7'],
  [{ type: 'exec', os: 'linux' }, 'type exec for linux'],
  [{ type: 'exec', kernel: '10.0' }, 'type exec with the kernel 10.0'],
  [{ type: 'exec', labels: { zone: 'a' } }, 'type exec with the label zone=a'],
  [{ type: 'exec', os: 'linux', labels: { zone: 'a', b: '1' } }, 'type exec for linux with the labels zone=a and b=1'],
  [{ type: long }, `type ${shown}`],
])('a stage of %j that nobody takes', (stage, words) => {
  expect(noRunner(stage)).toMatchObject({ reason: 'runner', text: `Waiting for a runner of ${words}; ${nobody}` })
})

it('a stage of another kind than pipeline, which no runner asks for', () => {
  expect(noRunner({ kind: 'Pipeline', type: '', os: 'linux', arch: 'amd64' })).toEqual({
    reason: 'runner',
    text: 'No runner accepts kind “Pipeline”; use “kind: pipeline”',
    needs: { kind: 'Pipeline', type: 'docker', os: 'linux', arch: 'amd64' },
  })
})

it('labels are listed without empty and default ones', () => {
  const nothing = { kind: '', type: '', os: '', arch: '', variant: '', kernel: '', labels: {} }
  expect(needsOf(nothing)).toEqual({ type: 'docker' })
  expect(needsOf({ kind: 'pipeline', type: 'exec' })).toEqual({ type: 'exec' })
  const all = { kind: 'other', type: 't', os: 'o', arch: 'a', variant: 'v', kernel: 'k', labels: { l: '1' } }
  expect(needsOf(all)).toEqual(all)
  const cut = { kind: long, type: long, os: long, arch: long, variant: long, kernel: long, labels: { [long]: long } }
  const least = {
    kind: shown,
    type: shown,
    os: shown,
    arch: shown,
    variant: shown,
    kernel: shown,
    labels: { [shown]: shown },
  }
  expect(needsOf(cut)).toEqual(least)
  const labels = Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`l${index}`, '1']))
  expect(Object.keys(needsOf({ type: 'exec', labels }).labels ?? {})).toHaveLength(20)
})

it.each([
  [1, '1st'],
  [2, '2nd'],
  [3, '3rd'],
  [4, '4th'],
  [11, '11th'],
  [12, '12th'],
  [21, '21st'],
  [113, '113th'],
])('the place %i is the %s', (position, words) => {
  expect(queuePosition(position, 200, 2, 2)).toEqual({
    reason: 'place',
    text: `Queued: ${words} of 200 (2 of 2 runner slots busy)`,
    position,
    of: 200,
    busy: 2,
    places: 2,
  })
})
it('as many as places are free are next', () => {
  const soon = 'Waiting for a runner to pick it up'
  expect([1, 2, 3].map((position) => queuePosition(position, 3, 1, 3).text === soon)).toEqual([true, true, false])
})

it('the rest', () => {
  expect(approval()).toEqual({ reason: 'approval', text: 'Waiting for approval (needs write access)' })
  expect(paused()).toEqual({ reason: 'paused', text: 'The queue is paused' })
  expect(starting('far')).toEqual({ reason: 'start', text: 'Picked up by far, not started yet', machine: 'far' })
  expect(concurrencyLimited('repository', 2)).toEqual({
    reason: 'limit',
    text: 'Waiting: this repository is limited to 2 at a time',
    scope: 'repository',
    limit: 2,
  })
})
