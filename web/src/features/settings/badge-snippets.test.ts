import { expect, test } from 'vitest'

import { badgePath, snippetsOf } from './badge-snippets.ts'

const badge = {
  host: 'https://ci.example.com',
  page: 'https://ci.example.com',
  namespace: 'acme',
  name: 'web',
  branch: '',
}

test('the three syntaxes', () => {
  expect(snippetsOf(badge).map((snippet) => snippet.text)).toEqual([
    '[![Build Status](https://ci.example.com/api/badges/acme/web/status.svg)](https://ci.example.com/acme/web)',
    '<a href="https://ci.example.com/acme/web"><img src="https://ci.example.com/api/badges/acme/web/status.svg" alt="Build Status"></a>',
    'https://ci.example.com/api/badges/acme/web/cc.xml',
  ])
})

test('a branch is requested by its ref', () => {
  expect(badgePath({ ...badge, branch: ' feature/one ' })).toBe(
    '/api/badges/acme/web/status.svg?ref=refs/heads/feature/one',
  )
  expect(badgePath({ ...badge, branch: 'a&b#c d' })).toBe(
    '/api/badges/acme/web/status.svg?ref=refs/heads/a%26b%23c%20d',
  )
})

test('a stage, an event and a branch pattern are requested', () => {
  expect(badgePath({ ...badge, branch: 'release/*', event: 'push', stage: ' unit test ' })).toBe(
    '/api/badges/acme/web/status.svg?ref=refs/heads/release/%2A&event=push&stage=unit%20test',
  )
  expect(badgePath({ ...badge, event: 'tag', stage: ' ' })).toBe('/api/badges/acme/web/status.svg?event=tag')
})

test('no name can break out of the snippet', () => {
  const [markdown, markup] = snippetsOf({ ...badge, branch: ')<script>"' })
  expect(markdown?.text).not.toContain(')<')
  expect(markup?.text).not.toContain('<script>')
})
