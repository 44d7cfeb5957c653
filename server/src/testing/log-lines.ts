/** For tests: the lines that readers of a live log get. */
import type { Line } from '@flightdeck/api'
import { decodeRows } from '../lib/log-rows.ts'

/** Ends with `pieces`; `null` if the log is not live. */
export async function* logLines(pieces: AsyncIterable<Uint8Array> | null): AsyncGenerator<Line[]> {
  for await (const bytes of pieces ?? []) yield decodeRows(bytes)
}
