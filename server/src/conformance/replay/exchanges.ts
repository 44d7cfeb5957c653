/**
 * What clients asked a real Drone server (2.25.0, full build) and how it answered, in the order of
 * time: everything that was recorded over HTTP except the hooks of a forge and templates. Of the
 * answer: status, type, and the text where it is short. The JSON bodies are not here: that the
 * contract describes them is the test of `recordings.test.ts`, that ours fit the contract is the
 * test of the replay.
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
