/**
 * The calls of an official runner, with its retries (docs/api §7.2): after 204, after 502 and
 * higher, and after a lost connection.
 */
import { setTimeout as delay } from 'node:timers/promises'

export interface ClientOptions {
  server: string
  secret: string
  /** Milliseconds between two attempts; 10 s in official runners. */
  pauseMs: number
}

/** A final refusal, which is not retried. */
export class Refused extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(`${status} ${message}`)
    this.status = status
  }
}

export function createClient({ server, secret, pauseMs }: ClientOptions) {
  async function once(method: string, path: string, body: unknown, signal: AbortSignal): Promise<Response> {
    return fetch(`${server}/rpc/v2${path}`, {
      method,
      headers: { 'X-Drone-Token': secret, 'User-Agent': 'Go-http-client/1.1' },
      signal,
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
  }
  /** Resolves with the text of a response other than 204 or 502 and higher. */
  async function call(method: string, path: string, body: unknown, signal: AbortSignal): Promise<string> {
    for (;;) {
      signal.throwIfAborted()
      let response: Response | undefined
      let text = ''
      try {
        response = await once(method, path, body, signal)
        text = await response.text()
      } catch (error) {
        if (signal.aborted) throw error
      }
      if (response && response.status !== 204 && response.status <= 501) {
        if (response.ok) return text
        throw new Refused(response.status, text)
      }
      await delay(pauseMs, undefined, { signal })
    }
  }
  return {
    call,
    /** Live lines are sent once, without a retry. */
    async tell(path: string, body: unknown, signal: AbortSignal): Promise<void> {
      const response = await once('POST', path, body, signal).catch(() => undefined)
      await response?.text().catch(() => '')
    },
    async json<T>(method: string, path: string, body: unknown, signal: AbortSignal): Promise<T> {
      return JSON.parse(await call(method, path, body, signal)) as T
    },
  }
}
export type Client = ReturnType<typeof createClient>
