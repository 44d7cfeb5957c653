/** For tests: what the readers of a live log get, as lines. */
import type { Line } from '@flightdeck/api'
import { decodeRows } from '../lib/log-rows.ts'

/** Ends with `pieces`; `null` is a log that is not live. */
export async function* logLines(pieces: AsyncIterable<Uint8Array> | null): AsyncGenerator<Line[]> {
  for await (const bytes of pieces ?? []) yield decodeRows(bytes)
}
