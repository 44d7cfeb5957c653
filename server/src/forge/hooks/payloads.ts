/** Small payloads of our own for tests, in the forms of the forges. */
import type { ForgeKind } from '../driver.ts'
import type { ForgeEvent, InvalidHook } from '../events.ts'
import { parseHook } from './parse.ts'

export const sha = (digit: string): string => digit.repeat(40)
export const zeros = sha('0')

export const bytes = (payload: unknown) => new TextEncoder().encode(JSON.stringify(payload))

/** Parses a payload whose event is in a header. */
export const parse = (kind: ForgeKind, event: string, payload: unknown): ForgeEvent | InvalidHook =>
  parseHook(kind, (name) => (name === `x-${kind}-event` ? event : undefined), bytes(payload)).event

const avatar = 'https://git.example.com/avatars/ann'
const owner = { id: 3, login: 'team', username: 'team' }

export const repository = {
  id: 7,
  owner,
  name: 'app',
  full_name: 'team/app',
  private: true,
  html_url: 'https://git.example.com/team/app',
  clone_url: 'https://git.example.com/team/app.git',
  default_branch: 'main',
}

export const fork = { ...repository, id: 8, owner: { id: 4, login: 'ann' }, full_name: 'ann/app' }

export const ann = { id: 4, login: 'ann', full_name: 'Ann', email: 'ann@example.com', avatar_url: avatar }

const commit = (id: string, message: string) => ({
  id,
  message,
  url: `https://git.example.com/team/app/commit/${id}`,
  author: { name: 'Ann', email: 'ann@example.com', username: 'ann' },
})

export const giteaPush = {
  ref: 'refs/heads/main',
  before: sha('a'),
  after: sha('b'),
  compare_url: 'https://git.example.com/team/app/compare/a...b',
  commits: [commit(sha('b'), 'Newest\n'), commit(sha('c'), 'Older\n')],
  repository,
  pusher: ann,
  sender: ann,
}

export const githubPush = {
  ref: 'refs/heads/main',
  before: sha('a'),
  after: sha('b'),
  base_ref: null,
  deleted: false,
  compare: 'https://git.example.com/team/app/compare/a...b',
  commits: [commit(sha('c'), 'Older'), commit(sha('b'), 'Newest')],
  head_commit: commit(sha('b'), 'Newest'),
  repository,
  sender: ann,
}

export const pullRequest = {
  action: 'opened',
  number: 5,
  changes: {},
  pull_request: {
    number: 5,
    user: ann,
    title: 'Add a door',
    body: 'It opens.',
    state: 'open',
    draft: false,
    merged: false,
    html_url: 'https://git.example.com/team/app/pulls/5',
    head: { ref: 'door', sha: sha('d'), repo: fork },
    base: { ref: 'main', sha: sha('a'), repo: repository },
  },
  repository,
  sender: ann,
}

export const gogsPullRequest = {
  ...pullRequest,
  pull_request: {
    number: 5,
    user: ann,
    title: 'Add a door',
    body: '',
    html_url: 'https://git.example.com/team/app/pulls/5',
    head_branch: 'door',
    head_repo: fork,
    base_branch: 'main',
    base_repo: repository,
  },
}

export const project = {
  id: 7,
  path_with_namespace: 'team/backend/app',
  namespace: 'Backend Team',
  visibility_level: 20,
  web_url: 'https://git.example.com/team/backend/app',
  git_http_url: 'https://git.example.com/team/backend/app.git',
  default_branch: 'main',
}

export const gitlabPush = {
  object_kind: 'push',
  event_name: 'push',
  before: sha('a'),
  after: sha('b'),
  ref: 'refs/heads/main',
  checkout_sha: sha('b'),
  user_id: 4,
  user_name: 'Ann',
  user_username: 'ann',
  user_email: 'ann@example.com',
  user_avatar: avatar,
  project_id: 7,
  project,
  commits: [commit(sha('c'), 'Older'), commit(sha('b'), 'Newest')],
}

export const mergeRequest = {
  object_kind: 'merge_request',
  user: { id: 4, name: 'Ann', username: 'ann', avatar_url: avatar, email: '[REDACTED]' },
  project,
  object_attributes: {
    id: 900,
    iid: 5,
    title: 'Add a door',
    description: 'It opens.',
    source_branch: 'door',
    target_branch: 'main',
    source_project_id: 8,
    target_project_id: 7,
    source: { id: 8, path_with_namespace: 'ann/app', namespace: 'Ann' },
    last_commit: { id: sha('d'), message: 'Add a door' },
    state: 'opened',
    action: 'open',
    url: 'https://git.example.com/team/backend/app/-/merge_requests/5',
  },
  changes: {},
}
