import { endpoints } from '@flightdeck/api/schema'
import { expect, it } from 'vitest'
import { access } from './access.ts'

/** What answers no JSON of ours: streams, pictures, pages, a page's own format, and what is not served. */
const other = /\/(stream|:name\/search|badges|cards|templates)\b|^ALL |\/(healthz|metrics|link\/)/

const shape = (name: string): string => name.replaceAll(/:[^/]+|\{[^}]+\}/g, '{}')
const schemas = new Set(endpoints.map(({ method, path }) => shape(`${method} ${path}`)))

it.each(Object.keys(access).filter((name) => !other.test(name)))('%s has a schema', (name) => {
  expect(schemas.has(shape(name)), `${name} needs a row with its answer in api/src/schema-endpoints.ts`).toBe(true)
})

it('has a row for every schema', () => {
  const rows = new Set(Object.keys(access).map(shape))
  const missing = [...schemas].filter((schema) => !rows.has(schema))
  expect(missing, 'needs a row (who may) in server/src/http/access.ts').toEqual([])
})
