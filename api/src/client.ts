import type { CallOf, Method, RowName } from './call-types.ts'
import { checked, createCalls } from './calls.ts'
import { topType, type TopOfRepos } from './repo-top.ts'
import { queryString, type ClientOptions } from './request.ts'
import * as shapes from './shapes.ts'
import type { Repo } from './types.ts'

export type { ClientOptions, Query } from './request.ts'

/** Specification §9: "Build list page size: 50". */
export const buildsPerPage = 50

/** Key-value pairs of a build, promotion or rollback, sent in the query. */
export type Parameters = Record<string, string>

/**
 * The typed client for the endpoints of every Drone server. Each method is named after its row in
 * the endpoint table, which defines its parameters and result (call-types.ts). The server may be
 * another one, behind any proxy: the response to a read must have the shape that screens need
 * (shapes.ts), or the call fails with a readable error. The response to an action is not checked.
 */
export const createClient = (options: ClientOptions) => {
  const { call, withBody, list, send } = createCalls(options)
  const calls = {
    getUser: call('GET /api/user', shapes.user),
    updateOwnUser: withBody('PATCH /api/user'),
    createToken: call('POST /api/user/token', shapes.withToken),
    listRepos: list('GET /api/user/repos', shapes.listedRepo),
    syncRepos: call('POST /api/user/repos'),
    listRecent: list('GET /api/user/builds/recent', shapes.repoWithBuild),

    getRepo: call('GET /api/repos/:owner/:name', shapes.repo),
    enableRepo: call('POST /api/repos/:owner/:name'),
    updateRepo: withBody('PATCH /api/repos/:owner/:name'),
    disableRepo: call('DELETE /api/repos/:owner/:name'),

    listBuilds: list('GET /api/repos/:owner/:name/builds', shapes.build),
    createBuild: call('POST /api/repos/:owner/:name/builds'),
    listBranches: list('GET /api/repos/:owner/:name/builds/branches', shapes.build),
    listDeployments: list('GET /api/repos/:owner/:name/builds/deployments', shapes.build),
    listPulls: list('GET /api/repos/:owner/:name/builds/pulls', shapes.build),
    getBuild: call('GET /api/repos/:owner/:name/builds/:number', shapes.build),
    restartBuild: call('POST /api/repos/:owner/:name/builds/:number'),
    cancelBuild: call('DELETE /api/repos/:owner/:name/builds/:number'),
    promoteBuild: call('POST /api/repos/:owner/:name/builds/:number/promote'),
    rollbackBuild: call('POST /api/repos/:owner/:name/builds/:number/rollback'),
    approveStage: call('POST /api/repos/:owner/:name/builds/:number/approve/:stage'),
    declineStage: call('POST /api/repos/:owner/:name/builds/:number/decline/:stage'),
    getLogs: list('GET /api/repos/:owner/:name/builds/:number/logs/:stage/:step', shapes.line),

    listSecrets: list('GET /api/repos/:owner/:name/secrets', shapes.secret),
    createSecret: withBody('POST /api/repos/:owner/:name/secrets'),
    deleteSecret: call('DELETE /api/repos/:owner/:name/secrets/:secret'),
    listOrgSecrets: list('GET /api/secrets/:namespace', shapes.secret),
    createOrgSecret: withBody('POST /api/secrets/:namespace'),
    deleteOrgSecret: call('DELETE /api/secrets/:namespace/:secret'),
    listCron: list('GET /api/repos/:owner/:name/cron', shapes.cron),
    createCron: withBody('POST /api/repos/:owner/:name/cron'),
    deleteCron: call('DELETE /api/repos/:owner/:name/cron/:cron'),

    listCollaborators: list('GET /api/repos/:owner/:name/collaborators', shapes.collaborator),
    deleteCollaborator: call('DELETE /api/repos/:owner/:name/collaborators/:login'),

    pauseQueue: call('DELETE /api/queue'),
    resumeQueue: call('POST /api/queue'),

    listUsers: list('GET /api/users', shapes.user),
    createUser: withBody('POST /api/users'),
    updateUser: withBody('PATCH /api/users/:user'),
    deleteUser: call('DELETE /api/users/:user'),
  } satisfies { [N in RowName]?: Method<CallOf<N>> }

  return {
    ...calls,
    /** The URL of a page that is not an API call, such as `/login` or a badge. */
    url: (pathname: string): string => `${options.baseUrl}${pathname}`,
    /**
     * The URL of an event stream. Event streams cannot send headers, so the token is in the query.
     */
    streamUrl: (pathname: string): string =>
      `${options.baseUrl}${pathname}${queryString({ access_token: options.token || undefined })}`,
    /** Like `listRepos`, but for a long list Flightdeck returns only the top (repo-top.ts). */
    listTop: async (): Promise<Repo[] | TopOfRepos> => {
      const answer = await send('GET', '/api/user/repos', { query: { latest: true }, accept: topType })
      return (checked(answer, shapes.reposOrTop) ?? []) as Repo[] | TopOfRepos
    },
    /** The builds of a branch, without pull requests into it. */
    listBranchBuilds: (namespace: string, name: string, branch: string, page: number) =>
      calls.listBuilds(namespace, name, { branch, page, per_page: buildsPerPage }),
  }
}

export type Client = ReturnType<typeof createClient>
