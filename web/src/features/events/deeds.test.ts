import type { Build, Stage } from '@flightdeck/api'
import { describe, expect, it } from 'vitest'

import { deedsOf, deedsWithStages } from './deeds.ts'
import { eventDescription } from './event-text.ts'

const build = (more: Partial<Build>): Build =>
  ({ number: 4, event: 'push', after: 'a'.repeat(40), target: 'main', author_name: 'Ada', ...more }) as Build
const words = (more: Partial<Build>) => deedsOf(build(more)).map(({ text }) => text)

describe('what people did to a build', () => {
  it('is nothing where nobody pressed, or another server does not tell', () => {
    expect(words({})).toEqual([])
    expect(words({ parent: 3, trigger: 'wes' })).toEqual([])
  })

  it('names who restarted which build, beside who made the commit', () => {
    expect(words({ actor: 'wes', parent: 3 })).toEqual(['wes restarted #3'])
    expect(words({ actor: 'wes', parent: 3, debug: true })).toEqual(['wes restarted #3 to debug it'])
    expect(words({ actor: 'wes', parent: 3, event: 'custom' })).toEqual(['wes restarted #3'])
    expect(words({ actor: 'wes', event: 'cron' })).toEqual(['wes started it'])
    expect(eventDescription(build({ actor: 'wes', parent: 3 }))).toBe('Ada pushed aaaaaaaa to main')
  })

  it('does not repeat what the sentence says', () => {
    expect(words({ actor: 'wes', event: 'custom' })).toEqual([])
    const promoted = build({ actor: 'wes', event: 'promote', parent: 3, deploy_to: 'production', sender: 'ann' })
    expect(deedsOf(promoted)).toEqual([])
    expect(eventDescription(promoted)).toBe('wes promoted #3 to production')
    expect(eventDescription({ ...promoted, event: 'rollback' })).toBe('wes rolled back production to #3')
  })

  it('names who ended it, and who gave his word for which stage, with the time', () => {
    const stages = [
      { name: 'test', approved_by: 'ann', approved: 10 },
      { name: 'deploy', declined_by: 'wes', declined: 20 },
    ] as Stage[]
    expect(deedsWithStages(build({ canceled_by: 'otto', canceled: 30, stages }))).toEqual([
      { text: 'otto canceled it', at: 30 },
      { text: 'ann approved test', at: 10 },
      { text: 'wes declined deploy', at: 20 },
    ])
  })
})
