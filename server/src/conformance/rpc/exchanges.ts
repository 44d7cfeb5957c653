/**
 * Requests of official runners, and of one simulated by hand, to a real Drone server (2.25.0), with
 * its responses (docs/api §7).
 */
import { readFileSync } from 'node:fs'
import { brotliDecompressSync } from 'node:zlib'
import * as z from 'zod/mini'

const exchange = z.object({
  file: z.string(),
  /** Milliseconds since the first request, and until the response. */
  at: z.number(),
  ms: z.number(),
  why: z.optional(z.string()),
  method: z.string(),
  path: z.string(),
  body: z.optional(z.unknown()),
  /** 0: the runner dropped the connection. */
  status: z.int(),
  type: z.optional(z.string()),
  answer: z.optional(z.unknown()),
})
export type Exchange = z.infer<typeof exchange>

export const exchanges: readonly Exchange[] = brotliDecompressSync(
  readFileSync(new URL('exchanges.jsonl.br', import.meta.url)),
)
  .toString('utf8')
  .trimEnd()
  .split('\n')
  .map((line) => exchange.parse(JSON.parse(line)))

export const exchangesOf = (file: string): Exchange[] => exchanges.filter((one) => one.file === file)

const details = z.object({ config: z.object({ Data: z.string() }) })

/** The pipeline file of a stage. */
export function configOf(file: string): string {
  const found = exchangesOf(file).find((one) => one.method === 'GET' && one.status === 200)
  return Buffer.from(details.parse(found?.answer).config.Data, 'base64').toString('utf8')
}
