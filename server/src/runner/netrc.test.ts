import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Netrc } from '../interfaces/origin.ts'
import { createNetrcRefresher, hiddenWords, writeNetrc } from './netrc.ts'

it.each([
  ['the token as login', { login: 'a-token', password: 'x-oauth-basic' }, ['a-token']],
  ['the token as password', { login: 'oauth2', password: 'a-token' }, ['a-token']],
  ['a clone credential of this server', { login: 'build-7', password: 'derived' }, ['derived']],
  ['nothing', { login: '', password: '' }, []],
])('a log hides what is secret of a netrc with %s', (_what, { login, password }, hidden) => {
  expect(hiddenWords({ machine: 'git.example.com', login, password }).map(({ data }) => data)).toEqual(hidden)
})

describe('the credential of a build that outlives its token', () => {
  const first: Netrc = { machine: 'git.example.com', login: 'first', password: 'x-oauth-basic' }
  const second: Netrc = { ...first, login: 'second' }
  let workspace: { folder: string; home: string }
  beforeEach(() => {
    const folder = mkdtempSync(join(tmpdir(), 'flightdeck-netrc-'))
    workspace = { folder, home: join(folder, 'home') }
    mkdirSync(workspace.home)
  })
  afterEach(() => rmSync(workspace.folder, { recursive: true, force: true }))

  it('is a fresh one when a later step starts, and stays where there is none', async () => {
    let clock = 0
    let answer: () => Netrc | null = () => second
    const logged: string[] = []
    const keeper = createNetrcRefresher({
      given: first,
      ask: async () => answer(),
      write: (netrc) => writeNetrc(workspace, netrc, undefined),
      now: () => clock,
      log: (message) => logged.push(message),
    })
    expect(await keeper.renew()).toBeNull()
    clock = 3_600
    expect(await keeper.renew()).toEqual(second)
    const file = join(workspace.home, '.netrc')
    expect(readFileSync(file, 'utf8')).toBe('machine git.example.com login second password x-oauth-basic\n')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    clock = 7_200
    answer = () => {
      throw new Error('the forge is down')
    }
    expect(await keeper.renew()).toBeNull()
    expect(readFileSync(file, 'utf8')).toContain('second')
    expect(logged).toEqual(['a build keeps its old credential: the forge is down'])
  })

  it('follows no link that a step has put in its place', async () => {
    const target = join(workspace.folder, 'of-the-server')
    writeFileSync(target, 'kept')
    symlinkSync(target, join(workspace.home, '.netrc'))
    await writeNetrc(workspace, second, undefined)
    expect(readFileSync(target, 'utf8')).toBe('kept')
    expect(readFileSync(join(workspace.home, '.netrc'), 'utf8')).toContain('second')
  })

  it('never comes to a build that had none', async () => {
    let clock = 0
    const given = { given: null, ask: async () => second, write: async () => expect.fail('written') }
    const keeper = createNetrcRefresher({ ...given, now: () => clock, log: () => undefined })
    clock = 3_600
    expect(await keeper.renew()).toBeNull()
  })
})
