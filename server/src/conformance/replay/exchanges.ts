/**
 * Requests to a real Drone server (2.25.0, full build) with its responses, in order of time:
 * everything recorded over HTTP except forge hooks and templates. A response has its status, type
 * and, if short, its text. JSON bodies are left out: `recordings.test.ts` checks Drone's against
 * the contract, and the replay checks ours.
 */
import { readFileSync } from 'node:fs'
import { brotliDecompressSync } from 'node:zlib'
import * as z from 'zod/mini'

const exchange = z.object({
  file: z.string(),
  index: z.int(),
  why: z.string(),
  method: z.string(),
  path: z.string(),
  /** Placeholders: `<token:ann>`, `<session:ann>`, `<old token:otto>`. */
  headers: z.optional(z.record(z.string(), z.string())),
  body: z.optional(z.string()),
  /** 0: a summary, not an exchange. */
  status: z.int(),
  type: z.optional(z.string()),
  location: z.optional(z.string()),
  message: z.optional(z.string()),
  text: z.optional(z.string()),
})
export type Exchange = z.infer<typeof exchange>

export const exchanges: readonly Exchange[] = brotliDecompressSync(
  readFileSync(new URL('exchanges.jsonl.br', import.meta.url)),
)
  .toString('utf8')
  .trimEnd()
  .split('\n')
  .map((line) => exchange.parse(JSON.parse(line)))
