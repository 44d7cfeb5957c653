import type { Build, User } from '@flightdeck/api'
import { expect, test } from 'vitest'

import { isMine } from './my-builds.ts'

const me = { login: 'ada', admin: false } as User
const build = (over: object): Build => ({ number: 1, ...over }) as Build

test('a build is mine if I started it or wrote its commit', () => {
  expect(isMine(build({ actor: 'Ada', author_login: 'bob' }), me)).toBe(true)
  expect(isMine(build({ actor: 'bob', author_login: 'ada' }), me)).toBe(true)
  expect(isMine(build({ actor: 'bob', author_login: 'cleo' }), me)).toBe(false)
})
