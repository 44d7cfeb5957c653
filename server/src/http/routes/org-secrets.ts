/** Secrets of a namespace, for all its repositories (docs/api §2.7). Like those of a repository they never come out again. */
import type { Secret } from '@flightdeck/api'
import {
  countSecrets,
  createOrgSecret,
  deleteOrgSecret,
  findOrgSecret,
  listOrgSecrets,
  updateOrgSecret,
} from '../../store/secrets.ts'
import { checkCount, limits } from '../../lib/limits.ts'
import { inTransaction } from '../../store/open.ts'
import { json, jsonList, noContent } from '../responses.ts'
import { param, type Call, type Handler, type HttpDependencies } from '../context.ts'
import { found } from '../errors.ts'
import { Refusal } from '../../lib/refusal.ts'
import { readNewSecret, readSecretChanges } from '../secret-input.ts'

/** An administrator may name any; what no repository can lie in would only be lost. */
function checkNamespace(name: string): string {
  if (name.length > 250 || /[\p{Cc}<>/]/u.test(name)) throw new Refusal(400, 'Invalid Namespace')
  return name
}

export function orgSecretsRoutes({ store: { db }, box }: HttpDependencies) {
  const named = async (c: Call): Promise<Secret> =>
    found(await findOrgSecret(db, param(c, 'namespace'), param(c, 'secret')))
  const update: Handler = async (c) => {
    const changes = await readSecretChanges(c, box)
    return json(await updateOrgSecret(db, await named(c), changes))
  }
  return {
    'GET /api/secrets': async () => jsonList(await listOrgSecrets(db)),
    'GET /api/secrets/:namespace': async (c) => jsonList(await listOrgSecrets(db, param(c, 'namespace'))),
    'POST /api/secrets/:namespace': async (c) => {
      const namespace = checkNamespace(param(c, 'namespace'))
      const secret = await readNewSecret(c, box)
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
