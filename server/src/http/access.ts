/**
 * The rights that each call needs: the one table of role × route (docs/api §2, architecture.md "who may"). The routes are registered from
 * it, so a call that does not stand here is not served, and one without a handler does not compile.
 */

/**
 * The levels of docs/api §2.0. `anyone` is for what guests may ask, too. `namespace` stands for both "member" and "orgadmin":
 * without a forge nobody can be asked who belongs to an organisation. `metrics` is for administrators and machines. `member` is
 * ours: a reader by a right of their own, not by the visibility of the repository.
 */
export type Level = 'anyone' | 'user' | 'sysadmin' | 'namespace' | 'metrics' | 'read' | 'member' | 'write' | 'admin'

export const access = {
  'GET /api/user': 'user',
  'PATCH /api/user': 'user',
  'POST /api/user/token': 'user',
  'PUT /api/user/password': 'user',
  'GET /api/user/repos': 'user',
  'POST /api/user/repos': 'user',
  'GET /api/user/repos/parts/:part': 'user',
  'GET /api/user/builds': 'user',
  'GET /api/user/builds/recent': 'user',
  'GET /api/user/remote/repos': 'user',
  'GET /api/user/remote/repos/:owner/:name': 'user',

  'GET /api/search': 'user',
  'GET /api/cron-times': 'user',

  'GET /api/user/sync': 'user',
  'GET /api/forge': 'anyone',

  'GET /api/users': 'sysadmin',
  'POST /api/users': 'sysadmin',
  'GET /api/users/:user': 'sysadmin',
  'PATCH /api/users/:user': 'sysadmin',
  'DELETE /api/users/:user': 'sysadmin',
  'POST /api/users/:user/token/rotate': 'sysadmin',
  'GET /api/users/:user/repos': 'sysadmin',
  'POST /api/users/:user/invitation': 'sysadmin',

  'POST /api/invitation': 'anyone',
  'PUT /api/invitation': 'anyone',

  'GET /api/repos': 'sysadmin',
  'GET /api/repos/:owner/:name': 'read',
  'PATCH /api/repos/:owner/:name': 'admin',
  'POST /api/repos/:owner/:name': 'admin',
  'DELETE /api/repos/:owner/:name': 'admin',
  'POST /api/repos/:owner/:name/chown': 'admin',
  'POST /api/repos/:owner/:name/repair': 'admin',
  'POST /api/repos/:owner/:name/forge/fetch': 'admin',
  'POST /api/repos/:owner/:name/sign': 'write',
  'POST /api/repos/:owner/:name/encrypt': 'write',
  'POST /api/repos/:owner/:name/encrypt/secret': 'write',

  'GET /api/repos/:owner/:name/forge': 'write',

  'GET /api/repos/:owner/:name/collaborators': 'member',
  'GET /api/repos/:owner/:name/collaborators/:login': 'member',
  'PUT /api/repos/:owner/:name/collaborators/:login': 'admin',
  'DELETE /api/repos/:owner/:name/collaborators/:login': 'admin',

  'GET /api/repos/:owner/:name/builds': 'read',
  'POST /api/repos/:owner/:name/builds': 'write',
  'DELETE /api/repos/:owner/:name/builds': 'admin',
  'GET /api/repos/:owner/:name/builds/latest': 'read',
  'GET /api/repos/:owner/:name/builds/branches': 'read',
  'GET /api/repos/:owner/:name/builds/pulls': 'read',
  'GET /api/repos/:owner/:name/builds/deployments': 'read',
  'DELETE /api/repos/:owner/:name/builds/branches/*': 'write',
  'DELETE /api/repos/:owner/:name/builds/pulls/:pull': 'write',
  'DELETE /api/repos/:owner/:name/builds/deployments/*': 'write',
  'GET /api/repos/:owner/:name/builds/:number': 'read',
  'GET /api/repos/:owner/:name/builds/:number/details': 'read',
  'GET /api/repos/:owner/:name/builds/:number/usual': 'read',
  'GET /api/repos/:owner/:name/builds/:number/history': 'read',
  'GET /api/repos/:owner/:name/builds/:number/script/:stage/:step': 'read',
  'GET /api/repos/:owner/:name/builds/:number/changes/:stage/:step': 'read',
  'GET /api/repos/:owner/:name/builds/:number/source': 'read',
  'GET /api/repos/:owner/:name/builds/:number/authors/:stage/:step': 'read',
  'POST /api/repos/:owner/:name/builds/:number': 'write',
  'POST /api/repos/:owner/:name/builds/:number/again': 'write',
  'DELETE /api/repos/:owner/:name/builds/:number': 'write',
  'POST /api/repos/:owner/:name/builds/:number/promote': 'write',
  'POST /api/repos/:owner/:name/builds/:number/rollback': 'write',
  'POST /api/repos/:owner/:name/builds/:number/approve/:stage': 'write',
  'POST /api/repos/:owner/:name/builds/:number/decline': 'write',
  'POST /api/repos/:owner/:name/builds/:number/decline/:stage': 'write',
  'GET /api/repos/:owner/:name/builds/:number/logs/:stage/:step': 'read',
  'GET /api/repos/:owner/:name/builds/:number/logs/:stage/:step/known': 'read',
  'DELETE /api/repos/:owner/:name/builds/:number/logs/:stage/:step': 'admin',

  'GET /api/repos/:owner/:name/search': 'read',

  'GET /api/repos/:owner/:name/times': 'read',
  'GET /api/repos/:owner/:name/commits/:sha': 'read',
  'GET /api/repos/:owner/:name/commits/:sha/builds': 'read',

  'GET /api/repos/:owner/:name/secrets': 'write',
  'POST /api/repos/:owner/:name/secrets': 'write',
  'GET /api/repos/:owner/:name/secrets/:secret': 'write',
  'PATCH /api/repos/:owner/:name/secrets/:secret': 'write',
  'DELETE /api/repos/:owner/:name/secrets/:secret': 'write',

  'GET /api/repos/:owner/:name/secret-uses': 'write',

  'GET /api/repos/:owner/:name/cron': 'write',
  'POST /api/repos/:owner/:name/cron': 'write',
  'GET /api/repos/:owner/:name/cron/:cron': 'write',
  'POST /api/repos/:owner/:name/cron/:cron': 'write',
  'PATCH /api/repos/:owner/:name/cron/:cron': 'write',
  'DELETE /api/repos/:owner/:name/cron/:cron': 'write',

  'GET /api/repos/:owner/:name/cards/:number/:stage/:step': 'read',
  'POST /api/repos/:owner/:name/cards/:number/:stage/:step': 'admin',
  'DELETE /api/repos/:owner/:name/cards/:number/:stage/:step': 'admin',

  'GET /api/secrets': 'sysadmin',
  'GET /api/secrets/:namespace': 'namespace',
  'POST /api/secrets/:namespace': 'namespace',
  'GET /api/secrets/:namespace/:secret': 'namespace',
  'PATCH /api/secrets/:namespace/:secret': 'namespace',
  'POST /api/secrets/:namespace/:secret': 'namespace',
  'DELETE /api/secrets/:namespace/:secret': 'namespace',

  'GET /api/templates': 'namespace',
  'GET /api/templates/:namespace': 'namespace',
  'POST /api/templates/:namespace': 'namespace',
  'GET /api/templates/:namespace/:template': 'namespace',
  'PATCH /api/templates/:namespace/:template': 'namespace',
  'PUT /api/templates/:namespace/:template': 'namespace',
  'DELETE /api/templates/:namespace/:template': 'namespace',

  'GET /api/runners': 'sysadmin',
  'GET /api/runners/secret': 'sysadmin',
  'GET /api/queue': 'sysadmin',
  'POST /api/queue': 'sysadmin',
  'DELETE /api/queue': 'sysadmin',
  'GET /api/builds/incomplete': 'sysadmin',
  'GET /api/builds/incomplete/v2': 'sysadmin',
  'GET /api/system/stats': 'sysadmin',

  'GET /api/stream': 'anyone',
  'GET /api/stream/:owner/:name': 'read',
  'GET /api/stream/:owner/:name/:number/:stage/:step': 'read',

  'GET /api/badges/:owner/:name/status.svg': 'anyone',
  'GET /api/badges/:owner/:name/cc.xml': 'read',

  'ALL /healthz': 'anyone',
  'ALL /readyz': 'anyone',
  'GET /api/openapi.json': 'anyone',
  'GET /version': 'anyone',
  'GET /varz': 'anyone',
  'GET /metrics': 'metrics',

  'GET /link/style.css': 'anyone',
  'GET /link/:owner/:name': 'read',
  'GET /link/:owner/:name/commit/:sha': 'anyone',
  'GET /link/:owner/:name/compare/*': 'read',
  'GET /link/:owner/:name/tree/*': 'read',
  'GET /link/:owner/:name/src/*': 'read',
} as const satisfies Record<string, Level>

export type RouteName = keyof typeof access

/** Roots of route groups, where a slash at the end is accepted (docs/api §0 "trailing slash"). */
export const groupRoots: ReadonlySet<string> = new Set([
  '/api/user',
  '/api/user/repos',
  '/api/users',
  '/api/repos',
  '/api/stream',
  '/api/repos/:owner/:name',
  '/api/repos/:owner/:name/collaborators',
  '/api/repos/:owner/:name/builds',
  '/api/repos/:owner/:name/secrets',
  '/api/repos/:owner/:name/cron',
  '/api/secrets',
  '/api/secrets/:namespace',
  '/api/templates',
  '/api/templates/:namespace',
  '/api/queue',
])
