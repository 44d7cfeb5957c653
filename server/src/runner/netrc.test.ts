import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Netrc } from '../interfaces/origin.ts'
import { createNetrcRefresher, netrcSecrets, writeNetrc } from './netrc.ts'

it.each([
  ['the token as login', { login: 'a-token', password: 'x-oauth-basic' }, ['a-token']],
  ['the token as password', { login: 'oauth2', password: 'a-token' }, ['a-token']],
  ['a clone credential of this server', { login: 'build-7', password: 'derived' }, ['derived']],
  ['nothing', { login: '', password: '' }, []],
])('a log masks the secret part of a netrc with %s', (_what, { login, password }, hidden) => {
  expect(netrcSecrets({ machine: 'git.example.com', login, password }).map(({ data }) => data)).toEqual(hidden)
})

describe('the credential of a build that runs longer than its token is valid', () => {
  const first: Netrc = { machine: 'git.example.com', login: 'first', password: 'x-oauth-basic' }
  const second: Netrc = { ...first, login: 'second' }
  let workspace: { folder: string; home: string }
  beforeEach(() => {
    const folder = mkdtempSync(join(tmpdir(), 'flightdeck-netrc-'))
    workspace = { folder, home: join(folder, 'home') }
    mkdirSync(workspace.home)
  })
  afterEach(() => rmSync(workspace.folder, { recursive: true, force: true }))

  it('is renewed when a later step starts; the old one stays if renewing fails', async () => {
    let clock = 0
    let answer: () => Netrc | null = () => second
    const logged: string[] = []
    const refresher = createNetrcRefresher({
      given: first,
      fetchCredential: async () => answer(),
      write: (netrc) => writeNetrc(workspace, netrc, undefined),
      now: () => clock,
      log: (message) => logged.push(message),
    })
    expect(await refresher.renew()).toBeNull()
    clock = 3_600
    expect(await refresher.renew()).toEqual(second)
    const file = join(workspace.home, '.netrc')
    expect(readFileSync(file, 'utf8')).toBe('machine git.example.com login second password x-oauth-basic\n')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    clock = 7_200
    answer = () => {
      throw new Error('the forge is down')
    }
    expect(await refresher.renew()).toBeNull()
    expect(readFileSync(file, 'utf8')).toContain('second')
    expect(logged).toEqual(['a build keeps its old credential: the forge is down'])
  })

  it('replaces a link that a step created in its place, without following it', async () => {
    const target = join(workspace.folder, 'of-the-server')
    writeFileSync(target, 'kept')
    symlinkSync(target, join(workspace.home, '.netrc'))
    await writeNetrc(workspace, second, undefined)
    expect(readFileSync(target, 'utf8')).toBe('kept')
    expect(readFileSync(join(workspace.home, '.netrc'), 'utf8')).toContain('second')
  })

  it('is never added to a build that had none', async () => {
    let clock = 0
    const given = { given: null, fetchCredential: async () => second, write: async () => expect.fail('written') }
    const refresher = createNetrcRefresher({ ...given, now: () => clock, log: () => undefined })
    clock = 3_600
    expect(await refresher.renew()).toBeNull()
  })
})
