/** Events as other versions of the forges send them. */
import { describe, expect, it } from 'vitest'
import type { ForgeKind } from '../driver.ts'
import { parseHook } from './parse.ts'
import {
  ann,
  fork,
  giteaPush,
  githubPush,
  gitlabPush,
  mergeRequest,
  parse,
  pullRequest,
  repository,
  sha,
  zeros,
} from './payloads.ts'

describe('an event of another version of a forge', () => {
  const pullOf = (more: object) => ({ ...pullRequest, pull_request: { ...pullRequest.pull_request, ...more } })

  it.each<[ForgeKind, string, object, object]>([
    // Deleted refs are sent as pushes of the zero sha, with and without a flag.
    [
      'github',
      'push',
      { ...githubPush, ref: 'refs/tags/v1', after: zeros, deleted: true, head_commit: null },
      { kind: 'tag-deleted', tag: 'v1' },
    ],
    ['github', 'push', { ...githubPush, deleted: true, head_commit: null }, { kind: 'branch-deleted', branch: 'main' }],
    [
      'gitea',
      'push',
      { ...giteaPush, after: zeros, commits: [], head_commit: null },
      { kind: 'branch-deleted', branch: 'main' },
    ],
    [
      'gitea',
      'push',
      { ...giteaPush, ref: 'refs/tags/v1', after: zeros, commits: null },
      { kind: 'tag-deleted', tag: 'v1' },
    ],
    [
      'gitlab',
      'Tag Push Hook',
      { ...gitlabPush, object_kind: 'tag_push', ref: 'refs/tags/v1', after: zeros, checkout_sha: null, commits: [] },
      { kind: 'tag-deleted', tag: 'v1' },
    ],
    // Notes and pull requests are not branches; branches of merge queues are.
    ['github', 'push', { ...githubPush, ref: 'refs/notes/commits' }, { kind: 'ignored' }],
    [
      'github',
      'push',
      { ...githubPush, ref: 'refs/heads/gh-readonly-queue/main/pr-5-a' },
      { kind: 'push', branch: 'gh-readonly-queue/main/pr-5-a' },
    ],
    ['gitea', 'push', { ...giteaPush, ref: 'refs/for/main' }, { kind: 'ignored' }],
    // Other names of pull request events.
    [
      'gitea',
      'pull_request_sync',
      { ...pullRequest, action: 'synchronized' },
      { kind: 'pull-request', action: 'synchronized' },
    ],
    ['gitea', 'pull_request_label', { ...pullRequest, action: 'label_updated' }, { kind: 'ignored' }],
    ['gitea', 'pull_request_assign', { ...pullRequest, action: 'assigned' }, { kind: 'ignored' }],
    ['gitea', 'pull_request_review_approved', { ...pullRequest, action: 'reviewed' }, { kind: 'ignored' }],
    ['gitea', 'pull_request_review_request', { ...pullRequest, action: 'review_requested' }, { kind: 'ignored' }],
    ['forgejo', 'action_run_failure', { ...pullRequest, action: 'failure' }, { kind: 'ignored' }],
    [
      'gogs',
      'release',
      { action: 'published', release: { tag_name: 'v1' }, repository, sender: ann },
      { kind: 'ignored' },
    ],
    ['gogs', 'fork', { forkee: fork, repository, sender: ann }, { kind: 'ignored' }],
    ['github', 'pull_request_review', { ...pullRequest, action: 'submitted' }, { kind: 'ignored' }],
    ['github', 'pull_request', { ...pullRequest, action: 'converted_to_draft' }, { kind: 'ignored' }],
    ['github', 'pull_request', { ...pullRequest, action: 'auto_merge_enabled' }, { kind: 'ignored' }],
    ['github', 'pull_request', { ...pullRequest, action: 'enqueued' }, { kind: 'ignored' }],
    ['github', 'workflow_dispatch', { ref: 'refs/heads/main', repository, sender: ann }, { kind: 'ignored' }],
    // The title and the target are edited at the same time.
    [
      'github',
      'pull_request',
      { ...pullRequest, action: 'edited', changes: { title: { from: 'x' }, base: { ref: { from: 'old' } } } },
      { action: 'retargeted' },
    ],
    // Drafts are built, too.
    ['github', 'pull_request', pullOf({ draft: true }), { kind: 'pull-request', action: 'opened', draft: true }],
    // A deleted account, and one that hides everything.
    [
      'github',
      'pull_request',
      { ...pullOf({ user: null }), sender: null },
      { kind: 'pull-request', author: { login: '', avatar: '' } },
    ],
    ['gitea', 'push', { ...giteaPush, pusher: null, sender: null }, { kind: 'push', sender: { login: '' } }],
    ['github', 'push', { ...githubPush, sender: undefined, pusher: { name: 'ann' } }, { kind: 'push' }],
    // Unknown fields.
    [
      'forgejo',
      'push',
      { ...giteaPush, run_number: 7, repository: { ...repository, object_format_name: 'sha1', topics: [] } },
      { kind: 'push', after: sha('b') },
    ],
    [
      'gitlab',
      'Push Hook',
      { ...gitlabPush, push_options: { ci: { skip: true } }, ref_protected: true },
      { kind: 'push' },
    ],
    ['gitlab', 'Emoji Hook', { ...gitlabPush, object_kind: 'emoji' }, { kind: 'ignored' }],
    ['gitlab', 'Release Hook', { ...gitlabPush, object_kind: 'release' }, { kind: 'ignored' }],
    ['gitlab', 'Job Hook', { ...gitlabPush, object_kind: 'build' }, { kind: 'ignored' }],
    ['gitlab', 'System Hook', gitlabPush, { kind: 'push', branch: 'main' }],
    ['gitlab', 'System Hook', mergeRequest, { kind: 'pull-request', action: 'opened' }],
    [
      'gitlab',
      'Merge Request Hook',
      { ...mergeRequest, object_attributes: { ...mergeRequest.object_attributes, action: 'approval' } },
      { kind: 'ignored' },
    ],
    // Before version 10 the project has no id.
    [
      'gitlab',
      'Merge Request Hook',
      { ...mergeRequest, project: { ...mergeRequest.project, id: undefined } },
      { kind: 'pull-request', repository: { id: '7' } },
    ],
    ['gitlab', 'Merge Request Hook', { ...mergeRequest, user: null }, { kind: 'pull-request', author: { login: '' } }],
  ])('%s %s', (kind, name, payload, expected) => {
    expect(parse(kind, name, payload)).toMatchObject(expected)
  })

  it('may have a long title, which is cut, and a long branch', () => {
    const branch = 'b'.repeat(500)
    const title = '題'.repeat(10_000)
    const head = { ...pullRequest.pull_request.head, ref: branch }
    const event = parse('github', 'pull_request', pullOf({ title, head }))
    expect(event).toMatchObject({ kind: 'pull-request', source: branch })
    expect(event.kind === 'pull-request' && event.title.length).toBe(2_048)
  })

  it('may have a message in another encoding', () => {
    const text = JSON.stringify({ ...giteaPush, commits: [{ ...giteaPush.commits[0], message: 'caf?' }] })
    const latin = Buffer.from(text, 'latin1')
    latin[latin.indexOf('caf?') + 3] = 0xe9
    const header = (name: string) => (name === 'x-gitea-event' ? 'push' : undefined)
    expect(parseHook('gitea', header, latin).event).toMatchObject({ kind: 'push', message: 'caf\ufffd' })
  })
})
