import { describe, expect, it } from 'vitest'
import { defaultStatusName, slugOf, statusContext } from './statuses.ts'

describe('the name of a commit status', () => {
  it.each([
    ['push', 'continuous-integration/drone/push'],
    ['pull_request', 'continuous-integration/drone/pr'],
    ['tag', 'continuous-integration/drone/tag'],
    ['cron', 'continuous-integration/drone/cron'],
    ['custom', 'continuous-integration/drone'],
  ])('of %s is %s', (event, context) => {
    expect(statusContext({ event })).toBe(context)
  })

  it.each([
    ['Production EU', 'production-eu'],
    ['production', 'production'],
    ['staging_2', 'staging_2'],
    ['--Überall / immer--', 'uberall-immer'],
    ["the customer's", 'the-customers'],
  ])('of a promotion to %s ends with %s', (deployTo, slug) => {
    expect(slugOf(deployTo)).toBe(slug)
    expect(statusContext({ event: 'promote', deployTo })).toBe(`${defaultStatusName}/promote/${slug}`)
  })

  it('has no empty part', () => {
    expect(statusContext({ event: 'promote', deployTo: '…' })).toBe(`${defaultStatusName}/promote`)
  })

  it('begins with what is configured', () => {
    expect(statusContext({ event: 'push' }, 'ci/flightdeck')).toBe('ci/flightdeck/push')
  })
})
