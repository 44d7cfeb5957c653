/** Secrets of a namespace, for all its repositories (docs/api §2.7). Like those of a repository they never come out again. */
import type { Secret } from '@flightdeck/api'
import {
  createOrgSecret,
  deleteOrgSecret,
  findOrgSecret,
  listOrgSecrets,
  updateOrgSecret,
} from '../../store/secrets.ts'
import { json, noContent } from '../answers.ts'
import { param, type Call, type Handler, type HttpDependencies } from '../context.ts'
import { found } from '../errors.ts'
import { Refusal } from '../../refusal.ts'
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
    'GET /api/secrets': async () => json(await listOrgSecrets(db)),
    'GET /api/secrets/:namespace': async (c) => json(await listOrgSecrets(db, param(c, 'namespace'))),
    'POST /api/secrets/:namespace': async (c) =>
      json(await createOrgSecret(db, checkNamespace(param(c, 'namespace')), await readNewSecret(c, box))),
    'GET /api/secrets/:namespace/:secret': async (c) => json(await named(c)),
    'PATCH /api/secrets/:namespace/:secret': update,
    'POST /api/secrets/:namespace/:secret': update,
    'DELETE /api/secrets/:namespace/:secret': async (c) => {
      await deleteOrgSecret(db, await named(c))
      return noContent()
    },
  } satisfies Record<string, Handler>
}
