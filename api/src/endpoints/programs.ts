/**
 * Endpoints for programs: command-line tools, forges, monitoring, and URLs that a browser opens.
 * The client does not call them.
 */
import { buildFilter, type Row } from './row.ts'

export const programEndpoints = {
  listOwnBuilds: { call: 'GET /api/user/builds', level: 'user', answer: 'RepoWithBuild[]' },
  getUserFeed: {
    call: 'GET /api/user/feed.atom',
    level: 'user',
    query: { show: 'string', ...buildFilter },
    answer: 'application/atom+xml',
    own: 'feeds',
  },
  listRemoteRepos: { call: 'GET /api/user/remote/repos', level: 'user', answer: 'Repo[]' },
  getRemoteRepo: { call: 'GET /api/user/remote/repos/:owner/:name', level: 'user', answer: 'Repo' },
  getForge: { call: 'GET /api/forge', level: 'anyone', answer: 'Forge', own: true },

  getUserByLogin: { call: 'GET /api/users/:user', level: 'sysadmin', answer: 'User' },
  rotateUserToken: {
    call: 'POST /api/users/:user/token/rotate',
    level: 'sysadmin',
    notByNamedToken: true,
    answer: 'RotatedUser',
  },
  listUserRepos: { call: 'GET /api/users/:user/repos', level: 'sysadmin', answer: 'PlainRepo[]' },

  listAllRepos: {
    call: 'GET /api/repos',
    level: 'sysadmin',
    query: { page: 'integer', per_page: 'integer' },
    answer: 'PlainRepo[]',
  },
  chownRepo: { call: 'POST /api/repos/:owner/:name/chown', level: 'admin', answer: 'PlainRepo' },
  signPipeline: { call: 'POST /api/repos/:owner/:name/sign', level: 'write', body: 'Sealed', answer: 'Sealed' },
  encrypt: { call: 'POST /api/repos/:owner/:name/encrypt', level: 'write', body: 'Sealed', answer: 'Sealed' },
  encryptSecret: {
    call: 'POST /api/repos/:owner/:name/encrypt/secret',
    level: 'write',
    body: 'Sealed',
    answer: 'Sealed',
  },
  getCollaborator: { call: 'GET /api/repos/:owner/:name/collaborators/:login', level: 'member', answer: 'Permissions' },

  purgeBuilds: {
    call: 'DELETE /api/repos/:owner/:name/builds',
    level: 'admin',
    query: { before: 'integer' },
    answer: null,
  },
  getLatestBuild: {
    call: 'GET /api/repos/:owner/:name/builds/latest',
    level: 'read',
    query: { branch: 'string', ref: 'string' },
    answer: 'Build',
  },
  getRepoFeed: {
    call: 'GET /api/repos/:owner/:name/builds/feed.atom',
    level: 'read',
    query: buildFilter,
    answer: 'application/atom+xml',
    own: 'feeds',
  },
  deleteBranch: { call: 'DELETE /api/repos/:owner/:name/builds/branches/*', level: 'write', answer: null },
  deletePull: { call: 'DELETE /api/repos/:owner/:name/builds/pulls/:pull', level: 'write', answer: null },
  deleteDeployment: { call: 'DELETE /api/repos/:owner/:name/builds/deployments/*', level: 'write', answer: null },
  declineBuild: { call: 'POST /api/repos/:owner/:name/builds/:number/decline', level: 'write', answer: null },
  deleteLogs: { call: 'DELETE /api/repos/:owner/:name/builds/:number/logs/:stage/:step', level: 'admin', answer: null },
  searchLogs: {
    call: 'GET /api/repos/:owner/:name/search',
    level: 'read',
    query: { text: 'string', case: 'boolean', word: 'boolean', pattern: 'boolean', build: 'integer' },
    answer: 'application/x-ndjson',
    own: 'log_search',
  },

  getSecret: { call: 'GET /api/repos/:owner/:name/secrets/:secret', level: 'write', answer: 'Secret' },
  getCron: { call: 'GET /api/repos/:owner/:name/cron/:cron', level: 'write', answer: 'Cron' },
  getCard: { call: 'GET /api/repos/:owner/:name/cards/:number/:stage/:step', level: 'read', answer: 'Card' },
  createCard: {
    call: 'POST /api/repos/:owner/:name/cards/:number/:stage/:step',
    level: 'admin',
    body: 'CardInput',
    answer: 'Id',
  },
  deleteCard: { call: 'DELETE /api/repos/:owner/:name/cards/:number/:stage/:step', level: 'admin', answer: null },

  listAllOrgSecrets: { call: 'GET /api/secrets', level: 'sysadmin', answer: 'Secret[]' },
  getOrgSecret: { call: 'GET /api/secrets/:namespace/:secret', level: 'namespace', answer: 'Secret' },
  postOrgSecret: {
    call: 'POST /api/secrets/:namespace/:secret',
    level: 'namespace',
    body: 'SecretPatch',
    answer: 'Secret',
  },

  listAllTemplates: { call: 'GET /api/templates', level: 'namespace', answer: 'Template[]' },
  listTemplates: { call: 'GET /api/templates/:namespace', level: 'namespace', answer: 'Template[]' },
  createTemplate: { call: 'POST /api/templates/:namespace', level: 'namespace', answer: 'Template' },
  getTemplate: { call: 'GET /api/templates/:namespace/:template', level: 'namespace', answer: 'Template' },
  updateTemplate: { call: 'PATCH /api/templates/:namespace/:template', level: 'namespace', answer: 'Template' },
  putTemplate: { call: 'PUT /api/templates/:namespace/:template', level: 'namespace', answer: 'Template' },
  deleteTemplate: { call: 'DELETE /api/templates/:namespace/:template', level: 'namespace', answer: null },

  exportAudit: {
    call: 'GET /api/audit/export',
    level: 'sysadmin',
    query: { format: 'string', user: 'string', kind: 'string', text: 'string', since: 'integer', until: 'integer' },
    answer: 'text/csv',
    own: 'audit',
  },
  getQueue: { call: 'GET /api/queue', level: 'sysadmin', answer: 'Stage[]' },
  listIncompleteBuilds: { call: 'GET /api/builds/incomplete', level: 'sysadmin', answer: 'RepoWithBuild[]' },
  listIncompleteStages: { call: 'GET /api/builds/incomplete/v2', level: 'sysadmin', answer: 'RunningStage[]' },
  getStats: { call: 'GET /api/system/stats', level: 'sysadmin', answer: 'Stats' },

  streamEvents: { call: 'GET /api/stream', level: 'anyone', answer: 'text/event-stream' },
  streamWall: { call: 'GET /api/wall/stream', level: 'anyone', answer: 'text/event-stream', own: true },
  streamRepoEvents: { call: 'GET /api/stream/:owner/:name', level: 'read', answer: 'text/event-stream' },
  streamLogs: { call: 'GET /api/stream/:owner/:name/:number/:stage/:step', level: 'read', answer: 'text/event-stream' },

  getBadge: {
    call: 'GET /api/badges/:owner/:name/status.svg',
    level: 'anyone',
    query: { branch: 'string', ref: 'string', event: 'string', stage: 'string' },
    answer: 'image/svg+xml',
  },
  getCcXml: { call: 'GET /api/badges/:owner/:name/cc.xml', level: 'read', answer: 'text/plain' },

  healthz: { call: 'ALL /healthz', level: 'anyone', answer: 'text/plain' },
  readyz: { call: 'ALL /readyz', level: 'anyone', answer: 'text/plain', own: true },
  getOpenApi: { call: 'GET /api/openapi.json', level: 'anyone', answer: 'Document', own: true },
  getVersion: { call: 'GET /version', level: 'anyone', answer: 'Version' },
  getVarz: { call: 'GET /varz', level: 'anyone', answer: 'Varz' },
  getMetrics: { call: 'GET /metrics', level: 'metrics', answer: 'text/plain' },

  linkStyle: { call: 'GET /link/style.css', level: 'anyone', answer: 'text/css', own: true },
  linkRepo: { call: 'GET /link/:owner/:name', level: 'read', answer: 'text/html', own: true },
  linkCommit: { call: 'GET /link/:owner/:name/commit/:sha', level: 'anyone', answer: 'text/html' },
  linkCompare: { call: 'GET /link/:owner/:name/compare/*', level: 'read', answer: 'text/html', own: true },
  linkTree: { call: 'GET /link/:owner/:name/tree/*', level: 'read', query: { sha: 'string' }, answer: 'text/html' },
  linkSource: {
    call: 'GET /link/:owner/:name/src/*',
    level: 'read',
    query: { sha: 'string', line: 'integer' },
    answer: 'text/html',
  },
} as const satisfies Record<string, Row>
