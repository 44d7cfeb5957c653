import { describe, expect, it } from 'vitest'
import type { ForgeKind } from '../driver.ts'
import { createDriver } from './index.ts'

const url = 'https://example.com/git'
const oauth = ['gitea', 'forgejo', 'github', 'gitlab'] as const
const kinds: readonly ForgeKind[] = [...oauth, 'gogs']
const settings = { url, apiUrl: 'http://forge.internal:3000', clientId: 'client', clientSecret: 'the secret' }

describe('a driver', () => {
  it.each(oauth)(
    'of %s sends people to the forge’s own address, with state and PKCE and without the secret',
    async (kind) => {
      const { signIn } = await createDriver({ kind, ...settings })
      if (signIn.kind !== 'oauth') throw new Error('expected OAuth')
      const redirectUri = 'https://ci.example.com/login'
      const address = new URL(signIn.authorizeUrl({ state: 'a state', redirectUri, challenge: 'abc' }))
      expect(address.href.startsWith(`${url}/`)).toBe(true)
      expect(Object.fromEntries(address.searchParams)).toMatchObject({
        client_id: 'client',
        redirect_uri: redirectUri,
        response_type: 'code',
        state: 'a state',
        code_challenge: 'abc',
        code_challenge_method: 'S256',
      })
      expect(address.href).not.toContain('secret')
    },
  )

  it('of gogs has a form', async () => {
    expect((await createDriver({ kind: 'gogs', url })).signIn.kind).toBe('password')
  })

  it.each([
    ['gitea', undefined, 'https://example.com/git/team/app.git'],
    ['gogs', 'http://forge.internal:3000', 'http://forge.internal:3000/team/app.git'],
    ['gitlab', 'http://forge.internal:3000/lab', 'http://forge.internal:3000/lab/group/sub/app.git'],
    ['github', 'https://ghe.internal/api/v3', 'https://ghe.internal/team/app.git'],
    ['github', 'https://api.example.com', 'https://example.com/git/team/app.git'],
  ] as const)('of %s, reached by %s, fetches from %s', async (kind, apiUrl, address) => {
    const driver = await createDriver({ kind, url, clientId: 'client', clientSecret: 'it', ...(apiUrl && { apiUrl }) })
    const namespace = kind === 'gitlab' ? 'group/sub' : 'team'
    expect(driver.fetchUrl({ namespace, name: 'app' })).toBe(address)
    expect(driver.cloneUrl({ namespace, name: 'app' })).toBe(`${url}/${namespace}/app.git`)
  })

  it.each(kinds)('of %s clones from the forge’s own address', async (kind) => {
    const driver = await createDriver({ kind, ...settings })
    expect(driver.cloneUrl({ namespace: 'team', name: 'app' })).toBe(`${url}/team/app.git`)
    expect(driver.cloneUrl({ namespace: '../..', name: 'app' })).toBe(`${url}/app.git`)
    expect(driver.netrc({ access: 'abc' }).machine).toBe('example.com')
    expect(driver.hookByHand.page('team/app')).toContain(`${url}/team/app/`)
  })
})
