import type { Build, Stage } from '@flightdeck/api'
import { describe, expect, it } from 'vitest'

import { actorOf } from '../../lib/actor.ts'
import { aroundActor, userActionOf, userActionsOf, restartOf } from './user-actions.ts'
import { eventDescription } from './event-text.ts'

const build = (more: Partial<Build>): Build =>
  ({
    number: 4,
    event: 'push',
    trigger: '@hook',
    after: 'a'.repeat(40),
    target: 'main',
    author_name: 'Ada',
    ...more,
  }) as Build

describe('how a person started a build', () => {
  it.each<[Partial<Build>, string | undefined]>([
    [{}, undefined],
    [{ event: 'cron', trigger: '@cron' }, undefined],
    [{ actor: 'wes', parent: 3 }, 'wes restarted #3'],
    [{ actor: 'wes', parent: 3, debug: true }, 'wes restarted #3 in debug mode'],
    [{ actor: 'wes', parent: 3, event: 'custom' }, 'wes restarted #3'],
    [{ actor: 'wes', parent: 3, again: { only: 'failed' } }, 'wes restarted the failed stages of #3'],
    [{ actor: 'wes', parent: 3, again: { stage: 'unit' } }, 'wes restarted unit in #3'],
    [{ actor: 'wes', event: 'custom' }, 'Started manually by wes'],
    [{ actor: 'wes', event: 'cron', cron: 'nightly' }, 'wes ran cron job nightly'],
    [{ actor: 'wes', event: 'promote', parent: 1, deploy_to: 'production' }, 'wes promoted #1 to production'],
    [{ actor: 'wes', event: 'rollback', parent: 1, deploy_to: 'staging' }, 'wes rolled back staging to #1'],
    // As Drone reports it: the trigger of a copied build is the user who started it (docs/api
    // §5.3).
    [{ trigger: 'wes', parent: 3 }, 'wes restarted #3'],
    [{ trigger: 'wes', parent: 3, event: 'promote', deploy_to: 'x' }, 'wes promoted #3 to x'],
    [{ trigger: '', parent: 3 }, undefined],
  ])('%o: %s', (more, sentence) => {
    expect(userActionOf(build(more))).toBe(sentence)
  })

  it('is shown on the page if its sentence describes the first build', () => {
    expect(restartOf(build({ actor: 'wes', parent: 3 }))).toBe('wes restarted #3')
    expect(restartOf(build({ actor: 'wes', parent: 3, event: 'promote' }))).toBeUndefined()
    expect(eventDescription(build({ actor: 'wes', parent: 3 }))).toBe('Ada pushed aaaaaaaa to main')
    const promoted = build({ actor: 'wes', event: 'promote', parent: 3, deploy_to: 'production', sender: 'ann' })
    expect(eventDescription(promoted)).toBe('wes promoted #3 to production')
    expect(eventDescription({ ...promoted, event: 'rollback' })).toBe('wes rolled back production to #3')
  })
})

describe('the person of a build', () => {
  const ada = { author_login: 'ada', author_avatar: 'https://x/ada.png' }
  it('is the person who started it, without the author’s picture', () => {
    expect(actorOf(build({ ...ada, actor: 'wes', parent: 3 }))).toEqual({ login: 'wes', avatar: '' })
    expect(actorOf(build({ ...ada, actor: 'ada', parent: 3 }))).toEqual({ login: 'ada', avatar: ada.author_avatar })
    expect(actorOf(build({ event: 'custom', trigger: 'wes' })).login).toBe('wes')
  })
  it('is the author if it was not started manually, and empty for a cron job', () => {
    expect(actorOf(build(ada))).toEqual({ login: 'ada', avatar: ada.author_avatar })
    expect(actorOf(build({ sender: 'sue' })).login).toBe('sue')
    expect(actorOf(build({})).login).toBe('Ada')
    expect(actorOf({ ...build({ event: 'cron', trigger: '@cron' }), author_name: '' }).login).toBe('')
  })
})

describe('other actions on a build', () => {
  it('name the person who cancelled it, and those who approved or declined each stage, with the time', () => {
    const stages = [
      { name: 'test', approved_by: 'ann', approved: 10 },
      { name: 'deploy', declined_by: 'wes', declined: 20 },
    ] as Stage[]
    expect(userActionsOf(build({ canceled_by: 'otto', canceled: 30, stages }))).toEqual([
      { text: 'Canceled by otto', at: 30 },
      { text: 'ann approved test', at: 10 },
      { text: 'wes declined deploy', at: 20 },
    ])
    expect(userActionsOf(build({ actor: 'wes', event: 'cron', cron: 'nightly' }))).toEqual([
      { text: 'wes ran cron job nightly' },
    ])
    expect(userActionsOf(build({ actor: 'wes', parent: 3 }))).toEqual([])
  })

  it('omit what the status of the build already says', () => {
    const ended = (reason: 'canceled' | 'declined', by: string, at: number) => ({ reason, text: '', by, at })
    const stages = [{ name: 'deploy', declined_by: 'wes', declined: 20 }] as Stage[]
    expect(userActionsOf(build({ stages, ended: ended('declined', 'wes', 20) }))).toEqual([])
    expect(userActionsOf(build({ canceled_by: 'otto', canceled: 30, ended: ended('canceled', 'otto', 30) }))).toEqual(
      [],
    )
    expect(userActionsOf(build({ stages, ended: ended('canceled', 'otto', 30) }))).toHaveLength(1)
  })
})

it('fold what a person approved into one line', () => {
  const stage = (name: string, approved: number, by = 'wes') => ({ name, approved, approved_by: by })
  const of = (stages: unknown[]) => userActionsOf({ event: 'push', stages } as unknown as Build)
  expect(of([stage('lint', 3), stage('test', 9), stage('ship', 5, 'ann')])).toEqual([
    { text: 'wes approved lint and test', at: 9 },
    { text: 'ann approved ship', at: 5 },
  ])
  expect(of(['a', 'b', 'c', 'd'].map((name, at) => stage(name, at)))).toEqual([
    { text: 'wes approved 4 stages', at: 3 },
  ])
})

it('the name is found anywhere in the text', () => {
  expect(aroundActor('ada restarted #4 · Custom', 'ada')).toEqual(['', ' restarted #4 · Custom'])
  expect(aroundActor('Started manually by ada · x', 'ada')).toEqual(['Started manually by ', ' · x'])
  expect(aroundActor('Started manually by a', 'a')).toEqual(['Started manually by ', ''])
  expect(aroundActor('Push', 'ada')).toBeUndefined()
})
