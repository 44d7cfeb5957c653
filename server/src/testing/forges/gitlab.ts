/**
 * A fake GitLab (docs.gitlab.com, "REST API"; no package has its API description).
 * Groups have subgroups.
 */
import { answerHooks } from './hooks.ts'
import { notFound, pageOf, StandForge, StandReply, type StandForm, type StandRequest } from './stand.ts'
import type { StandHook, StandPerson, StandPull, StandRepository, StandWorld } from './world.ts'

const levels = { read: 20, write: 30, admin: 40 }

const userOf = ({ id, login, email }: StandPerson, url: string) => ({
  id,
  username: login,
  name: login.toUpperCase(),
  email,
  avatar_url: `${url}/avatars/${login}`,
})

const projectOf = (world: StandWorld, repository: StandRepository, login: string, url: string) => {
  const { id, namespace, name, visibility, archived } = repository
  const level = repository.members.get(login)
  const access = level ? { access_level: levels[level], notification_level: 3 } : null
  const isGroup = world.organizations.has(namespace)
  return {
    id,
    name: `The ${name}`,
    path: name,
    path_with_namespace: `${namespace}/${name}`,
    visibility,
    archived,
    web_url: `${url}/${namespace}/${name}`,
    http_url_to_repo: `${url}/${namespace}/${name}.git`,
    default_branch: 'main',
    permissions: { project_access: isGroup ? null : access, group_access: isGroup ? access : null },
  }
}

const hookOf = ({ id, url, events }: StandHook) => ({
  id,
  url,
  push_events: events.includes('push'),
  tag_push_events: events.includes('tag_push'),
  merge_requests_events: events.includes('merge_requests'),
  enable_ssl_verification: true,
  alert_status: 'executable',
})

const readHook = (body: Record<string, unknown>): Partial<StandHook> => ({
  ...(typeof body['url'] === 'string' && { url: body['url'] }),
  ...(typeof body['token'] === 'string' && { secret: body['token'] }),
  events: ['push', 'tag_push', 'merge_requests'].filter((event) => body[`${event}_events`] === true),
})

const states = new Set(['pending', 'running', 'success', 'failed', 'canceled', 'skipped'])

/** A status cannot change to itself, or from running back to pending. */
const setStatus = (repository: StandRepository, { body }: StandRequest, sha: string): StandReply => {
  const state = String(body['state'])
  const context = String(body['name'])
  if (!states.has(state)) return new StandReply(400, { error: 'state does not have a valid value' })
  const last = repository.statuses.findLast((status) => status.sha === sha && status.context === context)
  if (last && (last.state === state || (last.state === 'running' && state === 'pending'))) {
    const message = `Cannot transition status via :${state === 'pending' ? 'enqueue' : 'run'} from :${last.state}`
    return new StandReply(400, { message })
  }
  const ref = typeof body['ref'] === 'string' ? body['ref'] : undefined
  if (ref?.startsWith('refs/')) return new StandReply(400, { message: 'ref is no branch and no tag' })
  const facts = { description: String(body['description']), url: String(body['target_url']), ...(ref && { ref }) }
  repository.statuses.push({ sha, state, context, ...facts })
  return new StandReply(201, { id: 1, sha, status: state, name: context })
}

const mergeRequestOf = (world: StandWorld, repository: StandRepository, pull: StandPull, url: string) => ({
  id: 1_000 + pull.number,
  iid: pull.number,
  state: 'opened',
  title: pull.title,
  description: null,
  source_branch: pull.source,
  target_branch: pull.target,
  source_project_id: pull.from.id,
  target_project_id: repository.id,
  sha: pull.head,
  author: userOf(pull.author, url),
  web_url: `${url}/${world.slugOf(repository)}/-/merge_requests/${pull.number}`,
  draft: false,
})

const answerProject = (
  world: StandWorld,
  repository: StandRepository,
  request: StandRequest,
  path: readonly string[],
  url: string,
): StandReply => {
  const [what, ...more] = path
  if (what === undefined) return new StandReply(200, projectOf(world, repository, request.login ?? '', url))
  if (what === 'hooks') {
    return answerHooks(world, repository, request, more, { read: readHook, write: hookOf, update: 'PUT' })
  }
  if (what === 'merge_requests' && request.query.get('state') === 'opened') {
    const pulls = repository.pulls.map((pull) => mergeRequestOf(world, repository, pull, url))
    return listed(pulls, request.query)
  }
  return what === 'statuses' && request.method === 'POST' ? setStatus(repository, request, more[0] ?? '') : notFound
}

const listed = (all: readonly unknown[], query: URLSearchParams): StandReply => {
  const page = Number(query.get('page') ?? 1)
  const isLast = page * Number(query.get('per_page') ?? 20) >= all.length
  const next = isLast ? '' : String(page + 1)
  return new StandReply(200, pageOf(all, query, 'per_page'), { 'x-next-page': next, 'x-total': String(all.length) })
}

const form: StandForm = {
  api: '/api/v4',
  authorize: '/oauth/authorize',
  token: '/oauth/token',
  refusals: {
    code: new StandReply(400, { error: 'invalid_grant' }),
    refresh: new StandReply(400, { error: 'invalid_grant' }),
    client: () => new StandReply(401, { error: 'invalid_client' }),
  },
  headersOf: (event, secret) => ({ 'x-gitlab-event': event, 'x-gitlab-token': secret }),
  answer(world, request, url) {
    const { path, login = '', query } = request
    const [first, second, ...rest] = path
    if (first === 'user') {
      const person = world.people.get(login)
      return person ? new StandReply(200, userOf(person, url)) : notFound
    }
    if (first === 'groups') {
      const memberships = [...world.organizations].filter(([, members]) => members.has(login))
      return listed(
        memberships.map(([full_path]) => ({ id: 1, full_path, path: full_path.split('/').at(-1) })),
        query,
      )
    }
    if (first !== 'projects') return notFound
    if (second === undefined) {
      return listed(
        world.repositoriesOf(login).map((repository) => projectOf(world, repository, login, url)),
        query,
      )
    }
    // By its id, or by its URL-encoded path.
    const repository = /^\d+$/.test(second) ? world.byId(Number(second), login) : world.bySlug(second, login)
    return repository ? answerProject(world, repository, request, rest, url) : notFound
  },
}

/** `folder` is the path prefix of the forge. */
export const startGitlab = (folder?: string): Promise<StandForge> => new StandForge(form, folder).listen()
