import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'

import type { RepoConnection } from '@flightdeck/api'
import { ConnectionFacts } from './connection-facts.tsx'

const forge = { title: 'Gogs', url: 'https://git.example.com', sign_in: 'password' } as const
const connected: RepoConnection = {
  forge: 'Gogs',
  link: 'https://git.example.com/acme/shop',
  acts_as: 'ann',
  status_error: '',
  hook: { state: 'installed', error: '', seen: 0 },
  mirror: { fetched: 0, bytes: 0, error: '' },
}
const manual = {
  url: 'https://ci.example.com/hook',
  secret: 's3cret',
  content_type: 'application/json',
  events: ['push', 'create'],
  page: 'https://git.example.com/acme/web/settings/hooks/gogs/new',
}
const textOf = (over: Partial<RepoConnection>): string =>
  renderToStaticMarkup(<ConnectionFacts forge={forge} connection={{ ...connected, ...over }} />)

test('a working connection names the account and requires nothing', () => {
  const html = textOf({})
  expect(html).toContain('account of ann')
  expect(html).toContain('Installed.')
  expect(html).not.toMatch(/Connect again|Commit status|Add webhook|Secret/)
})

test('an expired account links to the sign-in', () => {
  const html = textOf({ acts_as: '' })
  expect(html).toMatch(/href="\/login"[^>]*>Connect again/)
  expect(html).not.toContain('account of')
})

test('a webhook to add manually shows what to copy, and the reason', () => {
  const html = textOf({ hook: { state: 'manual', error: 'Gogs refuses (403).', seen: 0, manual } })
  for (const part of [
    'Gogs refuses (403).',
    manual.url,
    manual.secret,
    manual.content_type,
    'push, create',
    manual.page,
  ])
    expect(html).toContain(part)
})

test.each(['https://git.example.com.evil.example/x', 'javascript:alert(1)', 'https://git.example.org/x'])(
  'a form of another host is not linked: %s',
  (page) => {
    const html = textOf({ hook: { state: 'manual', error: 'no', seen: 0, manual: { ...manual, page } } })
    expect(html).not.toContain('href')
    expect(html).toContain(manual.secret)
  },
)

test('without the values only the reason is shown', () => {
  const html = textOf({ hook: { state: 'manual', error: 'no right', seen: 0 } })
  expect(html).toContain('no right')
  expect(html).not.toContain('Add a webhook')
})

test('mirror and statuses show their errors', () => {
  const html = textOf({
    mirror: { fetched: 1_795_749_856, bytes: 183_204, error: 'git was refused' },
    status_error: 'Gogs cannot be reached.',
  })
  for (const part of ['183 KB', 'git was refused', 'Gogs cannot be reached.']) expect(html).toContain(part)
})
