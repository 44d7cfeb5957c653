/**
 * `POST /hook` receives the webhooks of forges (docs/api §5.3). Only the signature authenticates
 * the sender.
 */
import type { Hono } from 'hono'
import { json } from './responses.ts'
import type { AppEnv, Call, HttpDependencies } from './context.ts'
import { Refusal } from '../lib/refusal.ts'

/** A push of some thousand commits; more is more than can be read without holding others up. */
const maxBodyBytes = 3 * 1024 * 1024
/** Of all hooks that are being received together. */
const maxHeldBytes = 64 * 1024 * 1024
/** Slower bodies are refused. */
const maxReadMs = 10_000

async function readBody(c: Call, hold: (bytes: number) => void): Promise<Uint8Array> {
  if (Number(c.req.header('content-length') ?? 0) > maxBodyBytes) throw new Refusal(413, 'The webhook is too large')
  const chunks: Uint8Array[] = []
  let size = 0
  const body = c.req.raw.body
  if (!body) return new Uint8Array()
  const reader = (body as ReadableStream<Uint8Array>).getReader()
  const timer = setTimeout(() => void reader.cancel('too slow').catch(() => {}), maxReadMs)
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      size += value.byteLength
      hold(value.byteLength)
      if (size > maxBodyBytes) throw new Refusal(413, 'The webhook is too large')
      chunks.push(value)
    }
  } catch (error) {
    throw error instanceof Refusal ? error : new Refusal(400, 'unexpected EOF')
  } finally {
    clearTimeout(timer)
  }
  return Buffer.concat(chunks, size)
}

export function addHook(app: Hono<AppEnv>, { forge }: Pick<Required<HttpDependencies>, 'forge'>): void {
  if (!forge) return
  let held = 0
  app.post('/hook', async (c) => {
    let own = 0
    try {
      const body = await readBody(c, (bytes) => {
        held += bytes
        own += bytes
        if (held > maxHeldBytes) throw new Refusal(503, 'Too many webhooks at once', 5)
      })
      const { status, message } = await forge.receive((name) => c.req.header(name), body)
      return json({ message }, status)
    } finally {
      held -= own
    }
  })
}
