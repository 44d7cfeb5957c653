import { ApiError } from './errors.ts'

export type Query = Record<string, string | number | boolean | undefined>

export interface ClientOptions {
  /** The API's base URL without a trailing slash; empty for the page's own origin. */
  baseUrl: string
  /** A bearer token. Without one, the session cookie authenticates the user. */
  token?: string | undefined
  fetch?: typeof fetch | undefined
}

/** `?a=1&b=2` of the values that are defined; empty if there are none. */
export const queryString = (query: Query = {}): string => {
  const given = Object.entries(query).flatMap(([key, value]) => (value === undefined ? [] : [[key, String(value)]]))
  return given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * Specification §8: the `message` of a JSON body, else the raw text, else the text of the status;
 * never `undefined`.
 */
export const errorMessage = (status: number, text: string): string => {
  const body = parse(text)
  if (typeof body === 'object' && body !== null && 'message' in body) {
    if (typeof body.message === 'string' && body.message.trim() !== '') return body.message
  }
  return text.trim() || `Request failed with status code ${status}`
}

const networkMessage = (error: unknown): string =>
  error instanceof Error && error.message !== '' ? error.message : 'Network Error'

/** `accept`: our media type that the server can respond with instead. */
export interface CallOptions {
  query?: Query
  body?: unknown
  accept?: string
}
export type Send = (method: string, path: string, options?: CallOptions) => Promise<unknown>

/**
 * Sends one call and parses the JSON response. Every failure becomes an `ApiError` with a message.
 */
export const createSend =
  ({ baseUrl, token, fetch: send = (...args) => fetch(...args) }: ClientOptions): Send =>
  async (method, pathname, { query, body, accept } = {}) => {
    const headers: Record<string, string> = { Accept: `application/json${accept ? `, ${accept}` : ''}` }
    if (token) headers.Authorization = `Bearer ${token}`
    if (body !== undefined) headers['Content-Type'] = 'application/json'
    const init: RequestInit = { method, headers, credentials: 'include' }
    if (body !== undefined) init.body = JSON.stringify(body)
    let status = 0
    let text: string
    try {
      const response = await send(`${baseUrl}${pathname}${queryString(query)}`, init)
      status = response.status
      text = await response.text()
    } catch (error) {
      throw new ApiError(0, networkMessage(error))
    }
    if (status < 200 || status > 299) throw new ApiError(status, errorMessage(status, text))
    if (text.trim() === '') return undefined
    const value = parse(text)
    if (value === undefined && method === 'GET') throw new ApiError(status, 'The server did not answer with JSON')
    return value
  }
