/**
 * Deployment environments: their deployments, who can deploy, and the differences between them (not
 * part of Drone's API).
 */
import type { Deployers, Environment, EnvironmentRule } from '@flightdeck/api'
import { checkCount, limits } from '../../lib/limits.ts'
import { Refusal } from '../../lib/refusal.ts'
import {
  deleteEnvironmentRule,
  findCurrentDeployment,
  findEnvironmentRule,
  listDeploymentsTo,
  listEnvironmentRules,
  setEnvironmentRule,
} from '../../store/environments.ts'
import { inTransaction } from '../../store/open.ts'
import { findPermissions } from '../../store/permissions.ts'
import { decodeBody, queryOf } from '../bodies.ts'
import { param, repoOf, type Call, type Handler, type HttpDependencies } from '../context.ts'
import { buildNumber, pageSize } from '../number-params.ts'
import { json, jsonComparison, jsonList, noContent } from '../responses.ts'
import { checkText } from '../text-limits.ts'

const maxPeople = 100
const choices: readonly Deployers[] = ['writers', 'administrators', 'people']

const nameOf = (c: Call): string => {
  const name = param(c, 'environment').trim()
  if (name === '') throw new Refusal(400, 'Missing environment')
  checkText(name, 'Invalid environment')
  return name
}

const allRights = { read: true, write: true }

/** Returns the fallback for a `Refusal`; rethrows any other error. */
function absent(error: unknown): null {
  if (error instanceof Refusal) return null
  throw error
}

/** Missing fields mean no restriction. */
async function ruleOf(c: Call): Promise<EnvironmentRule> {
  const body = await decodeBody(c, 'Environment', { who: 'string', people: 'string', approval: 'bool' })
  const who = choices.find((one) => one === (body.who ?? 'writers'))
  if (!who) throw new Refusal(400, `Invalid who: use ${choices.join(', ')}`)
  const people = [...new Set((body.people ?? '').split(/[\s,]+/).filter(Boolean))]
  for (const login of people) checkText(login, 'Invalid login')
  if (who === 'people' && people.length === 0) throw new Refusal(400, 'Enter at least one login')
  if (people.length > maxPeople) throw new Refusal(400, `At most ${maxPeople} people can be listed`)
  return { name: nameOf(c), who, ...(who === 'people' && { people }), approval: body.approval ?? false }
}

/** A sha, also a short one, or a branch by its ref. */
const commitOf = (query: URLSearchParams, name: 'from' | 'to'): string => {
  const text = query.get(name) ?? ''
  const isRef = text.startsWith('refs/heads/') && text.length <= 250
  if (!isRef && !/^[0-9a-f]{7,64}$/.test(text)) throw new Refusal(404, 'Commit not found')
  return text
}

export function environmentsRoutes({ store: { db }, ci }: Pick<HttpDependencies, 'store' | 'ci'>) {
  return {
    'GET /api/repos/:owner/:name/environments': async (c) => jsonList(await listEnvironmentRules(db, repoOf(c).id)),
    'GET /api/repos/:owner/:name/environments/:environment': async (c) => {
      const [repo, name, query] = [repoOf(c), nameOf(c), queryOf(c)]
      const before = query.get('before') ? buildNumber(query.get('before') ?? '') : Number.MAX_SAFE_INTEGER
      const limit = pageSize(query.get('per_page'), 100, 20)
      const found = await listDeploymentsTo(db, repo.id, { name, before, limit: limit + 1 })
      const items = await ci.withReasons(found.slice(0, limit))
      const next = found.length > limit ? items.at(-1)?.number : undefined
      const current = await findCurrentDeployment(db, repo.id, name)
      const branch = current?.target ?? ''
      const head = branch === '' ? null : await ci.commitSha(repo, `refs/heads/${branch}`).catch(absent)
      const user = c.get('user')
      const rights = user?.admin ? allRights : user && (await findPermissions(db, user.id, repo.id))
      // A rule names people: only members of the repository read it.
      const rule = rights?.read === true ? await findEnvironmentRule(db, repo.id, name) : null
      const answer: Environment = {
        name,
        ...(current && { current }),
        ...(head !== null && { head: { branch, sha: head } }),
        items,
        ...(next !== undefined && { next }),
        ...(rule && { rule }),
        may_deploy: user !== null && rights?.write === true && (await ci.mayDeploy(repo, name, user)),
      }
      return json(answer)
    },
    'PUT /api/repos/:owner/:name/environments/:environment': async (c) => {
      const rule = await ruleOf(c)
      const repoId = repoOf(c).id
      await inTransaction(db, async (tx) => {
        const rules = await listEnvironmentRules(tx, repoId)
        if (!rules.some(({ name }) => name === rule.name))
          checkCount(rules.length, limits.environments, { what: 'protected environments', of: 'repository' })
        await setEnvironmentRule(tx, repoId, rule)
      })
      return json(rule)
    },
    'DELETE /api/repos/:owner/:name/environments/:environment': async (c) => {
      await deleteEnvironmentRule(db, repoOf(c).id, nameOf(c))
      return noContent()
    },
    'GET /api/repos/:owner/:name/compare': async (c) => {
      const query = queryOf(c)
      const range = { from: commitOf(query, 'from'), to: commitOf(query, 'to') }
      return jsonComparison(await ci.compare(repoOf(c), range, c.req.raw.signal))
    },
  } satisfies Record<string, Handler>
}
