/**
 * Calls from pages of other origins (docs/api §0 "CORS"): from exactly those that were allowed by
 * name, none by default.
 */
import { personHeader } from './authenticate.ts'
import type { Call } from './context.ts'

const methods = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS']
const requestHeaders = ['accept', 'authorization', 'content-type', 'x-csrf-token', 'origin']
const rememberSeconds = 300

/** A CORS preflight request: allows what it requests, if all of it is permitted. */
function setPreflight(c: Call, headers: Headers): void {
  const method = c.req.header('access-control-request-method')
  if (method === undefined || !methods.includes(method)) return
  const requestedHeaders = c.req.header('access-control-request-headers') ?? ''
  const names = requestedHeaders.split(',').map((name) => name.trim().toLowerCase())
  if (!names.every((name) => name === '' || requestHeaders.includes(name))) return
  headers.set('Access-Control-Allow-Methods', method)
  if (requestedHeaders) headers.set('Access-Control-Allow-Headers', requestedHeaders)
  headers.set('Access-Control-Max-Age', String(rememberSeconds))
}

/**
 * On every response of the API, even refusals: a page must be able to read the reason, the user and
 * the server's time.
 */
export function setCorsHeaders(c: Call, headers: Headers, allowed: readonly string[]): void {
  headers.append('Vary', 'Origin')
  if (c.req.method === 'OPTIONS')
    headers.append('Vary', 'Access-Control-Request-Method, Access-Control-Request-Headers')
  const origin = c.req.header('origin')
  if (origin === undefined || !allowed.includes(origin)) return
  headers.set('Access-Control-Allow-Origin', origin)
  headers.set('Access-Control-Allow-Credentials', 'true')
  headers.set('Access-Control-Expose-Headers', `Link, Date, ${personHeader}`)
  if (c.req.method === 'OPTIONS') setPreflight(c, headers)
}
