import { describe, expect, it } from 'vitest'
import type { ForgeKind } from '../driver.ts'
import type { ForgeEvent, InvalidHook } from '../events.ts'
import { maxHookBytes } from './json.ts'
import { parseHook } from './parse.ts'
import {
  ann,
  fork,
  giteaPush,
  githubPush,
  gitlabPush,
  gogsPullRequest,
  mergeRequest,
  project,
  pullRequest,
  repository,
  sha,
} from './payloads.ts'

const bytes = (payload: unknown) => new TextEncoder().encode(JSON.stringify(payload))

const parse = (kind: ForgeKind, event: string, payload: unknown): ForgeEvent | InvalidHook =>
  parseHook(kind, (name) => (name === `x-${kind}-event` ? event : undefined), bytes(payload)).event

const giteaKinds = ['gitea', 'forgejo', 'gogs'] as const
const zeros = sha('0')

describe('a push', () => {
  it.each([
    ...giteaKinds.map((kind) => [kind, 'push', giteaPush] as const),
    ['github', 'push', githubPush] as const,
    ['gitlab', 'Push Hook', gitlabPush] as const,
    ['gitlab', 'System Hook', gitlabPush] as const,
  ])('of %s (%s) tells its newest commit', (kind, name, payload) => {
    expect(parse(kind, name, payload)).toMatchObject({
      kind: 'push',
      ref: 'refs/heads/main',
      branch: 'main',
      before: sha('a'),
      after: sha('b'),
      message: expect.stringMatching(/^Newest/) as string,
      author: { login: 'ann', name: 'Ann', avatar: ann.avatar_url },
      sender: { login: 'ann' },
      repository: { id: '7', name: 'app', defaultBranch: 'main' },
    })
  })

  it('without commits is one of the person who pushed', () => {
    const event = parse('gogs', 'push', { ...giteaPush, commits: [] })
    expect(event).toMatchObject({ kind: 'push', after: sha('b'), message: '', author: { login: 'ann', name: 'Ann' } })
  })

  it.each([
    ['gitea', 'push', { ...giteaPush, after: zeros, commits: [] }],
    ['github', 'push', { ...githubPush, after: zeros, deleted: true, head_commit: null }],
    ['gitlab', 'Push Hook', { ...gitlabPush, after: zeros, checkout_sha: null, commits: [] }],
  ] as const)('of %s to nothing deletes the branch', (kind, name, payload) => {
    expect(parse(kind, name, payload)).toMatchObject({ kind: 'branch-deleted', branch: 'main' })
  })

  it('builds the commit of an annotated tag', () => {
    const gitea = { ...giteaPush, ref: 'refs/tags/v1', head_commit: { ...giteaPush.commits[0], id: sha('e') } }
    expect(parse('gitea', 'push', gitea)).toMatchObject({ kind: 'tag', tag: 'v1', after: sha('e') })
    const github = { ...githubPush, ref: 'refs/tags/v1', base_ref: 'refs/heads/main', after: sha('e') }
    expect(parse('github', 'push', github)).toMatchObject({ kind: 'tag', after: sha('b'), branch: 'main' })
    const gitlab = { ...gitlabPush, object_kind: 'tag_push', ref: 'refs/tags/v1', after: sha('e') }
    expect(parse('gitlab', 'Tag Push Hook', gitlab)).toMatchObject({ kind: 'tag', after: sha('b') })
  })

  it('to another ref than a branch or tag is ignored', () => {
    expect(parse('gitea', 'push', { ...giteaPush, ref: 'refs/notes/commits' })).toMatchObject({ kind: 'ignored' })
  })

  it.each([
    '',
    'main',
    'refs/heads/',
    'refs/heads/a..b',
    'refs/heads/-\u0000',
    'refs/heads/a b',
    'refs/heads/../x',
    7,
    null,
  ])('to the ref %j is refused', (ref) => {
    expect(parse('gitea', 'push', { ...giteaPush, ref }).kind).toBe('invalid')
    expect(parse('github', 'push', { ...githubPush, ref }).kind).toBe('invalid')
  })
})

describe('a hook that is sent as a form', () => {
  it.each(['gitea', 'gogs', 'github'] as const)('of %s is read', (kind) => {
    const headers: Record<string, string> = {
      'content-type': 'application/x-www-form-urlencoded; charset=utf-8',
      [`x-${kind}-event`]: 'push',
    }
    const text = JSON.stringify(kind === 'github' ? githubPush : giteaPush)
    const read = (body: string) => parseHook(kind, (name) => headers[name], new TextEncoder().encode(body)).event
    expect(read(`payload=${encodeURIComponent(text)}`)).toMatchObject({ kind: 'push', after: sha('b') })
    expect(read('other=1').kind).toBe('invalid')
    expect(read('').kind).toBe('invalid')
  })
})

describe('a tag', () => {
  it.each(giteaKinds)('is made by an event of its own on %s', (kind) => {
    const payload = { ref: 'v1', ref_type: 'tag', sha: sha('b'), repository, sender: ann }
    expect(parse(kind, 'create', payload)).toMatchObject({ kind: 'tag', ref: 'refs/tags/v1', after: sha('b') })
    expect(parse(kind, 'delete', { ...payload, pusher_type: 'user' })).toMatchObject({ kind: 'tag-deleted', tag: 'v1' })
  })

  it('has no commit yet in an event of its own on github', () => {
    const payload = { ref: 'v1', ref_type: 'tag', repository, sender: ann }
    expect(parse('github', 'create', payload)).toMatchObject({ kind: 'tag', ref: 'refs/tags/v1', after: '' })
  })

  it('that is deleted on gitlab is told as a push to nothing', () => {
    const payload = { ...gitlabPush, object_kind: 'tag_push', ref: 'refs/tags/v1', after: zeros, checkout_sha: null }
    expect(parse('gitlab', 'Tag Push Hook', payload)).toMatchObject({ kind: 'tag-deleted', tag: 'v1' })
  })
})

describe('a branch', () => {
  it.each([...giteaKinds, 'github'] as const)('that is new on %s is told by its push', (kind) => {
    const payload = { ref: 'door', ref_type: 'branch', repository, sender: ann }
    expect(parse(kind, 'create', payload).kind).toBe('ignored')
    expect(parse(kind, 'delete', payload)).toMatchObject({ kind: 'branch-deleted', branch: 'door' })
  })
})

describe('a pull request', () => {
  const ofGitlab = (action: string, more: object = {}, changes: object = {}) => ({
    ...mergeRequest,
    object_attributes: { ...mergeRequest.object_attributes, action, ...more },
    changes,
  })

  it.each([
    ['gitea', 'pull_request', pullRequest],
    ['forgejo', 'pull_request', pullRequest],
    ['github', 'pull_request', pullRequest],
    ['gitlab', 'Merge Request Hook', mergeRequest],
    ['gogs', 'pull_request', gogsPullRequest],
  ] as const)('of %s is a fork’s by the id of its repository', (kind, name, payload) => {
    expect(parse(kind, name, payload)).toMatchObject({
      kind: 'pull-request',
      action: 'opened',
      number: 5,
      title: 'Add a door',
      source: 'door',
      target: 'main',
      head: kind === 'gogs' ? '' : sha('d'),
      sourceRepository: 'ann/app',
      sourceRepositoryId: '8',
      fork: true,
      author: { login: 'ann', avatar: ann.avatar_url },
    })
  })

  it('from a repository of the same name but another id is a fork’s', () => {
    const head = { ...pullRequest.pull_request.head, repo: { ...repository, id: 99 } }
    const payload = { ...pullRequest, pull_request: { ...pullRequest.pull_request, head } }
    expect(parse('github', 'pull_request', payload)).toMatchObject({ fork: true, sourceRepository: 'team/app' })
  })

  it('of a fork that was deleted is a fork’s', () => {
    const head = { ...pullRequest.pull_request.head, repo: null }
    const payload = { ...pullRequest, pull_request: { ...pullRequest.pull_request, head } }
    expect(parse('github', 'pull_request', payload)).toMatchObject({ fork: true, sourceRepository: '' })
    expect(parse('gitea', 'pull_request', payload)).toMatchObject({ fork: true, sourceRepository: '' })
  })

  it('of the repository itself is none of a fork', () => {
    const head = { ...pullRequest.pull_request.head, repo: repository }
    const payload = { ...pullRequest, pull_request: { ...pullRequest.pull_request, head } }
    expect(parse('github', 'pull_request', payload)).toMatchObject({ fork: false })
    const gitlab = ofGitlab('open', { source_project_id: 7, source: project })
    expect(parse('gitlab', 'Merge Request Hook', gitlab)).toMatchObject({
      fork: false,
      sourceRepository: 'team/backend/app',
      repository: { namespace: 'team/backend', name: 'app' },
    })
  })

  it.each([
    ['github', 'synchronize', {}, 'synchronized'],
    ['github', 'reopened', {}, 'reopened'],
    ['github', 'closed', {}, 'closed'],
    ['github', 'edited', { base: { ref: { from: 'old' } } }, 'retargeted'],
    ['gitea', 'synchronized', {}, 'synchronized'],
    ['gitea', 'edited', { ref: { from: 'old' } }, 'retargeted'],
    ['gitea', 'closed', {}, 'closed'],
    ['gogs', 'synchronized', {}, 'synchronized'],
    ['gogs', 'reopened', {}, 'reopened'],
  ] as const)('of %s that is %s with changes %j is %s', (kind, action, changes, expected) => {
    const payload = kind === 'gogs' ? gogsPullRequest : pullRequest
    expect(parse(kind, 'pull_request', { ...payload, action, changes })).toMatchObject({ action: expected })
  })

  it.each([
    ['github', 'edited', { title: { from: 'old' } }],
    ['github', 'labeled', {}],
    ['github', 'ready_for_review', {}],
    ['github', 'constructor', {}],
    ['gitea', 'edited', { title: { from: 'old' } }],
    ['gitea', 'label_updated', {}],
    ['gitea', 'assigned', {}],
    ['gogs', 'label_updated', {}],
  ] as const)('of %s that is %s with changes %j is ignored', (kind, action, changes) => {
    expect(parse(kind, 'pull_request', { ...pullRequest, action, changes })).toMatchObject({ kind: 'ignored' })
  })

  it.each([
    ['update', { oldrev: sha('a') }, {}, 'synchronized'],
    ['update', {}, { target_branch: { previous: 'old', current: 'main' } }, 'retargeted'],
    ['reopen', {}, {}, 'reopened'],
    ['close', {}, {}, 'closed'],
    ['merge', { state: 'merged' }, {}, 'closed'],
  ] as const)('of gitlab that has %s %j and changes %j is %s', (action, more, changes, expected) => {
    const event = parse('gitlab', 'Merge Request Hook', ofGitlab(action, more, changes))
    expect(event).toMatchObject({ kind: 'pull-request', action: expected, merged: action === 'merge' })
  })

  it.each([
    ['update', {}, { labels: { previous: [], current: [{ title: 'bug' }] } }],
    ['update', {}, { title: { previous: 'old', current: 'new' } }],
    ['update', { oldrev: sha('d') }, {}],
    ['approved', {}, {}],
    ['', {}, {}],
  ] as const)('of gitlab that has %s %j and changes %j is ignored', (action, more, changes) => {
    expect(parse('gitlab', 'Merge Request Hook', ofGitlab(action, more, changes))).toMatchObject({ kind: 'ignored' })
  })
})

describe('an event of github alone', () => {
  const deployment = {
    deployment: {
      id: 11,
      sha: sha('b'),
      ref: 'main',
      task: 'deploy',
      environment: 'Production EU',
      description: 'Go',
      payload: { count: 2, name: 'x', deep: { a: [1] } },
    },
    repository,
    sender: ann,
  }

  it('tries the hook', () => {
    expect(parse('github', 'ping', { zen: 'x', repository })).toMatchObject({ kind: 'ping', repository: { id: '7' } })
    expect(parse('github', 'ping', { zen: 'x' })).toEqual({ kind: 'ping' })
  })

  it('asks for a deployment, with its payload as parameters', () => {
    expect(parse('github', 'deployment', deployment)).toMatchObject({
      kind: 'deployment',
      id: '11',
      target: 'Production EU',
      ref: 'refs/heads/main',
      name: 'main',
      after: sha('b'),
      params: { count: '2', name: 'x', deep: '{"a":[1]}' },
    })
  })

  it.each([
    ['v1.2.3', 'refs/tags/v1.2.3', 'v1.2.3'],
    ['refs/heads/x', 'refs/heads/x', 'x'],
    [sha('b'), '', ''],
  ])('asks for the deployment of %s', (ref, full, name) => {
    const payload = { ...deployment, deployment: { ...deployment.deployment, ref } }
    expect(parse('github', 'deployment', payload)).toMatchObject({ ref: full, name })
  })

  it.each([
    ['{"a":"b"}', { a: 'b' }],
    ['no json', {}],
    [[1], {}],
    [Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`k${index}`, 'v'])), undefined],
    [{ 'a b': 'x', big: 'x'.repeat(5_000) }, {}],
  ])('has parameters within bounds', (payload, expected) => {
    const event = parse('github', 'deployment', { ...deployment, deployment: { ...deployment.deployment, payload } })
    const params = event.kind === 'deployment' ? event.params : {}
    if (expected) expect(params).toEqual(expected)
    else expect(Object.keys(params)).toHaveLength(100)
  })

  it('tells what became of the repository', () => {
    const renamed = { action: 'renamed', changes: { repository: { name: { from: 'old' } } }, repository, sender: ann }
    expect(parse('github', 'repository', renamed)).toMatchObject({ action: 'renamed', formerSlug: 'team/old' })
    const changes = { owner: { from: { organization: { login: 'former' } } } }
    const moved = { action: 'transferred', changes, repository, sender: ann }
    expect(parse('github', 'repository', moved)).toMatchObject({ action: 'transferred', formerSlug: 'former/app' })
    const hidden = { action: 'privatized', repository, sender: ann }
    expect(parse('github', 'repository', hidden)).toMatchObject({ kind: 'repository', action: 'privatized' })
    expect(parse('github', 'repository', { ...hidden, action: 'edited' }).kind).toBe('ignored')
    expect(parse('github', 'public', hidden)).toMatchObject({ action: 'publicized' })
  })
})

describe('a system hook of gitlab', () => {
  const change = { project_id: 7, path_with_namespace: 'team/sub/app', project_visibility: 'private' }

  it.each([
    ['project_rename', 'renamed'],
    ['project_transfer', 'transferred'],
    ['project_update', 'privatized'],
    ['project_destroy', 'deleted'],
  ])('of %s says that the project is %s', (name, action) => {
    const payload = { ...change, event_name: name, old_path_with_namespace: 'team/old' }
    expect(parse('gitlab', 'System Hook', payload)).toMatchObject({
      kind: 'repository',
      action,
      formerSlug: 'team/old',
      repository: { id: '7', namespace: 'team/sub', name: 'app', private: true },
    })
  })

  it.each(['user_create', 'project_create', 'repository_update', ''])('of %s is ignored', (name) => {
    expect(parse('gitlab', 'System Hook', { ...change, event_name: name }).kind).toBe('ignored')
  })
})

describe('an event as other versions of the forges send it', () => {
  const zeros = '0'.repeat(40)
  const pullOf = (more: object) => ({ ...pullRequest, pull_request: { ...pullRequest.pull_request, ...more } })

  it.each<[ForgeKind, string, object, object]>([
    // Deleted refs are told as pushes to nothing, with and without a flag.
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
    // Notes, pull requests and merge queues are no branches, or plain ones.
    ['github', 'push', { ...githubPush, ref: 'refs/notes/commits' }, { kind: 'ignored' }],
    [
      'github',
      'push',
      { ...githubPush, ref: 'refs/heads/gh-readonly-queue/main/pr-5-a' },
      { kind: 'push', branch: 'gh-readonly-queue/main/pr-5-a' },
    ],
    ['gitea', 'push', { ...giteaPush, ref: 'refs/for/main' }, { kind: 'ignored' }],
    // Names of events that tell of pull requests in other words.
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
    // Both at once: the title and the target are edited.
    [
      'github',
      'pull_request',
      { ...pullRequest, action: 'edited', changes: { title: { from: 'x' }, base: { ref: { from: 'old' } } } },
      { action: 'retargeted' },
    ],
    // A draft is built like any other.
    ['github', 'pull_request', pullOf({ draft: true }), { kind: 'pull-request', action: 'opened', draft: true }],
    // An account that was deleted, and one that hides everything.
    [
      'github',
      'pull_request',
      { ...pullOf({ user: null }), sender: null },
      { kind: 'pull-request', author: { login: '', avatar: '' } },
    ],
    ['gitea', 'push', { ...giteaPush, pusher: null, sender: null }, { kind: 'push', sender: { login: '' } }],
    ['github', 'push', { ...githubPush, sender: undefined, pusher: { name: 'ann' } }, { kind: 'push' }],
    // Fields that nobody knew of yet.
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
    ['gitlab', 'Merge Request Hook', { ...mergeRequest, user: null }, { kind: 'pull-request', author: { login: '' } }],
  ])('%s %s', (kind, name, payload, expected) => {
    expect(parse(kind, name, payload)).toMatchObject(expected)
  })

  it('with a title and a branch as long as they may be', () => {
    const branch = 'b'.repeat(500)
    const title = '題'.repeat(10_000)
    const head = { ...pullRequest.pull_request.head, ref: branch }
    const event = parse('github', 'pull_request', pullOf({ title, head }))
    expect(event).toMatchObject({ kind: 'pull-request', source: branch })
    expect(event.kind === 'pull-request' && event.title.length).toBe(2_048)
  })

  it('with a message of old, in another encoding', () => {
    const text = JSON.stringify({ ...giteaPush, commits: [{ ...giteaPush.commits[0], message: 'caf?' }] })
    const latin = Buffer.from(text, 'latin1')
    latin[latin.indexOf('caf?') + 3] = 0xe9
    const header = (name: string) => (name === 'x-gitea-event' ? 'push' : undefined)
    expect(parseHook('gitea', header, latin).event).toMatchObject({ kind: 'push', message: 'caf\ufffd' })
  })
})

describe('junk', () => {
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

  /** Every field of the payload, one after another, with every value that it should not have. */
  const spoiled = function* (value: unknown): Generator {
    if (typeof value !== 'object' || value === null) return
    const entries = Object.entries(value)
    for (const [key, field] of entries) {
      for (const worse of bad) yield { ...value, [key]: worse }
      for (const inner of spoiled(field)) yield Array.isArray(value) ? [inner] : { ...value, [key]: inner }
    }
  }

  it.each(kinds)('never throws, and never makes an event without an id and names, on %s', (kind) => {
    for (const name of names[kind]) {
      for (const payload of good) {
        for (const worse of spoiled(payload)) {
          const event = parse(kind, name, worse)
          if (!('repository' in event) || !event.repository) continue
          expect(event.repository.id).toMatch(/^[1-9]\d*$/)
          expect(`${event.repository.namespace}/${event.repository.name}`).toMatch(/^[\w.-]+(?:\/[\w.-]+)+$/)
          expect(event.repository.namespace.split('/')).not.toContain('..')
        }
      }
    }
  })

  it.each(kinds)('that is no JSON object is refused on %s', (kind) => {
    const header = (name: string) => (name === `x-${kind}-event` ? 'push' : undefined)
    for (const text of ['', 'x', '[]', '"x"', 'null', '1', '{"a":', '\u0000']) {
      const { event } = parseHook(kind, header, new TextEncoder().encode(text))
      expect(event.kind).toBe('invalid')
    }
    expect(parseHook(kind, header, new Uint8Array([0xff, 0xfe])).event.kind).toBe('invalid')
    expect(parseHook(kind, () => undefined, bytes(giteaPush)).event.kind).toBe('invalid')
  })

  it('that is too large or too deep is read quickly', () => {
    const header = () => 'push'
    const large = new Uint8Array(maxHookBytes + 1).fill(0x20)
    expect(parseHook('gitea', header, large).event.kind).toBe('invalid')
    const deep = new TextEncoder().encode(`{"a":${'['.repeat(1_000_000)}`)
    expect(parseHook('gitea', header, deep).event.kind).toBe('invalid')
  })

  it('in long texts is cut', () => {
    const long = 'x'.repeat(200_000)
    const commits = [{ ...giteaPush.commits[0], message: long }]
    const event = parse('gitea', 'push', { ...giteaPush, commits })
    expect(event.kind === 'push' && event.message.length).toBe(65_536)
    const pull = { ...pullRequest.pull_request, title: `a\u0007\n${long}` }
    const opened = parse('gitea', 'pull_request', { ...pullRequest, pull_request: pull })
    expect(opened.kind === 'pull-request' && opened.title.slice(0, 4)).toBe('a  x')
  })

  it('in addresses is left out', () => {
    const event = parse('gitea', 'push', {
      ...giteaPush,
      compare_url: 'javascript:alert(1)',
      sender: { ...ann, avatar_url: 'data:text/html,x' },
      repository: { ...repository, html_url: 'file:///etc/passwd' },
    })
    expect(event).toMatchObject({ sender: { avatar: '' }, repository: { link: '' } })
    expect(event.kind === 'push' && event.link).toMatch(/^https:/)
  })

  it('of one event under the header of another starts nothing', () => {
    expect(parse('gitlab', 'Push Hook', mergeRequest).kind).toBe('invalid')
    expect(parse('gitea', 'push', pullRequest).kind).toBe('invalid')
    expect(parse('gitea', 'pull_request', giteaPush).kind).toBe('ignored')
    expect(parse('github', 'deployment', { ...githubPush, fork }).kind).toBe('invalid')
  })
})
