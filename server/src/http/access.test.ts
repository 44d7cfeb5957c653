import { endpoints, type Row } from '@flightdeck/api/endpoints'
import { capabilities } from '@flightdeck/api/capabilities'
import { findEndpoint, schemas } from '@flightdeck/api/schema'
import { expect, it } from 'vitest'
import { access } from './access.ts'
import { handlersOf } from './routes/index.ts'

const rows = Object.entries<Row>(endpoints)

it('has one row for each call', () => {
  expect(Object.keys(access)).toHaveLength(rows.length)
})

it('has a row for each handler, and a handler for each row', () => {
  // Handlers are only made here, and none is called.
  const nothing: object = new Proxy(() => undefined, { get: () => nothing, apply: () => nothing })
  const handlers = handlersOf(nothing as Parameters<typeof handlersOf>[0])
  expect(Object.keys(handlers).toSorted()).toEqual(Object.keys(access).toSorted())
})

it.each(rows)('%s names schemas that there are', (_name, { call, body, answer }) => {
  const names = [body, typeof answer === 'string' && !answer.includes('/') && answer.replace('[]', '')]
  for (const name of names) if (name) expect(Object.keys(schemas)).toContain(name)
  const [method = '', path = ''] = call.split(' ')
  expect(findEndpoint(method, path.replace('*', 'x'))).toMatchObject({ method, path })
})

it('leaves no capability without an endpoint, but those that are no call', () => {
  const named = new Set(rows.map(([, { own }]) => own))
  const without = capabilities.filter((capability) => !named.has(capability))
  expect(without).toEqual(['badge_filters', 'cron_time_zone', 'personal_namespaces', 'token_rotation'])
})
