/** A JSON API client for the forges without a client library (docs/decisions/forge-drivers.md). */
import { unexpectedShape } from './shapes.ts'
import { boundedFetch, type FetchLimits, type ForgeEnd } from './bounded-fetch.ts'

interface Call {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  headers: Record<string, string>
  query?: Record<string, string | number | boolean>
  body?: Record<string, unknown>
}

/** Every part of `path` is encoded: a GitLab path `a/b` is one part, `a%2Fb`. */
export async function callJson(
  end: ForgeEnd,
  path: readonly (string | number)[],
  { method = 'GET', headers, query = {}, body }: Call,
  limits: FetchLimits,
): Promise<{ data: unknown; headers: Headers }> {
  const url = new URL(`${end.base}/${path.map((part) => encodeURIComponent(part)).join('/')}`)
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value))
  const response = await boundedFetch(end, limits)(url, {
    method,
    headers: { accept: 'application/json', ...(body && { 'content-type': 'application/json' }), ...headers },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (text === '') return { data: null, headers: response.headers }
  try {
    return { data: JSON.parse(text) as unknown, headers: response.headers }
  } catch {
    throw unexpectedShape(end.title, 'no JSON but an answer')
  }
}
