/**
 * A fake GitHub Enterprise server. Its responses have the types of GitHub's API description.
 */
import type { components } from '@octokit/openapi-types'
import { answerHooks, readConfig } from './hooks.ts'
import { forbidden, notFound, pageOf, StandForge, StandReply, type StandForm, type StandRequest } from './stand.ts'
import type { StandHook, StandPerson, StandPull, StandRepository, StandWorld } from './world.ts'

type Schemas = components['schemas']

const userOf = ({ id, login, email }: StandPerson, url: string) =>
  ({
    id,
    login,
    name: login.toUpperCase(),
    email,
    avatar_url: `${url}/avatars/${login}`,
    site_admin: false,
  }) satisfies Partial<Schemas['private-user']>

const repositoryOf = (world: StandWorld, repository: StandRepository, login: string | undefined, url: string) => {
  const { id, namespace, name, visibility, archived } = repository
  const level = world.levelOf(repository, login)
  return {
    id,
    name,
    full_name: `${namespace}/${name}`,
    owner: { id: world.people.get(namespace)?.id ?? 1, login: namespace },
    private: visibility !== 'public',
    visibility,
    archived,
    html_url: `${url}/${namespace}/${name}`,
    clone_url: `${url}/${namespace}/${name}.git`,
    default_branch: 'main',
    permissions: { admin: level === 'admin', push: level !== 'read', pull: true },
  } satisfies Omit<Partial<Schemas['full-repository']>, 'owner'> & { owner: Partial<Schemas['simple-user']> }
}

const hookOf = ({ id, url, events, active }: StandHook) =>
  ({ id, name: 'web', active, events, config: { url, content_type: 'json', secret: '********' } }) satisfies Partial<
    Schemas['hook']
  >

const pullOf = (world: StandWorld, repository: StandRepository, pull: StandPull, url: string) => {
  const repo = (of: StandRepository) => ({ id: of.id, full_name: world.slugOf(of) })
  return {
    number: pull.number,
    state: 'open',
    title: pull.title,
    body: null,
    user: userOf(pull.author, url),
    html_url: `${url}/${world.slugOf(repository)}/pull/${pull.number}`,
    head: { ref: pull.source, sha: pull.head, repo: repo(pull.from) },
    base: { ref: pull.target, sha: '0'.repeat(40), repo: repo(repository) },
    draft: false,
  } satisfies { [Key in keyof Schemas['pull-request-simple']]?: unknown }
}

const commitStates = new Set(['error', 'failure', 'pending', 'success'])
const deploymentStates = new Set(['error', 'failure', 'inactive', 'in_progress', 'queued', 'pending', 'success'])
const unprocessable = (message: string) => new StandReply(422, { message })

const setStatus = (repository: StandRepository, { body }: StandRequest, sha: string): StandReply => {
  const { state, context, description, target_url } = body
  if (!commitStates.has(String(state))) return unprocessable('state is not included in the list')
  if (String(description).length > 140) return unprocessable('description is too long (maximum is 140 characters)')
  const facts = { state: String(state), context: String(context), description: String(description) }
  repository.statuses.push({ sha, url: String(target_url), ...facts })
  return new StandReply(201, { id: 1, ...facts } satisfies Partial<Schemas['status']>)
}

const setDeploymentStatus = (repository: StandRepository, { body }: StandRequest, id: number): StandReply => {
  const { state, environment, log_url } = body
  if (!deploymentStates.has(String(state))) return unprocessable('state is not included in the list')
  repository.deployments.push({ id, state: String(state), environment: String(environment), url: String(log_url) })
  return new StandReply(201, { id: 1 } satisfies Partial<Schemas['deployment-status']>)
}

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
    return answerHooks(world, repository, request, more, { read: readConfig, write: hookOf, update: 'PATCH' })
  }
  if (what === 'pulls' && request.query.get('state') === 'open') {
    const pulls = repository.pulls.map((pull) => pullOf(world, repository, pull, url))
    return listed(pulls, request.query, `${url}/api/v3/repos/${world.slugOf(repository)}/pulls`)
  }
  if (world.levelOf(repository, request.login) === 'read') return forbidden
  if (what === 'statuses') return setStatus(repository, request, more[0] ?? '')
  if (what === 'deployments' && more[1] === 'statuses') return setDeploymentStatus(repository, request, Number(more[0]))
  return notFound
}

const listed = (all: readonly unknown[], query: URLSearchParams, path: string): StandReply => {
  const page = pageOf(all, query, 'per_page')
  const number = Number(query.get('page') ?? 1)
  const isLast = number * Number(query.get('per_page') ?? 30) >= all.length
  return new StandReply(200, page, isLast ? {} : { link: `<${path}?page=${number + 1}>; rel="next"` })
}

const form: StandForm = {
  api: '/api/v3',
  authorize: '/login/oauth/authorize',
  token: '/login/oauth/access_token',
  // GitHub reports these with status 200.
  refusals: {
    code: new StandReply(200, { error: 'bad_verification_code' }),
    refresh: new StandReply(200, { error: 'bad_refresh_token' }),
    client: () => new StandReply(200, { error: 'incorrect_client_credentials' }),
  },
  headersOf: (event, _secret, signature) => ({
    'x-github-event': event,
    'x-hub-signature-256': `sha256=${signature}`,
  }),
  answer(world, request, url) {
    const { path, login = '', query } = request
    const [first, second, third, ...rest] = path
    const api = `${url}/api/v3`
    if (first === 'user' && second === undefined) {
      const person = world.people.get(login)
      return person ? new StandReply(200, userOf(person, url)) : notFound
    }
    if (first === 'user' && second === 'orgs') {
      const memberships = [...world.organizations].filter(([, members]) => members.has(login))
      const orgs = memberships.map(
        ([name]) => ({ id: 1, login: name }) satisfies Partial<Schemas['organization-simple']>,
      )
      return listed(orgs, query, `${api}/user/orgs`)
    }
    if (first === 'user' && second === 'repos') {
      const all = world.repositoriesOf(login).map((repository) => repositoryOf(world, repository, login, url))
      return listed(all, query, `${api}/user/repos`)
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
      const location = [`${api}/repositories/${moved.id}`, ...rest].join('/')
      return new StandReply(request.method === 'GET' ? 301 : 307, null, { location })
    }
    return repository ? answerRepository(world, repository, request, rest, url) : notFound
  },
}

/** `folder` is the path prefix of the forge. */
export const startGithub = (folder?: string): Promise<StandForge> => new StandForge(form, folder).listen()
