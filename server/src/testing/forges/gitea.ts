/**
 * A fake Gitea and Forgejo. Its responses have the types that `gitea-js` generates from Gitea's API
 * description.
 */
import type { CommitStatus, Hook, Organization, PullRequest, Repository, User } from 'gitea-js'
import { answerHooks, readConfig } from './hooks.ts'
import { forbidden, notFound, pageOf, StandForge, StandReply, type StandForm, type StandRequest } from './stand.ts'
import type { StandHook, StandPerson, StandPull, StandRepository, StandWorld } from './world.ts'

/** Gitea's own limit. */
const maxPageSize = 50

const userOf = ({ id, login, email }: StandPerson, url: string) =>
  ({
    id,
    login,
    full_name: login.toUpperCase(),
    email,
    avatar_url: `${url}/avatars/${login}`,
    is_admin: false,
  }) satisfies Partial<User>

const repositoryOf = (world: StandWorld, repository: StandRepository, login: string | undefined, url: string) => {
  const { id, namespace, name, visibility, archived } = repository
  const level = world.levelOf(repository, login)
  return {
    id,
    owner: {
      id: world.people.get(namespace)?.id ?? 1,
      login: namespace,
      visibility: visibility === 'internal' ? 'limited' : 'public',
    },
    name,
    full_name: `${namespace}/${name}`,
    private: visibility === 'private',
    internal: false,
    archived,
    html_url: `${url}/${namespace}/${name}`,
    clone_url: `${url}/${namespace}/${name}.git`,
    default_branch: 'main',
    permissions: { admin: level === 'admin', push: level !== 'read', pull: true },
  } satisfies Partial<Repository>
}

const hookOf = ({ id, url, events, active }: StandHook) =>
  ({ id, type: 'gitea', active, events, config: { url, content_type: 'json' } }) satisfies Partial<Hook>

/** Gitea accepts a secret only for a new hook. */
const changeConfig = (body: Record<string, unknown>): Partial<StandHook> => {
  const { secret: _, ...changed } = readConfig(body)
  return changed
}

const pullOf = (world: StandWorld, repository: StandRepository, pull: StandPull, url: string) => {
  const endOf = (of: StandRepository, ref: string, sha: string) => ({
    label: ref,
    ref,
    sha,
    repo_id: of.id,
    repo: repositoryOf(world, of, undefined, url),
  })
  return {
    id: pull.number,
    number: pull.number,
    state: 'open',
    title: pull.title,
    body: '',
    user: userOf(pull.author, url),
    html_url: `${url}/${world.slugOf(repository)}/pulls/${pull.number}`,
    head: endOf(pull.from, pull.source, pull.head),
    base: endOf(repository, pull.target, ''),
    merged: false,
  } satisfies Partial<PullRequest>
}

const states = new Set(['pending', 'success', 'error', 'failure', 'warning'])

const answerRepository = (
  world: StandWorld,
  repository: StandRepository,
  request: StandRequest,
  path: readonly string[],
  url: string,
): StandReply => {
  const [what, ...more] = path
  if (what === undefined) return new StandReply(200, repositoryOf(world, repository, request.login, url))
  if (what === 'hooks') {
    return answerHooks(world, repository, request, more, {
      read: readConfig,
      change: changeConfig,
      write: hookOf,
      update: 'PATCH',
    })
  }
  if (what === 'pulls' && request.query.get('state') === 'open') {
    const page = pageOf(repository.pulls, request.query, 'limit').map((pull) => pullOf(world, repository, pull, url))
    return new StandReply(200, page, { 'x-total-count': String(repository.pulls.length) })
  }
  if (what !== 'statuses' || request.method !== 'POST') return notFound
  if (world.levelOf(repository, request.login) === 'read') return forbidden
  const { state, context, description, target_url } = request.body
  if (!states.has(String(state))) return new StandReply(422, { message: 'state is not known' })
  const status = {
    sha: more[0] ?? '',
    state: String(state),
    context: String(context),
    description: String(description),
    url: String(target_url),
  }
  repository.statuses.push(status)
  const answer = { id: world.nextId(), context: status.context, target_url: status.url } satisfies Partial<CommitStatus>
  return new StandReply(201, answer)
}

/** Gitea's own texts, which differ from those of the protocol. */
const refused = (error: string, description: string): StandReply =>
  new StandReply(400, { error, error_description: description })

const form: StandForm = {
  api: '/api/v1',
  authorize: '/login/oauth/authorize',
  token: '/login/oauth/access_token',
  refusals: {
    code: refused('unauthorized_client', 'client is not authorized'),
    refresh: refused('unauthorized_client', 'token was already used'),
    client: (grant) =>
      refused(grant === 'refresh_token' ? 'invalid_client' : 'unauthorized_client', 'invalid client secret'),
  },
  headersOf: (event, _secret, signature) => ({
    'x-gitea-event': event,
    'x-gogs-event': event,
    'x-github-event': event,
    'x-forgejo-event': event,
    'x-gitea-signature': signature,
    'x-forgejo-signature': signature,
    'x-gogs-signature': signature,
    'x-hub-signature-256': `sha256=${signature}`,
  }),
  answer(world, request, url) {
    const { path, login = '', query } = request
    const [first, second, third, ...rest] = path
    if (Number(query.get('limit')) > maxPageSize) query.set('limit', String(maxPageSize))
    if (first === 'user' && second === undefined) {
      const person = world.people.get(login)
      return person ? new StandReply(200, userOf(person, url)) : notFound
    }
    if (first === 'user' && second === 'orgs') {
      const memberships = [...world.organizations].filter(([, members]) => members.has(login))
      const orgs = memberships.map(
        ([username]) => ({ id: 1, name: username, username }) satisfies Partial<Organization>,
      )
      return new StandReply(200, pageOf(orgs, query, 'limit'), { 'x-total-count': String(orgs.length) })
    }
    if (first === 'user' && second === 'repos') {
      const all = world.repositoriesOf(login)
      const page = pageOf(all, query, 'limit').map((repository) => repositoryOf(world, repository, login, url))
      return new StandReply(200, page, { 'x-total-count': String(all.length) })
    }
    if (first === 'repositories') {
      const repository = world.byId(Number(second), login)
      return repository ? new StandReply(200, repositoryOf(world, repository, login, url)) : notFound
    }
    if (first !== 'repos') return notFound
    const slug = `${second}/${third}`
    const repository = world.bySlug(slug, login)
    const moved = repository ? undefined : world.byId(world.formerSlugs.get(slug) ?? 0, login)
    if (moved) {
      const location = [`${url}/api/v1/repos`, moved.namespace, moved.name, ...rest].join('/')
      return new StandReply(request.method === 'GET' ? 301 : 307, null, { location })
    }
    return repository ? answerRepository(world, repository, request, rest, url) : notFound
  },
}

/** `folder` is the path prefix of the forge. */
export const startGitea = (folder?: string): Promise<StandForge> => new StandForge(form, folder).listen()
