import { describe, expect, it } from 'vitest'
import { parseHook } from './parse.ts'
import { readPayload } from './payload.ts'
import {
  ann,
  giteaPush,
  githubPush,
  gitlabPush,
  gogsPullRequest,
  mergeRequest,
  parse,
  project,
  pullRequest,
  repository,
  sha,
  zeros,
} from './payloads.ts'

const giteaKinds = ['gitea', 'forgejo', 'gogs'] as const

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
  it.each(['gitea', 'gogs', 'github'] as const)('of %s is read', async (kind) => {
    const headers: Record<string, string> = {
      'content-type': 'application/x-www-form-urlencoded; charset=utf-8',
      [`x-${kind}-event`]: 'push',
    }
    const text = JSON.stringify(kind === 'github' ? githubPush : giteaPush)
    const read = async (body: string) => {
      const payload = await readPayload(headers['content-type'], new TextEncoder().encode(body))
      return parseHook(kind, (name) => headers[name], payload).event
    }
    expect(await read(`payload=${encodeURIComponent(text)}`)).toMatchObject({ kind: 'push', after: sha('b') })
    expect((await read('other=1')).kind).toBe('invalid')
    expect((await read('')).kind).toBe('invalid')
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

  it('that is deleted on gitlab arrives as a push of the zero sha', () => {
    const payload = { ...gitlabPush, object_kind: 'tag_push', ref: 'refs/tags/v1', after: zeros, checkout_sha: null }
    expect(parse('gitlab', 'Tag Push Hook', payload)).toMatchObject({ kind: 'tag-deleted', tag: 'v1' })
  })
})

describe('a branch', () => {
  it('that is new on github is reported by its push', () => {
    const payload = { ref: 'door', ref_type: 'branch', repository, sender: ann }
    expect(parse('github', 'create', payload).kind).toBe('ignored')
  })

  it.each([...giteaKinds, 'github'] as const)('that is new or deleted on %s has its name', (kind) => {
    const payload = { ref: 'door', ref_type: 'branch', repository, sender: ann }
    if (kind !== 'github')
      expect(parse(kind, 'create', payload)).toMatchObject({ kind: 'branch-created', branch: 'door' })
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

  it.each(['gitea', 'forgejo'] as const)('of %s that was pushed to refs/for/main counts as a fork’s', (kind) => {
    const head = { label: '', ref: 'refs/pull/5/head', sha: sha('d'), repo_id: 7, repo: repository }
    const payload = { ...pullRequest, pull_request: { ...pullRequest.pull_request, head } }
    expect(parse(kind, 'pull_request', payload)).toMatchObject({ fork: true, head: sha('d') })
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

  it('reports changes of the repository', () => {
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
