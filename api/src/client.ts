import { ApiError } from './errors.ts'
import { topType, type TopOfRepos } from './repo-top.ts'
import { createSend, path, queryString, type CallOptions, type ClientOptions, type Query } from './request.ts'
import * as shapes from './shapes.ts'
import type { CronInput, SecretInput, UserInput, UserPatch } from './inputs.ts'
import type { Commit } from './commits.ts'
import type { Runners } from './runners.ts'
import type {
  Build,
  BuildDetails,
  Collaborator,
  CreatedUser,
  Cron,
  Invitation,
  KnownLines,
  Line,
  Permissions,
  Repo,
  RepoPatch,
  RepoWithBuild,
  Secret,
  User,
  UserWithToken,
} from './types.ts'

export { createSend } from './request.ts'
export type { ClientOptions, Query } from './request.ts'

/** Specification §9: "Build list page size: 50". */
export const buildsPerPage = 50

/** Key and value pairs of a build, promotion or rollback; they travel in the query. */
export type Parameters = Record<string, string>

const repo = (namespace: string, name: string): string => `/api/repos${path(namespace, name)}`

/**
 * The typed client: one method per call of specification §7. The types of answers are the contract's promise, which the
 * schema tests hold our own server to. Of any other, and of what may stand between, the answer to a read is taken only if it
 * has the shape that screens need (shapes.ts); else the call fails, in words. What an action answers may be anything.
 */
export const createClient = (options: ClientOptions) => {
  const send = createSend(options)
  const call = async <T>(method: string, pathname: string, extra?: CallOptions, fits?: shapes.Check): Promise<T> => {
    const answer = await send(method, pathname, extra)
    if (fits && !fits(answer)) throw new ApiError(200, 'Unexpected response from the server')
    return answer as T
  }
  const get = <T>(pathname: string, fits: shapes.Check): Promise<T> => call('GET', pathname, undefined, fits)
  /** Lists may come as `null` (docs/api §9.2). */
  const list = async <T>(pathname: string, fits: shapes.Check, query?: Query): Promise<T[]> =>
    (await call<T[] | null | undefined>('GET', pathname, query ? { query } : {}, shapes.maybe(shapes.listOf(fits)))) ??
    []

  const builds = (namespace: string, name: string): string => `${repo(namespace, name)}/builds`
  const build = (namespace: string, name: string, number: number): string => `${builds(namespace, name)}/${number}`

  const commit = (namespace: string, name: string, sha: string): string =>
    `${repo(namespace, name)}/commits${path(sha)}`

  return {
    /** An address of the server that is no API call, such as `/login` or a badge. */
    url: (pathname: string): string => `${options.baseUrl}${pathname}`,
    /** The address of an event stream: those cannot carry headers, so the token goes into the query. */
    streamUrl: (pathname: string): string =>
      `${options.baseUrl}${pathname}${queryString({ access_token: options.token || undefined })}`,

    getUser: () => get<User>('/api/user', shapes.user),
    setEmail: (email: string) => call<User>('PATCH', '/api/user', { body: { email } }),
    createToken: () => call<UserWithToken>('POST', '/api/user/token', {}, shapes.withToken),
    /** The one before is worth nothing from then on (docs/api §2.1). */
    replaceToken: () => call<UserWithToken>('POST', '/api/user/token', { query: { rotate: true } }, shapes.withToken),
    listRepos: () => list<Repo>('/api/user/repos', shapes.listedRepo, { latest: true }),
    /** The same call; of a long list our own server answers the top alone (repo-top.ts). */
    listTop: async () =>
      (await call<Repo[] | TopOfRepos | null | undefined>(
        'GET',
        '/api/user/repos',
        { query: { latest: true }, accept: topType },
        shapes.reposOrTop,
      )) ?? [],
    syncRepos: () => call<unknown>('POST', '/api/user/repos', { query: { async: true } }),
    listRecent: () => list<RepoWithBuild>('/api/user/builds/recent', shapes.repoWithBuild),

    getRepo: (namespace: string, name: string) => get<Repo>(repo(namespace, name), shapes.repo),
    enableRepo: (namespace: string, name: string) => call<Repo>('POST', repo(namespace, name)),
    updateRepo: (namespace: string, name: string, body: RepoPatch) =>
      call<Repo>('PATCH', repo(namespace, name), { body }),
    disableRepo: (namespace: string, name: string) => call<Repo>('DELETE', repo(namespace, name)),

    listBuilds: (namespace: string, name: string, page: number) =>
      list<Build>(builds(namespace, name), shapes.build, { page, per_page: buildsPerPage }),
    /** Those of a branch; pull requests into it are not among them. */
    listBranchBuilds: (namespace: string, name: string, branch: string, page: number) =>
      list<Build>(builds(namespace, name), shapes.build, { branch, page, per_page: buildsPerPage }),
    createBuild: (
      namespace: string,
      name: string,
      input: { branch?: string; commit?: string; parameters?: Parameters } = {},
    ) =>
      call<Build | null>('POST', builds(namespace, name), {
        query: { ...input.parameters, branch: input.branch || undefined, commit: input.commit || undefined },
      }),
    getBuild: (namespace: string, name: string, number: number) =>
      get<Build>(build(namespace, name, number), shapes.build),
    /** Of our own server; another has no such call. */
    getBuildDetails: (namespace: string, name: string, number: number) =>
      get<BuildDetails>(`${build(namespace, name, number)}/details`, shapes.buildDetails),
    listBranches: (namespace: string, name: string) => list<Build>(`${builds(namespace, name)}/branches`, shapes.build),
    listDeployments: (namespace: string, name: string) =>
      list<Build>(`${builds(namespace, name)}/deployments`, shapes.build),
    listPulls: (namespace: string, name: string) => list<Build>(`${builds(namespace, name)}/pulls`, shapes.build),
    restartBuild: (namespace: string, name: string, number: number, { debug }: { debug?: boolean } = {}) =>
      call<Build | null>('POST', build(namespace, name, number), { query: { debug: debug || undefined } }),
    cancelBuild: (namespace: string, name: string, number: number) =>
      call<Build>('DELETE', build(namespace, name, number)),
    promoteBuild: (namespace: string, name: string, number: number, target: string, parameters: Parameters = {}) =>
      call<Build | null>('POST', `${build(namespace, name, number)}/promote`, { query: { ...parameters, target } }),
    rollbackBuild: (namespace: string, name: string, number: number, target: string, parameters: Parameters = {}) =>
      call<Build | null>('POST', `${build(namespace, name, number)}/rollback`, { query: { ...parameters, target } }),
    approveStage: (namespace: string, name: string, number: number, stage: number) =>
      call<unknown>('POST', `${build(namespace, name, number)}/approve/${stage}`),
    declineStage: (namespace: string, name: string, number: number, stage: number) =>
      call<unknown>('POST', `${build(namespace, name, number)}/decline/${stage}`),
    getLogs: (namespace: string, name: string, number: number, stage = 1, step = 1) =>
      list<Line>(`${build(namespace, name, number)}/logs/${stage}/${step}`, shapes.line),
    /** Of our own server; another has no such call. */
    getKnownLines: (namespace: string, name: string, number: number, stage: number, step: number) =>
      get<KnownLines | null>(`${build(namespace, name, number)}/logs/${stage}/${step}/known`, shapes.knownLines),

    // Of our own server; another has a forge that shows its commits.
    getCommit: (namespace: string, name: string, sha: string) =>
      get<Commit>(commit(namespace, name, sha), shapes.commit),
    listCommitBuilds: (namespace: string, name: string, sha: string) =>
      list<Build>(`${commit(namespace, name, sha)}/builds`, shapes.build),

    listSecrets: (namespace: string, name: string) => list<Secret>(`${repo(namespace, name)}/secrets`, shapes.secret),
    createSecret: (namespace: string, name: string, body: SecretInput) =>
      call<Secret>('POST', `${repo(namespace, name)}/secrets`, { body }),
    deleteSecret: (namespace: string, name: string, secret: string) =>
      call<unknown>('DELETE', `${repo(namespace, name)}/secrets${path(secret)}`),
    listOrgSecrets: (namespace: string) => list<Secret>(`/api/secrets${path(namespace)}`, shapes.secret),
    createOrgSecret: (namespace: string, body: SecretInput) =>
      call<Secret>('POST', `/api/secrets${path(namespace)}`, { body }),
    deleteOrgSecret: (namespace: string, secret: string) =>
      call<unknown>('DELETE', `/api/secrets${path(namespace)}${path(secret)}`),
    listCron: (namespace: string, name: string) => list<Cron>(`${repo(namespace, name)}/cron`, shapes.cron),
    createCron: (namespace: string, name: string, body: CronInput) =>
      call<Cron>('POST', `${repo(namespace, name)}/cron`, { body }),
    deleteCron: (namespace: string, name: string, cron: string) =>
      call<unknown>('DELETE', `${repo(namespace, name)}/cron${path(cron)}`),

    // Of our own server; another has no such calls.
    getRunners: () => get<Runners>('/api/runners', shapes.runners),
    showRunnerSecret: () => get<{ secret: string }>('/api/runners/secret', shapes.runnerSecret),
    pauseQueue: () => call<unknown>('DELETE', '/api/queue'),
    resumeQueue: () => call<unknown>('POST', '/api/queue'),

    listUsers: () => list<User>('/api/users', shapes.user),
    createUser: (body: UserInput) => call<CreatedUser>('POST', '/api/users', { body }),
    updateUser: (login: string, body: UserPatch) => call<User>('PATCH', `/api/users${path(login)}`, { body }),
    deleteUser: (login: string) => call<unknown>('DELETE', `/api/users${path(login)}`),

    // What our own server offers beyond Drone's API.
    inviteUser: (login: string, { keepToken = false }: { keepToken?: boolean } = {}) =>
      call<Invitation>('POST', `/api/users${path(login)}/invitation`, { body: { keep_token: keepToken } }),
    findInvitation: (value: string) =>
      call<{ login: string; expires: number }>('POST', '/api/invitation', { body: { invitation: value } }),
    takeInvitation: (value: string, password: string) =>
      call<unknown>('PUT', '/api/invitation', { body: { invitation: value, password } }),
    changePassword: (old: string, password: string, { keepToken = false }: { keepToken?: boolean } = {}) =>
      call<unknown>('PUT', '/api/user/password', { body: { old_password: old, password, keep_token: keepToken } }),
    listCollaborators: (namespace: string, name: string) =>
      list<Collaborator>(`${repo(namespace, name)}/collaborators`, shapes.collaborator),
    setCollaborator: (namespace: string, name: string, login: string, body: Permissions) =>
      call<Permissions>('PUT', `${repo(namespace, name)}/collaborators${path(login)}`, { body }),
    deleteCollaborator: (namespace: string, name: string, login: string) =>
      call<unknown>('DELETE', `${repo(namespace, name)}/collaborators${path(login)}`),
  }
}

export type Client = ReturnType<typeof createClient>
