/** What each call answers on success (docs/api §1.15, §2). The first row that fits a path counts. */
import * as z from 'zod/mini'
import {
  build,
  buildDetails,
  buildHistory,
  knownLines,
  listedBuild,
  log,
  sourceAuthors,
  sourceFile,
  repoTimes,
  searchAnswer,
  stage,
  startedBuild,
  stepChanges,
  stepScript,
  usualTimes,
} from './schema-builds.ts'
import { commit } from './schema-commits.ts'
import { forge, repoConnection, syncProgress } from './schema-forge.ts'
import {
  collaborator,
  cron,
  cronTimes,
  permissions,
  plainRepo,
  repo,
  repoPatch,
  repoColumns,
  repoWithBuild,
  repoWithLatest,
  sealed,
  secret,
  secretUses,
} from './schema-repos.ts'
import {
  createdUser,
  invitation,
  invited,
  queueItem,
  rotatedUser,
  runners,
  runnerSecret,
  stats,
  user,
  userWithToken,
  varz,
  version,
} from './schema-system.ts'

export interface Endpoint {
  method: string
  /** `{x}` stands for one part, `*` for the rest. */
  path: string
  /** Of the body; `null` where the answer has none (204). */
  answer: z.ZodMiniType | null
  /** Of the JSON that is sent, where it is described. */
  body?: z.ZodMiniType
}

const row = (method: string, path: string, answer: z.ZodMiniType | null, body?: z.ZodMiniType): Endpoint => ({
  method,
  path,
  answer,
  ...(body && { body }),
})
const text = z.optional(z.string())
const flag = z.optional(z.boolean())
const secretFlags = { pull_request: flag, pull_request_push: flag }
const secretInput = z.object({ name: z.string(), data: z.string(), ...secretFlags })
const secretPatch = z.object({ data: text, ...secretFlags })
const cronInput = z.object({ name: z.string(), expr: z.string(), branch: z.string() })
const cronPatch = z.object({ branch: text, target: text, disabled: flag, expression: text })
const userInput = z.object({
  login: z.string(),
  email: text,
  admin: flag,
  machine: flag,
  token: text,
  repositories: text,
  role: z.optional(z.enum(['read', 'write', 'admin'])),
})
const userPatch = z.object({ admin: flag, active: flag })

const repoPath = '/api/repos/{namespace}/{name}'
const builds = `${repoPath}/builds`

export const endpoints: readonly Endpoint[] = [
  row('GET', '/api/user', user),
  row('PATCH', '/api/user', user, z.object({ email: text })),
  row('POST', '/api/user/token', userWithToken),
  row('PUT', '/api/user/password', null),
  row('GET', '/api/user/repos', z.array(repoWithLatest)),
  row('GET', '/api/user/repos/parts/{part}', z.array(repoColumns)),
  row('POST', '/api/user/repos', z.array(plainRepo)),
  row('GET', '/api/user/builds', z.array(repoWithBuild)),
  row('GET', '/api/user/builds/recent', z.array(repoWithBuild)),
  row('GET', '/api/user/remote/repos', z.array(repo)),
  row('GET', '/api/user/remote/repos/{namespace}/{name}', repo),

  row('GET', '/api/search', searchAnswer),
  row('GET', '/api/cron-times', cronTimes),
  row('GET', '/api/user/sync', syncProgress),
  row('GET', '/api/forge', forge),

  row('GET', '/api/users', z.array(user)),
  row('POST', '/api/users', createdUser, userInput),
  row('GET', '/api/users/{user}', user),
  row('PATCH', '/api/users/{user}', user, userPatch),
  row('DELETE', '/api/users/{user}', null),
  row('POST', '/api/users/{user}/token/rotate', rotatedUser),
  row('GET', '/api/users/{user}/repos', z.array(plainRepo)),
  row('POST', '/api/users/{user}/invitation', invitation),
  row('POST', '/api/invitation', invited),
  row('PUT', '/api/invitation', null),

  row('GET', '/api/repos', z.array(plainRepo)),
  row('GET', repoPath, repo),
  row('PATCH', repoPath, plainRepo, repoPatch),
  row('POST', repoPath, plainRepo),
  row('DELETE', repoPath, plainRepo),
  row('POST', `${repoPath}/chown`, plainRepo),
  row('POST', `${repoPath}/repair`, plainRepo),
  row('POST', `${repoPath}/sign`, sealed),
  row('POST', `${repoPath}/encrypt`, sealed),
  row('POST', `${repoPath}/encrypt/secret`, sealed),
  row('GET', `${repoPath}/forge`, repoConnection),
  row('POST', `${repoPath}/forge/fetch`, null),
  row('GET', `${repoPath}/collaborators`, z.array(collaborator)),
  row('GET', `${repoPath}/collaborators/{login}`, permissions),
  row('PUT', `${repoPath}/collaborators/{login}`, permissions, permissions),
  row('DELETE', `${repoPath}/collaborators/{login}`, null),

  row('GET', builds, z.array(listedBuild)),
  row('POST', builds, startedBuild),
  row('DELETE', builds, null),
  row('GET', `${builds}/branches`, z.array(listedBuild)),
  row('GET', `${builds}/deployments`, z.array(listedBuild)),
  row('GET', `${builds}/pulls`, z.array(listedBuild)),
  row('DELETE', `${builds}/branches/*`, null),
  row('DELETE', `${builds}/deployments/*`, null),
  row('DELETE', `${builds}/pulls/{pull}`, null),
  row('GET', `${builds}/latest`, build),
  row('GET', `${builds}/{number}`, build),
  row('GET', `${builds}/{number}/details`, buildDetails),
  row('GET', `${builds}/{number}/usual`, usualTimes),
  row('GET', `${builds}/{number}/history`, buildHistory),
  row('GET', `${builds}/{number}/script/{stage}/{step}`, stepScript),
  row('GET', `${builds}/{number}/changes/{stage}/{step}`, stepChanges),
  row('GET', `${builds}/{number}/source`, sourceFile),
  row('GET', `${builds}/{number}/authors/{stage}/{step}`, sourceAuthors),
  row('POST', `${builds}/{number}/again`, startedBuild),
  row('POST', `${builds}/{number}`, startedBuild),
  row('DELETE', `${builds}/{number}`, build),
  row('POST', `${builds}/{number}/promote`, startedBuild),
  row('POST', `${builds}/{number}/rollback`, startedBuild),
  row('POST', `${builds}/{number}/approve/{stage}`, null),
  row('POST', `${builds}/{number}/decline/{stage}`, null),
  row('POST', `${builds}/{number}/decline`, null),
  row('GET', `${builds}/{number}/logs/{stage}/{step}/known`, knownLines),
  row('GET', `${builds}/{number}/logs/{stage}/{step}`, log),
  row('DELETE', `${builds}/{number}/logs/{stage}/{step}`, null),

  row('GET', `${repoPath}/times`, repoTimes),
  row('GET', `${repoPath}/commits/{sha}`, commit),
  row('GET', `${repoPath}/commits/{sha}/builds`, z.array(listedBuild)),

  row('GET', `${repoPath}/secrets`, z.array(secret)),
  row('POST', `${repoPath}/secrets`, secret, secretInput),
  row('GET', `${repoPath}/secrets/{secret}`, secret),
  row('PATCH', `${repoPath}/secrets/{secret}`, secret, secretPatch),
  row('DELETE', `${repoPath}/secrets/{secret}`, null),
  row('GET', `${repoPath}/secret-uses`, secretUses),
  row('GET', `${repoPath}/cron`, z.array(cron)),
  row('POST', `${repoPath}/cron`, cron, cronInput),
  row('GET', `${repoPath}/cron/{cron}`, cron),
  row('PATCH', `${repoPath}/cron/{cron}`, cron, cronPatch),
  row('POST', `${repoPath}/cron/{cron}`, startedBuild),
  row('DELETE', `${repoPath}/cron/{cron}`, null),

  row('GET', '/api/secrets', z.array(secret)),
  row('GET', '/api/secrets/{namespace}', z.array(secret)),
  row('POST', '/api/secrets/{namespace}', secret, secretInput),
  row('GET', '/api/secrets/{namespace}/{secret}', secret),
  row('PATCH', '/api/secrets/{namespace}/{secret}', secret, secretPatch),
  row('POST', '/api/secrets/{namespace}/{secret}', secret, secretPatch),
  row('DELETE', '/api/secrets/{namespace}/{secret}', null),

  row('GET', '/api/runners', runners),
  row('GET', '/api/runners/secret', runnerSecret),
  row('GET', '/api/queue', z.array(stage)),
  row('POST', '/api/queue', null),
  row('DELETE', '/api/queue', null),
  row('GET', '/api/builds/incomplete', z.array(repoWithBuild)),
  row('GET', '/api/builds/incomplete/v2', z.array(queueItem)),
  row('GET', '/api/system/stats', stats),
  row('GET', '/api/openapi.json', z.record(z.string(), z.unknown())),
  row('GET', '/version', version),
  row('GET', '/varz', varz),
]

const fits = (template: string, pathname: string): boolean => {
  const wanted = template.split('/')
  const given = pathname.split('/')
  if (wanted.at(-1) === '*') return given.length >= wanted.length && wanted.slice(0, -1).every(fitsPart(given))
  return wanted.length === given.length && wanted.every(fitsPart(given))
}
const fitsPart =
  (given: readonly string[]) =>
  (part: string, index: number): boolean =>
    part.startsWith('{') ? given[index] !== '' : part === given[index]

/** The row of a call; query and a slash at the end do not matter. `undefined` where the contract has none. */
export const findEndpoint = (method: string, url: string): Endpoint | undefined => {
  const pathname = (url.split('?')[0] ?? '').replace(/(.)\/$/, '$1')
  return endpoints.find((endpoint) => endpoint.method === method && fits(endpoint.path, pathname))
}
