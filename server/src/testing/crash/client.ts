/** For tests: a client of a server that may refuse a call, or be down. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The server ended. */
export class GoneError extends Error {}

export interface Client {
  signIn(): Promise<boolean>
  /**
   * Whether the response has a success status. Rejects with a `GoneError` without a response.
   */
  isAccepted(path: string, method?: string, body?: unknown): Promise<boolean>
  /** The response body; `undefined` if the call was refused. */
  call<T>(path: string, method?: string, body?: unknown): Promise<T | undefined>
  /** The `data` of the events of a stream, each when it arrives. */
  follow(path: string): AsyncGenerator<string>
}

/** Milliseconds after which a call hangs. */
const hangingMs = 60_000

/** `refused` gets the error of each failed call. */
export function createClient(address: string, data: string, refused: (words: string) => void): Client {
  let cookie = ''
  async function send(path: string, init: RequestInit): Promise<Response> {
    try {
      return await fetch(`${address}${path}`, { ...init, redirect: 'manual', signal: AbortSignal.timeout(hangingMs) })
    } catch (error) {
      throw new GoneError(`${init.method ?? 'GET'} ${path}`, { cause: error })
    }
  }
  async function bodyOf(response: Response, path: string): Promise<string> {
    try {
      return await response.text()
    } catch (error) {
      throw new GoneError(path, { cause: error })
    }
  }
  async function request(path: string, method = 'GET', body?: unknown): Promise<string | undefined> {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const response = await send(path, { method, headers: { Cookie: cookie }, ...sent })
    const text = await bodyOf(response, path)
    if (response.ok) return text
    refused(`${method} ${path}: ${response.status} ${text}`)
    return undefined
  }
  return {
    async signIn() {
      const password = readFileSync(join(data, 'admin-password'), 'utf8').trim()
      const body = new URLSearchParams({ username: 'admin', password })
      const response = await send('/login', { method: 'POST', body })
      cookie = response.headers.get('set-cookie')?.split(';')[0] ?? ''
      const isIn = cookie !== '' && response.headers.get('location') === '/'
      if (!isIn) refused(`POST /login: ${response.status} ${response.headers.get('location') ?? ''}`)
      return isIn
    },
    isAccepted: async (path, method, body) => (await request(path, method, body)) !== undefined,
    async call<T>(path: string, method?: string, body?: unknown) {
      const text = await request(path, method, body)
      return text === undefined ? undefined : (JSON.parse(text) as T)
    },
    async *follow(path) {
      const response = await send(path, { headers: { Cookie: cookie } })
      if (!response.ok) refused(`GET ${path}: ${response.status} ${await bodyOf(response, path)}`)
      if (!response.ok || !response.body) return
      const decoder = new TextDecoder()
      let buffered = ''
      try {
        for await (const bytes of response.body) {
          buffered += decoder.decode(bytes, { stream: true })
          const frames = buffered.split('\n\n')
          buffered = frames.pop() ?? ''
          for (const frame of frames) if (frame.startsWith('data: ')) yield frame.slice('data: '.length)
        }
      } catch (error) {
        throw new GoneError(path, { cause: error })
      }
    },
  }
}
