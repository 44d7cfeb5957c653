/** Each row with the schemas of its response and body, for the OpenAPI document and for tests. */
import * as z from 'zod/mini'
import { endpoints, type Row } from './endpoints/index.ts'
import { schemas, type SchemaName } from './schemas.ts'

export interface Endpoint {
  method: string
  path: string
  /**
   * The schema of the response; `null` for an empty response (204); `undefined` if the response is
   * not JSON.
   */
  answer: z.ZodMiniType | null | undefined
}

const schemaOf = (name: string): z.ZodMiniType | undefined => {
  const base = name.replace(/\[\]$/, '')
  if (!Object.hasOwn(schemas, base)) return undefined
  const schema: z.ZodMiniType = schemas[base as SchemaName]
  if (base === name) return schema
  // A log without lines is `null`.
  return base === 'Line' ? z.nullable(z.array(schema)) : z.array(schema)
}

const rows: readonly Endpoint[] = Object.values<Row>(endpoints).map(({ call, answer }) => {
  const [method = '', path = ''] = call.split(' ')
  return { method, path, answer: answer === null ? null : schemaOf(answer) }
})

/** Sorts literal parts before parameters: `builds/latest` before `builds/:number`. */
const weight = (path: string): string => path.replaceAll(/\/:[^/]+/g, '/~').replaceAll('/*', '/~~')
const sorted = rows.toSorted((a, b) => (weight(a.path) < weight(b.path) ? -1 : 1))

const fits = (template: string, pathname: string): boolean => {
  const wanted = template.split('/')
  const given = pathname.split('/')
  if (wanted.at(-1) === '*') return given.length >= wanted.length && wanted.slice(0, -1).every(fitsPart(given))
  return wanted.length === given.length && wanted.every(fitsPart(given))
}
const fitsPart =
  (given: readonly string[]) =>
  (part: string, index: number): boolean =>
    part.startsWith(':') ? given[index] !== '' : part === given[index]

/**
 * The row of a call, regardless of its query and a trailing slash; `undefined` if there is none.
 */
export const findEndpoint = (method: string, url: string): Endpoint | undefined => {
  const pathname = (url.split('?')[0] ?? '').replace(/(.)\/$/, '$1')
  return sorted.find((endpoint) => endpoint.method === method && fits(endpoint.path, pathname))
}
