/** What a build clones with (docs/api §7.4): for git, and not to be guessed. */
import { expect, it } from 'vitest'
import { createCredentials } from './credentials.ts'

const credentials = createCredentials((text) => `sealed(${text})`)
const build = { id: 12, repo_id: 3 }

it('git finds them by the host without its port, and the build by its login', () => {
  const { machine, login, password } = credentials.of(build, 'https://ci.example.com:8443/acme/web.git')
  expect(machine).toBe('ci.example.com')
  expect(credentials.buildOf(login)).toBe(12)
  expect(credentials.isPassword(build, password)).toBe(true)
})

it('a password is good for its own build of its own repository', () => {
  const { password } = credentials.of(build, 'http://ci.example.com/acme/web.git')
  expect(credentials.isPassword({ ...build, id: 13 }, password)).toBe(false)
  expect(credentials.isPassword({ ...build, repo_id: 4 }, password)).toBe(false)
  // 1 and 23 are not 12 and 3.
  expect(credentials.isPassword({ id: 3, repo_id: 12 }, password)).toBe(false)
  expect(credentials.isPassword(build, `${password}x`)).toBe(false)
  expect(credentials.isPassword(build, '')).toBe(false)
})

it.each(['', 'build-', 'build-0', 'build-012', 'build-12x', 'xbuild-12', 'BUILD-12', 'build-1234567890123456'])(
  '%j is the login of no build',
  (login) => {
    expect(credentials.buildOf(login)).toBeNull()
  },
)
it('a login of fifteen digits is', () => {
  expect(credentials.buildOf('build-123456789012345')).toBe(123_456_789_012_345)
})
