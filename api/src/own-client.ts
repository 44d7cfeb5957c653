/**
 * The calls that only Flightdeck has. Separate from client.ts, so that only the pages that use them
 * load them.
 */
import type { CallOf, Method, RowName } from './call-types.ts'
import { createCalls } from './calls.ts'
import * as shapes from './own-shapes.ts'
import type { ClientOptions } from './request.ts'
import { build } from './shapes.ts'

export const createOwnClient = (options: ClientOptions) => {
  const { call, withBody, list } = createCalls(options)
  return {
    changePassword: withBody('PUT /api/user/password'),
    listAccessTokens: list('GET /api/user/tokens', shapes.accessToken),
    createAccessToken: withBody('POST /api/user/tokens'),
    deleteAccessToken: call('DELETE /api/user/tokens/:id'),
    listWallLinks: list('GET /api/user/wall-links', shapes.accessToken),
    createWallLink: withBody('POST /api/user/wall-links'),
    deleteWallLink: call('DELETE /api/user/wall-links/:id'),
    openWall: withBody('POST /api/wall/session'),
    getWall: call('GET /api/wall', shapes.wall),
    listSessions: list('GET /api/user/sessions', shapes.session),
    deleteSession: call('DELETE /api/user/sessions/:id'),
    deleteOtherSessions: call('DELETE /api/user/sessions'),
    saveView: withBody('PUT /api/user/views'),
    deleteView: call('DELETE /api/user/views'),
    addFavorite: call('PUT /api/user/favorites/:owner/:name'),
    deleteFavorite: call('DELETE /api/user/favorites/:owner/:name'),
    listLastBuilds: list('GET /api/user/builds/last', shapes.repoLastBuilds),
    listAudit: call('GET /api/audit', shapes.auditPage),
    getRetention: call('GET /api/repos/:owner/:name/retention', shapes.retention),
    updateRetention: withBody('PATCH /api/repos/:owner/:name/retention'),
    getSyncProgress: call('GET /api/user/sync', shapes.syncProgress),
    search: call('GET /api/search', shapes.searchAnswer),
    getRepoConnection: call('GET /api/repos/:owner/:name/forge', shapes.repoConnection),
    fetchMirror: call('POST /api/repos/:owner/:name/forge/fetch'),
    repairRepo: call('POST /api/repos/:owner/:name/repair'),
    getRepoTimes: call('GET /api/repos/:owner/:name/times', shapes.repoTimes),
    getCommit: call('GET /api/repos/:owner/:name/commits/:sha', shapes.commit),
    listCommitBuilds: list('GET /api/repos/:owner/:name/commits/:sha/builds', build),
    listFilteredBuilds: call('GET /api/repos/:owner/:name/builds/filter', shapes.filteredBuilds),
    getBuildCounts: call('GET /api/repos/:owner/:name/builds/counts', shapes.buildCounts),
    listEnvironmentRules: list('GET /api/repos/:owner/:name/environments', shapes.environmentRule),
    getEnvironment: call('GET /api/repos/:owner/:name/environments/:environment', shapes.environment),
    setEnvironmentRule: withBody('PUT /api/repos/:owner/:name/environments/:environment'),
    deleteEnvironmentRule: call('DELETE /api/repos/:owner/:name/environments/:environment'),
    getComparison: call('GET /api/repos/:owner/:name/compare', shapes.comparison),
    restartPart: call('POST /api/repos/:owner/:name/builds/:number/again'),
    getBuildDetails: call('GET /api/repos/:owner/:name/builds/:number/details', shapes.buildDetails),
    getUsualTimes: call('GET /api/repos/:owner/:name/builds/:number/usual', shapes.usualTimes),
    getBuildHistory: call('GET /api/repos/:owner/:name/builds/:number/history', shapes.buildHistory),
    getStepScript: call('GET /api/repos/:owner/:name/builds/:number/script/:stage/:step', shapes.stepScript),
    getStepChanges: call('GET /api/repos/:owner/:name/builds/:number/changes/:stage/:step', shapes.stepChanges),
    getSourceFile: call('GET /api/repos/:owner/:name/builds/:number/source', shapes.sourceFile),
    getSourceAuthors: call('GET /api/repos/:owner/:name/builds/:number/authors/:stage/:step', shapes.sourceAuthors),
    getKnownLines: call('GET /api/repos/:owner/:name/builds/:number/logs/:stage/:step/known', shapes.knownLines),
    updateSecret: withBody('PATCH /api/repos/:owner/:name/secrets/:secret'),
    getSecretUses: call('GET /api/repos/:owner/:name/secret-uses', shapes.secretUses),
    updateOrgSecret: withBody('PATCH /api/secrets/:namespace/:secret'),
    updateCron: withBody('PATCH /api/repos/:owner/:name/cron/:cron'),
    runCron: call('POST /api/repos/:owner/:name/cron/:cron'),
    getCronTimes: call('GET /api/cron-times', shapes.cronTimes),
    getRunners: call('GET /api/runners', shapes.runners),
    getRunnerSecret: call('GET /api/runners/secret', shapes.runnerSecret),
    inviteUser: withBody('POST /api/users/:user/invitation'),
    findInvitation: withBody('POST /api/invitation'),
    takeInvitation: withBody('PUT /api/invitation'),
    listRepoColumns: call('GET /api/user/repos/parts/:part'),
    listPeople: list('GET /api/repos/:owner/:name/people', shapes.person),
    setCollaborator: withBody('PUT /api/repos/:owner/:name/collaborators/:login'),
  } satisfies { [N in RowName]?: Method<CallOf<N>> }
}
