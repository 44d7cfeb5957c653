/** Deployment permissions of an environment, and which deployments need approval. */
import type { Build, EnvironmentRule, Repo, User } from '@flightdeck/api'
import type { Hook } from '../interfaces/hook.ts'
import { Refusal } from '../lib/refusal.ts'
import { findEnvironmentRule } from '../store/environments.ts'
import type { Db } from '../store/open.ts'
import { findPermissions } from '../store/permissions.ts'

type Deployed = Pick<Build, 'event' | 'deploy_to'>

/**
 * The rule of the environment that it deploys to; `null` where there is none, or where it deploys
 * nothing.
 */
const ruleOf = async (db: Db, repo: Repo, { event, deploy_to: target }: Deployed): Promise<EnvironmentRule | null> => {
  if ((event !== 'promote' && event !== 'rollback') || !target) return null
  return findEnvironmentRule(db, repo.id, target)
}

/** `user` must have write permission. */
export const mayDeploy = async (db: Db, repo: Repo, rule: EnvironmentRule | null, user: User): Promise<boolean> => {
  if (!rule || rule.who === 'writers') return true
  if (rule.who === 'people')
    return (rule.people ?? []).some((login) => login.toLowerCase() === user.login.toLowerCase())
  return user.admin || (await findPermissions(db, user.id, repo.id))?.admin === true
}

const listOf = (logins: readonly string[]): string =>
  logins.length > 1 ? `${logins.slice(0, -1).join(', ')} and ${logins.at(-1)}` : (logins[0] ?? '')

/** Throws a 403 that lists who can deploy. */
export const checkDeployer = async (
  db: Db,
  repo: Repo,
  deployed: Deployed,
  { by, verb }: { by: User; verb: string },
): Promise<void> => {
  const rule = await ruleOf(db, repo, deployed)
  if (!rule || (await mayDeploy(db, repo, rule, by))) return
  const those = rule.who === 'people' ? listOf(rule.people ?? []) : 'repository administrators'
  throw new Refusal(403, `Only ${those} can ${verb} ${rule.name}`)
}

/**
 * Whether its stages wait for an approval. A forge's webhook does not name the requester of a
 * deployment, so it waits unless every writer can deploy.
 */
export const waitsForDeployer = async (db: Db, repo: Repo, hook: Hook): Promise<boolean> => {
  const rule = await ruleOf(db, repo, { event: hook.event, deploy_to: hook.deployTo ?? '' })
  if (!rule) return false
  return rule.approval || (hook.deployId !== undefined && rule.who !== 'writers')
}
