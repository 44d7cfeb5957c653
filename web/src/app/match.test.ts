import { expect, it } from 'vitest'

import { paths } from '../lib/paths.ts'
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

const { repo, branches, branch, commit, deployments, pulls, times, build, ...settings } = paths
const { repoSettings, secrets, orgSecrets, cron, access, badges } = settings
const plain = { repo, branches, deployments, pulls, times, repoSettings, secrets, orgSecrets, cron, access, badges }
const pages = {
  ...plain,
  branch: (namespace: string, name: string) => branch(namespace, name, 'fix/it'),
  commit: (namespace: string, name: string) => commit(namespace, name, 'a'.repeat(40)),
  build: (namespace: string, name: string) => build(namespace, name, 7, 1, 2),
}

it.each(Object.entries(pages))('a namespace with slashes is one part of the address: %s', (_page, addressOf) => {
  for (const namespace of ['group/sub/deep', 'group', 'settings/x', 'a b/%2F'])
    expect(matchOf(addressOf(namespace, 'app'))?.params).toMatchObject({ namespace, name: 'app' })
})
