import { describe, expect, it } from 'vitest'
import { ForgeError } from './driver.ts'
import { netrcOf } from './netrc.ts'

describe('the netrc of a forge', () => {
  it.each(['gitea', 'forgejo', 'gogs', 'github'] as const)('has the token as its login on %s', (kind) => {
    const netrc = netrcOf(kind, 'https://git.example.com:3000/git', { access: 'abc' })
    expect(netrc).toEqual({ machine: 'git.example.com', login: 'abc', password: 'x-oauth-basic' })
  })

  it('has the token as its password on gitlab', () => {
    const netrc = netrcOf('gitlab', 'https://gitlab.com', { access: 'abc' })
    expect(netrc).toEqual({ machine: 'gitlab.com', login: 'oauth2', password: 'abc' })
  })

  it.each(['', 'a b', 'a\nmachine evil', 'ä'])('takes no token like %j', (access) => {
    expect(() => netrcOf('gitea', 'https://git.example.com', { access })).toThrow(ForgeError)
  })
})
