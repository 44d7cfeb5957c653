/** Payloads that no forge sends. */
import { describe, expect, it } from 'vitest'
import type { ForgeKind } from '../driver.ts'
import { maxHookBytes } from './json.ts'
import { parseHook } from './parse.ts'
import {
  ann,
  bytes,
  fork,
  giteaPush,
  githubPush,
  gitlabPush,
  gogsPullRequest,
  mergeRequest,
  parse,
  pullRequest,
  repository,
} from './payloads.ts'

describe('an invalid payload', () => {
  const names: Record<ForgeKind, readonly string[]> = {
    gitea: ['push', 'create', 'delete', 'pull_request', 'repository', 'constructor', '__proto__'],
    forgejo: ['push', 'pull_request'],
    gogs: ['push', 'create', 'delete', 'pull_request'],
    github: ['push', 'create', 'delete', 'pull_request', 'deployment', 'repository', 'ping', 'public', 'toString'],
    gitlab: ['Push Hook', 'Tag Push Hook', 'Merge Request Hook', 'System Hook', 'Deployment Hook', 'x'],
  }
  const kinds = ['gitea', 'forgejo', 'gogs', 'github', 'gitlab'] as const
  const good = [
    giteaPush,
    githubPush,
    gitlabPush,
    pullRequest,
    gogsPullRequest,
    mergeRequest,
    { repository, sender: ann },
  ]
  const bad: readonly unknown[] = [
    null,
    [],
    0,
    -1,
    1e300,
    true,
    '',
    'x',
    {},
    [[]],
    { id: {} },
    '../../x',
    'a\nb',
    '\ud800',
  ]

  /** The payload with each field replaced by each invalid value. */
  const damaged = function* (value: unknown): Generator {
    if (typeof value !== 'object' || value === null) return
    const entries = Object.entries(value)
    for (const [key, field] of entries) {
      for (const worse of bad) yield { ...value, [key]: worse }
      for (const inner of damaged(field)) yield Array.isArray(value) ? [inner] : { ...value, [key]: inner }
    }
  }

  it.each(kinds)('never throws, and never makes an event without an id and names, on %s @system', (kind) => {
    for (const name of names[kind]) {
      for (const payload of good) {
        for (const worse of damaged(payload)) {
          const event = parse(kind, name, worse)
          if (!('repository' in event) || !event.repository) continue
          expect(event.repository.id).toMatch(/^[1-9]\d*$/)
          expect(`${event.repository.namespace}/${event.repository.name}`).toMatch(/^[\w.-]+(?:\/[\w.-]+)+$/)
          expect(event.repository.namespace.split('/')).not.toContain('..')
        }
      }
    }
  })

  it.each(kinds)('that is not a JSON object is rejected on %s', (kind) => {
    const header = (name: string) => (name === `x-${kind}-event` ? 'push' : undefined)
    for (const text of ['', 'x', '[]', '"x"', 'null', '1', '{"a":', '\u0000']) {
      const { event } = parseHook(kind, header, new TextEncoder().encode(text))
      expect(event.kind).toBe('invalid')
    }
    expect(parseHook(kind, header, new Uint8Array([0xff, 0xfe])).event.kind).toBe('invalid')
    expect(parseHook(kind, () => undefined, bytes(giteaPush)).event.kind).toBe('invalid')
  })

  it('that is too large or nested too deeply is rejected', () => {
    const header = () => 'push'
    const large = new Uint8Array(maxHookBytes + 1).fill(0x20)
    expect(parseHook('gitea', header, large).event.kind).toBe('invalid')
    const deep = new TextEncoder().encode(`{"a":${'['.repeat(1_000_000)}`)
    expect(parseHook('gitea', header, deep).event.kind).toBe('invalid')
  })

  it('has its long texts cut', () => {
    const long = 'x'.repeat(200_000)
    const commits = [{ ...giteaPush.commits[0], message: long }]
    const event = parse('gitea', 'push', { ...giteaPush, commits })
    expect(event.kind === 'push' && event.message.length).toBe(65_536)
    const pull = { ...pullRequest.pull_request, title: `a\u0007\n${long}` }
    const opened = parse('gitea', 'pull_request', { ...pullRequest, pull_request: pull })
    expect(opened.kind === 'pull-request' && opened.title.slice(0, 4)).toBe('a  x')
  })

  it('has no links but of http: and https:', () => {
    const event = parse('gitea', 'push', {
      ...giteaPush,
      compare_url: 'javascript:alert(1)',
      sender: { ...ann, avatar_url: 'data:text/html,x' },
      repository: { ...repository, html_url: 'file:///etc/passwd' },
    })
    expect(event).toMatchObject({ sender: { avatar: '' }, repository: { link: '' } })
    expect(event.kind === 'push' && event.link).toMatch(/^https:/)
  })

  it('of one event under the header of another starts no build', () => {
    expect(parse('gitlab', 'Push Hook', mergeRequest).kind).toBe('invalid')
    expect(parse('gitea', 'push', pullRequest).kind).toBe('invalid')
    expect(parse('gitea', 'pull_request', giteaPush).kind).toBe('ignored')
    expect(parse('github', 'deployment', { ...githubPush, fork }).kind).toBe('invalid')
  })
})
