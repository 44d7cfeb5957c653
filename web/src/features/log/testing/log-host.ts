/**
 * A log host that records its messages. Deferred work runs immediately, or when the test decides if
 * it passes `later`.
 */
import { LogHost } from '../engine/host.ts'
import type { FromWorker } from '../engine/protocol.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)

export const startHost = (later = (task: () => void): unknown => task()) => {
  const sent: FromWorker[] = []
  const moved: Transferable[] = []
  const host = new LogHost((message, transfer = []) => {
    sent.push(message)
    moved.push(...transfer)
  }, later)
  const last = <T extends FromWorker['type']>(type: T) =>
    sent.findLast((message): message is Extract<FromWorker, { type: T }> => message.type === type)
  const piece = (text: string) => host.handle({ type: 'saved-bytes', bytes: bytesOf(text) })
  const saved = (rows: unknown[], close = true) => {
    host.handle({ type: 'saved-begin' })
    const text = JSON.stringify(rows)
    piece(close ? text : text.slice(0, -1))
    host.handle({ type: 'saved-end' })
  }
  const view = (raw = false) => {
    host.handle({ type: 'lines', id: 1, wanted: Array.from({ length: 1000 }, (_, line) => line), raw })
    return last('lines')
  }
  const shown = () => view()?.lines.map((line) => line.parts.map((part) => part.text).join(''))
  return { host, sent, moved, last, piece, saved, view, shown }
}

export const row = (pos: number, out: string, time = pos) => ({ pos, out, time })

export const frames = (...data: string[]) => ({
  type: 'live-bytes' as const,
  bytes: bytesOf(data.map((item) => `data: ${item}\n\n`).join('')),
})
export const live = (...rows: unknown[]) => frames(...rows.map((row) => JSON.stringify(row)))

export const search = (text: string, more: { id?: number; pattern?: boolean } = {}) => ({
  type: 'search' as const,
  id: more.id ?? 1,
  query: { text, matchCase: true, word: false, pattern: more.pattern ?? false },
})
