/**
 * Webhooks that the fake forges send, in their forges' formats. Ann pushes, bob opens pull requests
 * from a fork.
 */
import type { StandRepository } from './world.ts'

interface Pushed {
  ref: string
  before: string
  after: string
  message: string
}

interface PullRequest {
  action: 'opened' | 'closed' | 'labelled' | 'retargeted'
  number: number
  head: string
  title: string
  source: string
  target: string
  fork: boolean
}

interface Deployment {
  id: number
  ref: string
  after: string
  environment: string
}

/** The event's name, and the body. */
type Sent = readonly [string, unknown]

const picture = (login: string): string => `https://forge.example.com/avatars/${login}`
const bobsFork = 9_999

const account = (login: string, id: number) => ({ id, login, username: login, avatar_url: picture(login) })

const repositoryOf = ({ id, namespace, name, visibility }: StandRepository) => ({
  id,
  owner: { login: namespace },
  name,
  full_name: `${namespace}/${name}`,
  private: visibility !== 'public',
  default_branch: 'main',
  html_url: `https://forge.example.com/${namespace}/${name}`,
  clone_url: `https://evil.example.com/${namespace}/${name}.git`,
})

const commitOf = ({ after, message }: Pushed) => ({
  id: after,
  message,
  author: { name: 'Ann', email: 'ann@example.com', username: 'ann' },
})

const pullActions = { opened: 'opened', closed: 'closed', labelled: 'edited', retargeted: 'edited' }
/** Gitea names the field `ref`, GitHub `base`. */
const pullChanges = {
  opened: {},
  closed: {},
  labelled: { title: { from: 'Old' } },
  retargeted: { ref: { from: 'main' }, base: { ref: { from: 'main' } } },
}

const ofGitea = {
  push: (repository: StandRepository, pushed: Pushed): Sent => [
    'push',
    {
      ref: pushed.ref,
      before: pushed.before,
      after: pushed.after,
      compare_url: 'https://forge.example.com/compare',
      compare: 'https://forge.example.com/compare',
      commits: [commitOf(pushed)],
      head_commit: commitOf(pushed),
      repository: repositoryOf(repository),
      pusher: account('ann', 1),
      sender: account('ann', 1),
    },
  ],
  pullRequest: (repository: StandRepository, pull: PullRequest): Sent => {
    const base = repositoryOf(repository)
    const source = pull.fork ? { ...base, id: bobsFork, owner: { login: 'bob' }, full_name: 'bob/app' } : base
    return [
      'pull_request',
      {
        action: pullActions[pull.action],
        number: pull.number,
        changes: pullChanges[pull.action],
        pull_request: {
          number: pull.number,
          title: pull.title,
          body: '',
          user: account('bob', 2),
          html_url: 'https://forge.example.com/pull',
          head: { ref: pull.source, sha: pull.head, repo: source },
          base: { ref: pull.target, sha: '', repo: base },
        },
        repository: base,
        sender: account('bob', 2),
      },
    ]
  },
}

/** Only GitHub has these. */
const deployment = (repository: StandRepository, { id, ref, after, environment }: Deployment): Sent => [
  'deployment',
  {
    action: 'created',
    deployment: { id, ref, sha: after, task: 'deploy', environment, description: 'Ship', payload: { count: 2 } },
    repository: repositoryOf(repository),
    sender: account('ann', 1),
  },
]

const projectOf = ({ id, namespace, name, visibility }: StandRepository) => ({
  id,
  path_with_namespace: `${namespace}/${name}`,
  visibility_level: visibility === 'public' ? 20 : 0,
  default_branch: 'main',
  web_url: `https://forge.example.com/${namespace}/${name}`,
  git_http_url: `https://evil.example.com/${namespace}/${name}.git`,
})

const mergeActions = { opened: 'open', closed: 'close', labelled: 'update', retargeted: 'update' }
const mergeChanges = {
  opened: {},
  closed: {},
  labelled: { labels: { previous: [], current: [{ title: 'bug' }] } },
  retargeted: { target_branch: { previous: 'main', current: 'release' } },
}

const ofGitlab = {
  push: (repository: StandRepository, pushed: Pushed): Sent => [
    'Push Hook',
    {
      object_kind: 'push',
      ref: pushed.ref,
      before: pushed.before,
      after: pushed.after,
      checkout_sha: pushed.after,
      user_username: 'ann',
      user_name: 'Ann',
      user_avatar: picture('ann'),
      project: projectOf(repository),
      commits: [commitOf(pushed)],
    },
  ],
  pullRequest: (repository: StandRepository, pull: PullRequest): Sent => [
    'Merge Request Hook',
    {
      object_kind: 'merge_request',
      user: { id: 2, username: 'bob', name: 'Bob', avatar_url: picture('bob') },
      project: projectOf(repository),
      object_attributes: {
        iid: pull.number,
        title: pull.title,
        description: '',
        source_branch: pull.source,
        target_branch: pull.target,
        source_project_id: pull.fork ? bobsFork : repository.id,
        source: { path_with_namespace: pull.fork ? 'bob/app' : `${repository.namespace}/${repository.name}` },
        last_commit: { id: pull.head },
        action: mergeActions[pull.action],
        state: pull.action === 'closed' ? 'closed' : 'opened',
        url: 'https://forge.example.com/merge',
      },
      changes: mergeChanges[pull.action],
    },
  ],
}

export const eventsOf = (kind: 'gitea' | 'github' | 'gitlab') => ({
  ...(kind === 'gitlab' ? ofGitlab : ofGitea),
  deployment,
})
