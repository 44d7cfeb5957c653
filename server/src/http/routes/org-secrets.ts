/**
 * Secrets of a namespace, for all its repositories (docs/api §2.7). Like those of a repository they
 * are never returned.
 */
import type { Secret } from '@flightdeck/api'
import {
  countSecrets,
  createOrgSecret,
  deleteOrgSecret,
  findOrgSecret,
  listOrgSecrets,
  listOverrides,
  updateOrgSecret,
} from '../../store/secrets.ts'
import { checkCount, limits } from '../../lib/limits.ts'
import { inTransaction } from '../../store/open.ts'
import { json, jsonList, noContent } from '../responses.ts'
import { param, userOf, type Call, type Handler, type HttpDependencies } from '../context.ts'
import { found } from '../errors.ts'
import { Refusal } from '../../lib/refusal.ts'
import { readNewSecret, readSecretChanges } from '../secret-input.ts'

/** An administrator may name any; what no repository can lie in would only be lost. */
function checkNamespace(name: string): string {
  if (name.length > 250 || /[\p{Cc}<>/]/u.test(name)) throw new Refusal(400, 'Invalid Namespace')
  return name
}

export function orgSecretsRoutes({ store: { db }, box, now }: Required<HttpDependencies>) {
  const named = async (c: Call): Promise<Secret> =>
    found(await findOrgSecret(db, param(c, 'namespace'), param(c, 'secret')))
  const update: Handler = async (c) => {
    const changes = await readSecretChanges(c, { box, now })
    return json(await updateOrgSecret(db, await named(c), changes))
  }
  return {
    'GET /api/secrets': async () => jsonList(await listOrgSecrets(db)),
    'GET /api/secrets/:namespace': async (c) => {
      const namespace = param(c, 'namespace')
      const overrides = await listOverrides(db, namespace, userOf(c))
      const secrets = await listOrgSecrets(db, namespace)
      return jsonList(
        secrets.map((secret) => {
          const slugs = overrides.get((secret.name ?? '').toLowerCase())
          return slugs ? { ...secret, overridden_in: slugs } : secret
        }),
      )
    },
    'POST /api/secrets/:namespace': async (c) => {
      const namespace = checkNamespace(param(c, 'namespace'))
      const secret = await readNewSecret(c, { box, now })
      const created = await inTransaction(db, async (tx) => {
        checkCount(await countSecrets(tx, { namespace }), limits.secrets, { what: 'secrets', of: 'namespace' })
        return createOrgSecret(tx, namespace, secret)
      })
      return json(created)
    },
    'GET /api/secrets/:namespace/:secret': async (c) => json(await named(c)),
    'PATCH /api/secrets/:namespace/:secret': update,
    'POST /api/secrets/:namespace/:secret': update,
    'DELETE /api/secrets/:namespace/:secret': async (c) => {
      await deleteOrgSecret(db, await named(c))
      return noContent()
    },
  } satisfies Record<string, Handler>
}
