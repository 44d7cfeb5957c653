/**
 * Reads the commands that a client sends to `git receive-pack` before its pack: one for each ref.
 */
import { createPacketReader, flushPacket, packet } from '../../lib/pkt-line.ts'
import { Refusal } from '../../lib/refusal.ts'

/** The maximum size of all commands: about 10,000 refs. */
const maxCommandBytes = 1024 * 1024
const maxChunks = 1024

export interface PushCommands {
  /** The full names of the refs; none if there are too many. */
  refs: string[]
  hasTooMany: boolean
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
  const iterator = content[Symbol.asyncIterator]()
  const reader = createPacketReader()
  let chunks: Uint8Array[] = []
  let size = 0
  let isDone = false
  while (!isDone && size <= maxCommandBytes) {
    const { value, done } = await iterator.next()
    if (done) throw new Refusal(400, 'The request ends early')
    chunks.push(value)
    size += value.byteLength
    isDone = reader.add(value)
    // Each chunk has an overhead, so many chunks are joined.
    if (chunks.length > maxChunks) chunks = [Buffer.concat(chunks)]
  }
  const refs: string[] = []
  let capabilities = new Set<string>()
  for (const text of reader.packets) {
    if (shallow.test(text)) continue
    const [, ref, chosen] = command.exec(text) ?? []
    if (ref === undefined && !isDone) break
    if (ref === undefined) throw new Refusal(400, 'The request is not git’s protocol')
    if (chosen !== undefined) capabilities = new Set(chosen.trim().split(' '))
    // The first command names the capabilities.
    if (!isDone) break
    refs.push(ref)
  }
  async function* replay(): AsyncGenerator<Uint8Array> {
    try {
      yield* chunks
      for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value
    } finally {
      await iterator.return?.()
    }
  }
  return { refs, hasTooMany: !isDone, capabilities, input: replay() }
}

/** The maximum size of one packet of a side band. */
const maxBandBytes = 65_000

const tooMany = 'the push names too many refs (more than 1 MiB, about 10,000): push fewer at a time'

/** The response that updates no ref; git shows it as "remote unpack failed". */
export function tooManyReport(commands: PushCommands): Buffer {
  if (!canReport(commands)) throw new Refusal(413, tooMany)
  return reportOf(commands, [`unpack ${tooMany}\n`])
}

/**
 * The response that updates no ref, with a reason for each ref; git shows it as "remote rejected".
 */
export function rejectionReport(commands: PushCommands, reasonOf: (ref: string) => string): Buffer {
  const { refs } = commands
  if (!canReport(commands)) throw new Refusal(403, refs.map(reasonOf)[0] ?? 'Refused')
  return reportOf(commands, ['unpack ok\n', ...refs.map((ref) => `ng ${ref} ${reasonOf(ref)}\n`)])
}

const canReport = ({ capabilities }: PushCommands): boolean =>
  capabilities.has('report-status') || capabilities.has('report-status-v2')

function reportOf({ capabilities }: PushCommands, rows: readonly string[]): Buffer {
  const report = Buffer.concat([...rows.map((row) => packet(Buffer.from(row))), flushPacket])
  if (!capabilities.has('side-band-64k')) return report
  const parts: Buffer[] = []
  for (let at = 0; at < report.length; at += maxBandBytes)
    parts.push(packet(Buffer.concat([Buffer.from([1]), report.subarray(at, at + maxBandBytes)])))
  return Buffer.concat([...parts, flushPacket])
}
