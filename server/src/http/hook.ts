/**
 * `POST /hook` receives the webhooks of forges (docs/api §5.3). Only the signature authenticates
 * the sender.
 */
import type { Hono } from 'hono'
import { json } from './responses.ts'
import { createBodyLimit, type BodyLimit, type ReceivedBody } from './body-limit.ts'
import type { AppEnv, Call, HttpDependencies } from './context.ts'
import { Refusal } from '../lib/refusal.ts'

/** A push of some thousand commits; more is more than can be read without holding others up. */
const maxBodyBytes = 3 * 1024 * 1024
/** Of all hooks that are being received together. */
const maxHeldBytes = 64 * 1024 * 1024
/** Slower bodies are refused. */
const maxReadMs = 10_000

async function readBody(c: Call, limit: BodyLimit, counted: ReceivedBody): Promise<Uint8Array> {
  if (Number(c.req.header('content-length') ?? 0) > maxBodyBytes) throw new Refusal(413, 'The webhook is too large')
  const chunks: Uint8Array[] = []
  let size = 0
  const body = c.req.raw.body
  if (!body) return new Uint8Array()
  const reader = (body as ReadableStream<Uint8Array>).getReader()
  let refusal: Refusal | undefined
  const refuse = (reason: Refusal): void => {
    refusal ??= reason
    void reader.cancel(reason.message).catch(() => {})
  }
  const timer = setTimeout(() => refuse(new Refusal(408, 'The webhook arrives too slowly')), maxReadMs)
  counted.refuse = refuse
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (refusal) throw refusal
      if (done) break
      size += value.byteLength
      limit.add(counted, value.byteLength)
      if (refusal) throw refusal
      if (size > maxBodyBytes) throw new Refusal(413, 'The webhook is too large')
      chunks.push(value)
    }
  } catch (error) {
    throw error instanceof Refusal ? error : new Refusal(400, 'unexpected EOF')
  } finally {
    counted.refuse = undefined
    clearTimeout(timer)
  }
  return Buffer.concat(chunks, size)
}

export function addHook(app: Hono<AppEnv>, { forge }: Pick<Required<HttpDependencies>, 'forge'>): void {
  if (!forge) return
  const limit = createBodyLimit(maxHeldBytes, 'Too many webhooks at once')
  app.post('/hook', async (c) => {
    const counted = limit.begin()
    try {
      const body = await readBody(c, limit, counted)
      const { status, message } = await forge.receive((name) => c.req.header(name), body)
      return json({ message }, status)
    } finally {
      limit.remove(counted)
    }
  })
}
