/**
 * Reads the commands that a client sends to `git receive-pack` before its pack: one for each ref.
 */
import { createPacketReader, flushPacket, packet } from '../../lib/pkt-line.ts'
import { Refusal } from '../../lib/refusal.ts'

/** The maximum size of all commands: about 10,000 refs. */
const maxCommandBytes = 1024 * 1024
const maxChunks = 1024

export interface PushCommands {
  /** The full names of the refs. */
  refs: string[]
  /** The capabilities that the client requests. */
  capabilities: ReadonlySet<string>
  /** The whole input, including the commands. */
  input: AsyncIterable<Uint8Array>
}

const command = /^(?:[0-9a-f]{40}|[0-9a-f]{64}) (?:[0-9a-f]{40}|[0-9a-f]{64}) ([^\0\n]+)(?:\0([^\n]*))?\n?$/
const shallow = /^shallow (?:[0-9a-f]{40}|[0-9a-f]{64})\n?$/

/**
 * Reads the commands and leaves the pack unread. Throws a 400 for any other input, including signed
 * pushes.
 */
export async function readPushCommands(content: AsyncIterable<Uint8Array>): Promise<PushCommands> {
  const rest = content[Symbol.asyncIterator]()
  const reader = createPacketReader()
  let chunks: Uint8Array[] = []
  let size = 0
  for (let isDone = false; !isDone;) {
    const { value, done } = await rest.next()
    if (done) throw new Refusal(400, 'The request ends early')
    chunks.push(value)
    size += value.byteLength
    isDone = reader.add(value)
    if (!isDone && size > maxCommandBytes) throw new Refusal(413, 'The push names too many refs')
    // Each chunk has an overhead, so many chunks are joined.
    if (chunks.length > maxChunks) chunks = [Buffer.concat(chunks)]
  }
  const refs: string[] = []
  let capabilities = new Set<string>()
  for (const text of reader.packets) {
    if (shallow.test(text)) continue
    const [, ref, chosen] = command.exec(text) ?? []
    if (ref === undefined) throw new Refusal(400, 'The request is not git’s protocol')
    if (chosen !== undefined) capabilities = new Set(chosen.trim().split(' '))
    refs.push(ref)
  }
  async function* replay(): AsyncGenerator<Uint8Array> {
    try {
      yield* chunks
      for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value
    } finally {
      await rest.return?.()
    }
  }
  return { refs, capabilities, input: replay() }
}

/** The maximum size of one packet of a side band. */
const maxBandBytes = 65_000

/**
 * The response that updates no ref, with a reason for each ref; git shows it as "remote rejected".
 */
export function rejectionReport({ refs, capabilities }: PushCommands, reasonOf: (ref: string) => string): Buffer {
  if (!capabilities.has('report-status') && !capabilities.has('report-status-v2'))
    throw new Refusal(403, refs.map(reasonOf)[0] ?? 'Refused')
  const rows = ['unpack ok\n', ...refs.map((ref) => `ng ${ref} ${reasonOf(ref)}\n`)]
  const report = Buffer.concat([...rows.map((row) => packet(Buffer.from(row))), flushPacket])
  if (!capabilities.has('side-band-64k')) return report
  const parts: Buffer[] = []
  for (let at = 0; at < report.length; at += maxBandBytes)
    parts.push(packet(Buffer.concat([Buffer.from([1]), report.subarray(at, at + maxBandBytes)])))
  return Buffer.concat([...parts, flushPacket])
}
