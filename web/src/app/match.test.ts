import { expect, it } from 'vitest'

import { matchOf, partsOf } from './match.ts'

it.each([
  ['/a/b?x=1#L5', { pathname: '/a/b', search: '?x=1', hash: '#L5' }],
  ['/a/b/#L5?no', { pathname: '/a/b', search: '', hash: '#L5?no' }],
  ['/', { pathname: '/', search: '', hash: '' }],
  ['/a%2Fb///?q=%2F', { pathname: '/a%2Fb', search: '?q=%2F', hash: '' }],
])('%s in parts', (href, parts) => expect(partsOf(href)).toEqual(parts))

it.each([
  ['/settings/users', 'administrators'],
  ['/settings', 'administrators'],
  ['/welcome', 'everybody'],
  ['/octocat/hello/settings/secrets', 'signed-in'],
  ['/settings/secrets', 'visitors'],
])('%s is for %s', (pathname, audience) => expect(matchOf(pathname)?.audience).toBe(audience))

it.each(['/no', '/octocat/hello/settings/none/deeper/still/more', '/login/nothing/here/at/all/x'])(
  '%s leads nowhere',
  (pathname) => expect(matchOf(pathname)).toBeUndefined(),
)
