import { expect, it } from 'vitest'
import { hiddenWords } from './netrc.ts'

it.each([
  ['the token as login', { login: 'a-token', password: 'x-oauth-basic' }, ['a-token']],
  ['the token as password', { login: 'oauth2', password: 'a-token' }, ['a-token']],
  ['a clone credential of this server', { login: 'build-7', password: 'derived' }, ['derived']],
  ['nothing', { login: '', password: '' }, []],
])('a log hides what is secret of a netrc with %s', (_what, { login, password }, hidden) => {
  expect(hiddenWords({ machine: 'git.example.com', login, password }).map(({ data }) => data)).toEqual(hidden)
})
