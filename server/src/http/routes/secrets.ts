/** Secrets of a repository (docs/api §2.5). Values are stored encrypted and never returned. */
import type { Secret } from '@flightdeck/api'
import { countSecrets, createSecret, deleteSecret, findSecret, listSecrets, updateSecret } from '../../store/secrets.ts'
import { checkCount, limits } from '../../lib/limits.ts'
import { inTransaction } from '../../store/open.ts'
import { json, jsonList, noContent } from '../responses.ts'
import { param, repoOf, type Call, type Handler, type HttpDependencies } from '../context.ts'
import { found } from '../errors.ts'
import { readNewSecret, readSecretChanges } from '../secret-input.ts'

export function secretsRoutes({ store: { db }, ci, box, now }: Required<HttpDependencies>) {
  const named = async (c: Call): Promise<Secret> => found(await findSecret(db, repoOf(c).id, param(c, 'secret')))
  return {
    'GET /api/repos/:owner/:name/secrets': async (c) => jsonList(await listSecrets(db, repoOf(c).id)),
    'POST /api/repos/:owner/:name/secrets': async (c) => {
      const secret = await readNewSecret(c, { box, now })
      const repoId = repoOf(c).id
      const created = await inTransaction(db, async (tx) => {
        checkCount(await countSecrets(tx, { repoId }), limits.secrets, { what: 'secrets', of: 'repository' })
        return createSecret(tx, repoId, secret)
      })
      return json(created)
    },
    'GET /api/repos/:owner/:name/secrets/:secret': async (c) => json(await named(c)),
    'PATCH /api/repos/:owner/:name/secrets/:secret': async (c) => {
      const changes = await readSecretChanges(c, { box, now })
      return json(await updateSecret(db, await named(c), changes))
    },
    'GET /api/repos/:owner/:name/secret-uses': async (c) => json(await ci.secretUses(repoOf(c))),
    'DELETE /api/repos/:owner/:name/secrets/:secret': async (c) => {
      await deleteSecret(db, await named(c))
      return noContent()
    },
  } satisfies Record<string, Handler>
}
