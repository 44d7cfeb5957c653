/** Cards of steps (docs/api §2.5, §8.1): any JSON, as it was given. */
import { deleteCard, findCard } from '../../store/cards.ts'
import { noContent, json } from '../responses.ts'
import { decodeBody } from '../bodies.ts'
import type { Handler, HttpDependencies } from '../context.ts'
import { found, noRows } from '../errors.ts'
import { Refusal } from '../../lib/refusal.ts'
import { stepOf } from '../step-params.ts'

export function cardsRoutes({ store: { db }, ci }: HttpDependencies) {
  return {
    'GET /api/repos/:owner/:name/cards/:number/:stage/:step': async (c) => {
      const card = found(await findCard(db, (await stepOf(db, c)).id))
      return new Response(card, { headers: { 'Content-Type': 'application/json' } })
    },
    'POST /api/repos/:owner/:name/cards/:number/:stage/:step': async (c) => {
      const { schema = '' } = await decodeBody(c, 'CardInput', { schema: 'string' })
      // It becomes an address that a browser loads.
      if (!/^https?:\/\//i.test(schema) || schema.length > 2_000) throw new Refusal(400, 'Invalid schema')
      const bytes = (await c.get('bytes')) ?? new Uint8Array()
      const { data = null } = JSON.parse(new TextDecoder().decode(bytes)) as { data?: unknown }
      const step = await stepOf(db, c)
      await ci.addCard(step, { schema, data: JSON.stringify(data) })
      return json(step.id)
    },
    'DELETE /api/repos/:owner/:name/cards/:number/:stage/:step': async (c) => {
      if (!(await deleteCard(db, (await stepOf(db, c)).id))) throw noRows()
      return noContent()
    },
  } satisfies Record<string, Handler>
}
