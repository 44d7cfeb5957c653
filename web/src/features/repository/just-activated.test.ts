import { expect, it } from 'vitest'
import { forgetActivated, isJustActivated, rememberActivated } from './just-activated.ts'

it('stays the one that was activated, however often a page is rendered, until its focus is set', () => {
  rememberActivated('acme/web')
  expect([isJustActivated('acme/web'), isJustActivated('acme/tool'), isJustActivated('acme/web')]).toEqual([
    true,
    false,
    true,
  ])
  forgetActivated()
  expect(isJustActivated('acme/web')).toBe(false)
})
