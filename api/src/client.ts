import type { AnswerOf, CallOf, CallWithBody, Method, ReadCall, RowName } from './call-types.ts'
import type { CallName } from './endpoints/index.ts'
import { ApiError } from './errors.ts'
import { topType, type TopOfRepos } from './repo-top.ts'
import { createSend, queryString, type ClientOptions, type Query } from './request.ts'
import * as shapes from './shapes.ts'
import type { Repo } from './types.ts'

export { createSend } from './request.ts'
export type { ClientOptions, Query } from './request.ts'

/** Specification §9: "Build list page size: 50". */
export const buildsPerPage = 50

/** Key and value pairs of a build, promotion or rollback; they travel in the query. */
export type Parameters = Record<string, string>

const checked = (answer: unknown, fits?: shapes.Check): unknown => {
  if (fits && !fits(answer)) throw new ApiError(200, 'Unexpected response from the server')
  return answer
}

/**
 * The typed client. Each method has the name of its row in the table of endpoints, and takes and answers what that row says
 * (call-types.ts). Of another server, and of what may stand between, the answer to a read is taken only if it has the shape
 * that screens need (shapes.ts); else the call fails, in words. What an action answers may be anything.
 */
export const createClient = (options: ClientOptions) => {
  const send = createSend(options)
  const run = async (call: string, given: readonly unknown[], hasBody: boolean, fits?: shapes.Check) => {
    const rest = [...given]
    const [method = '', template = ''] = call.split(' ')
    const pathname = template.replaceAll(/:\w+/g, () => encodeURIComponent(String(rest.shift())))
    const [input] = rest
    return checked(await send(method, pathname, hasBody ? { body: input } : { query: input as Query }), fits)
  }
  /** A call without a body; `fits` where the answer is shown. */
  const call =
    <C extends Exclude<CallName, CallWithBody>>(line: C, fits?: shapes.Check): Method<C> =>
    (...given) =>
      run(line, given, false, fits) as Promise<AnswerOf<C>>
  const withBody =
    <C extends CallWithBody>(line: C): Method<C> =>
    (...given) =>
      run(line, given, true) as Promise<AnswerOf<C>>
  /** Lists may come as `null` (docs/api §9.2). */
  const list =
    <C extends ReadCall>(line: C, fits: shapes.Check): Method<C> =>
    async (...given) =>
      ((await run(line, given, false, shapes.maybe(shapes.listOf(fits)))) ?? []) as AnswerOf<C>

  const calls = {
    getUser: call('GET /api/user', shapes.user),
    updateOwnUser: withBody('PATCH /api/user'),
    createToken: call('POST /api/user/token', shapes.withToken),
    changePassword: withBody('PUT /api/user/password'),
    listRepos: list('GET /api/user/repos', shapes.listedRepo),
    listRepoColumns: call('GET /api/user/repos/parts/:part'),
    syncRepos: call('POST /api/user/repos'),
    getSyncProgress: call('GET /api/user/sync', shapes.has('refused')),
    listRecent: list('GET /api/user/builds/recent', shapes.repoWithBuild),
    search: call('GET /api/search', shapes.has('builds')),

    getRepo: call('GET /api/repos/:owner/:name', shapes.repo),
    enableRepo: call('POST /api/repos/:owner/:name'),
    updateRepo: withBody('PATCH /api/repos/:owner/:name'),
    disableRepo: call('DELETE /api/repos/:owner/:name'),
    repairRepo: call('POST /api/repos/:owner/:name/repair'),
    getRepoConnection: call('GET /api/repos/:owner/:name/forge', shapes.has('hook mirror')),
    fetchMirror: call('POST /api/repos/:owner/:name/forge/fetch'),
    getRepoTimes: call('GET /api/repos/:owner/:name/times', shapes.has('builds steps')),
    getCommit: call('GET /api/repos/:owner/:name/commits/:sha', shapes.commit),
    listCommitBuilds: list('GET /api/repos/:owner/:name/commits/:sha/builds', shapes.build),

    listBuilds: list('GET /api/repos/:owner/:name/builds', shapes.build),
    listFilteredBuilds: call('GET /api/repos/:owner/:name/builds/filter', shapes.has('items')),
    createBuild: call('POST /api/repos/:owner/:name/builds'),
    listBranches: list('GET /api/repos/:owner/:name/builds/branches', shapes.build),
    listDeployments: list('GET /api/repos/:owner/:name/builds/deployments', shapes.build),
    listPulls: list('GET /api/repos/:owner/:name/builds/pulls', shapes.build),
    getBuild: call('GET /api/repos/:owner/:name/builds/:number', shapes.build),
    restartBuild: call('POST /api/repos/:owner/:name/builds/:number'),
    restartPart: call('POST /api/repos/:owner/:name/builds/:number/again'),
    cancelBuild: call('DELETE /api/repos/:owner/:name/builds/:number'),
    promoteBuild: call('POST /api/repos/:owner/:name/builds/:number/promote'),
    rollbackBuild: call('POST /api/repos/:owner/:name/builds/:number/rollback'),
    approveStage: call('POST /api/repos/:owner/:name/builds/:number/approve/:stage'),
    declineStage: call('POST /api/repos/:owner/:name/builds/:number/decline/:stage'),
    getBuildDetails: call('GET /api/repos/:owner/:name/builds/:number/details', shapes.buildDetails),
    getUsualTimes: call('GET /api/repos/:owner/:name/builds/:number/usual', shapes.has('steps')),
    getBuildHistory: call('GET /api/repos/:owner/:name/builds/:number/history', shapes.has('steps')),
    getStepScript: call('GET /api/repos/:owner/:name/builds/:number/script/:stage/:step', shapes.withText),
    getStepChanges: call(
      'GET /api/repos/:owner/:name/builds/:number/changes/:stage/:step',
      shapes.maybe(shapes.has('since')),
    ),
    getSourceFile: call('GET /api/repos/:owner/:name/builds/:number/source', shapes.withKind),
    getSourceAuthors: call(
      'GET /api/repos/:owner/:name/builds/:number/authors/:stage/:step',
      shapes.has('lines commits'),
    ),
    getLogs: list('GET /api/repos/:owner/:name/builds/:number/logs/:stage/:step', shapes.line),
    getKnownLines: call('GET /api/repos/:owner/:name/builds/:number/logs/:stage/:step/known', shapes.knownLines),

    listSecrets: list('GET /api/repos/:owner/:name/secrets', shapes.secret),
    createSecret: withBody('POST /api/repos/:owner/:name/secrets'),
    updateSecret: withBody('PATCH /api/repos/:owner/:name/secrets/:secret'),
    deleteSecret: call('DELETE /api/repos/:owner/:name/secrets/:secret'),
    getSecretUses: call('GET /api/repos/:owner/:name/secret-uses', shapes.has('uses')),
    listOrgSecrets: list('GET /api/secrets/:namespace', shapes.secret),
    createOrgSecret: withBody('POST /api/secrets/:namespace'),
    updateOrgSecret: withBody('PATCH /api/secrets/:namespace/:secret'),
    deleteOrgSecret: call('DELETE /api/secrets/:namespace/:secret'),
    listCron: list('GET /api/repos/:owner/:name/cron', shapes.cron),
    createCron: withBody('POST /api/repos/:owner/:name/cron'),
    updateCron: withBody('PATCH /api/repos/:owner/:name/cron/:cron'),
    runCron: call('POST /api/repos/:owner/:name/cron/:cron'),
    deleteCron: call('DELETE /api/repos/:owner/:name/cron/:cron'),
    getCronTimes: call('GET /api/cron-times', shapes.has('times')),

    listCollaborators: list('GET /api/repos/:owner/:name/collaborators', shapes.collaborator),
    setCollaborator: withBody('PUT /api/repos/:owner/:name/collaborators/:login'),
    deleteCollaborator: call('DELETE /api/repos/:owner/:name/collaborators/:login'),

    getRunners: call('GET /api/runners', shapes.has('runners queue rpc')),
    getRunnerSecret: call('GET /api/runners/secret', shapes.runnerSecret),
    pauseQueue: call('DELETE /api/queue'),
    resumeQueue: call('POST /api/queue'),

    listUsers: list('GET /api/users', shapes.user),
    createUser: withBody('POST /api/users'),
    updateUser: withBody('PATCH /api/users/:user'),
    deleteUser: call('DELETE /api/users/:user'),
    inviteUser: withBody('POST /api/users/:user/invitation'),
    findInvitation: withBody('POST /api/invitation'),
    takeInvitation: withBody('PUT /api/invitation'),
  } satisfies { [N in RowName]?: Method<CallOf<N>> }

  return {
    ...calls,
    /** An address of the server that is no API call, such as `/login` or a badge. */
    url: (pathname: string): string => `${options.baseUrl}${pathname}`,
    /** The address of an event stream: those cannot carry headers, so the token goes into the query. */
    streamUrl: (pathname: string): string =>
      `${options.baseUrl}${pathname}${queryString({ access_token: options.token || undefined })}`,
    /** `listRepos`; of a long list our own server answers the top alone (repo-top.ts). */
    listTop: async (): Promise<Repo[] | TopOfRepos> => {
      const answer = await send('GET', '/api/user/repos', { query: { latest: true }, accept: topType })
      return (checked(answer, shapes.reposOrTop) ?? []) as Repo[] | TopOfRepos
    },
    /** The builds of a branch; pull requests into it are not among them. */
    listBranchBuilds: (namespace: string, name: string, branch: string, page: number) =>
      calls.listBuilds(namespace, name, { branch, page, per_page: buildsPerPage }),
  }
}

export type Client = ReturnType<typeof createClient>
