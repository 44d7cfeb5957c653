import { expect, it } from 'vitest'
import { discardActivated, isJustActivated, rememberActivated } from './just-activated.ts'

it('stays set over any number of renders, until the focus is set', () => {
  rememberActivated('acme/web')
  expect([isJustActivated('acme/web'), isJustActivated('acme/tool'), isJustActivated('acme/web')]).toEqual([
    true,
    false,
    true,
  ])
  discardActivated()
  expect(isJustActivated('acme/web')).toBe(false)
})
