import { expect, test } from 'vitest'

import { explainRefusal } from './refusals.ts'

const forge = { title: 'GitLab', url: 'https://git.example.com', sign_in: 'oauth' } as const

test.each([
  ['Unauthorized', /^Wrong username or password\.$/],
  ['User registration is disabled', /add you first/],
  ['User must be a member of an approved organization', /join/],
  ['Machine account login is forbidden', /token/],
  ['This sign-in was not started in this browser, or took too long. Try again.', /15 minutes/],
])('%s is explained, with and without a forge', (message, words) => {
  expect(explainRefusal(message, forge)).toMatch(words)
  expect(explainRefusal(message, undefined)).toMatch(words)
})

test.each([
  'GitLab: access_denied',
  'GitLab: The resource owner or authorization server denied the request.',
  'GitLab: The user has denied your application access.',
])('%s: it was not allowed', (message) =>
  expect(explainRefusal(message, forge)).toBe(
    'You did not allow Flightdeck to use your GitLab account. To sign in, try again and allow it.',
  ),
)

test('any other response of the forge names the forge', () => {
  expect(explainRefusal('GitLab: server_error', forge)).toMatch(/^GitLab did not complete the sign-in\./)
})

test.each([
  'constructor',
  '__proto__',
  'Account is not active',
  'Gitea: access_denied',
  'GitLab did not return a usable token.',
  '',
])('nothing is added to what is not known: %s', (message) => expect(explainRefusal(message, forge)).toBeUndefined())
