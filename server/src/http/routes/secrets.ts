/** Secrets of a repository (wire.md §2.5). A value goes in, sealed, and never out again. */
import type { Secret } from '@flightdeck/api'
import { createSecret, deleteSecret, findSecret, listSecrets, updateSecret } from '../../store/secrets.ts'
import { json, noContent } from '../answers.ts'
import { decodeBody } from '../bodies.ts'
import { param, repoOf, type Call, type Handler, type HttpDependencies } from '../context.ts'
import { found, HttpError } from '../errors.ts'

const fields = { name: 'string', data: 'string', pull_request: 'bool', pull_request_push: 'bool' } as const

const checkName = (name: string): void => {
  if (!/^[A-Za-z0-9_.-]{1,500}$/.test(name)) throw new HttpError(400, 'Invalid Secret Name')
}
const checkValue = (value: string): void => {
  if (value === '') throw new HttpError(400, 'Invalid Secret Value')
}

export function secretsRoutes({ store: { db }, box }: HttpDependencies) {
  const named = async (c: Call): Promise<Secret> => found(await findSecret(db, repoOf(c).id, param(c, 'secret')))
  return {
    'GET /api/repos/:owner/:name/secrets': async (c) => json(await listSecrets(db, repoOf(c).id)),
    'POST /api/repos/:owner/:name/secrets': async (c) => {
      const { name = '', data = '', ...flags } = await decodeBody(c, 'secretInput', fields)
      checkName(name)
      checkValue(data)
      return json(await createSecret(db, repoOf(c).id, { name, data: box.encrypt(data), ...flags }))
    },
    'GET /api/repos/:owner/:name/secrets/:secret': async (c) => json(await named(c)),
    'PATCH /api/repos/:owner/:name/secrets/:secret': async (c) => {
      const { name: _, data, ...flags } = await decodeBody(c, 'secretUpdate', fields)
      const secret = await named(c)
      if (data !== undefined) checkValue(data)
      const sealed = data === undefined ? {} : { data: box.encrypt(data) }
      return json(await updateSecret(db, secret, { ...flags, ...sealed }))
    },
    'DELETE /api/repos/:owner/:name/secrets/:secret': async (c) => {
      await deleteSecret(db, await named(c))
      return noContent()
    },
  } satisfies Record<string, Handler>
}
