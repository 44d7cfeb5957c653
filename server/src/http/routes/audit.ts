/** The audit log, for administrators. Extra routes, which Drone does not have. */
import type { AuditEntry } from '@flightdeck/api'
import { listAudit, type AuditFilter } from '../../store/audit.ts'
import { auditKinds } from '@flightdeck/api/schema'
import { Refusal } from '../../lib/refusal.ts'
import { yieldForBulk } from '../../lib/event-loop.ts'
import { queryOf } from '../bodies.ts'
import type { Handler, HttpDependencies } from '../context.ts'
import { personOf, whilePermitted } from '../repo-readers.ts'
import { json } from '../responses.ts'

const defaultPage = 50
const maxPage = 100
const exportPage = 1_000
const maxChars = 200

const numberOf = (query: URLSearchParams, name: string): number | undefined => {
  const text = query.get(name)
  if (text === null || text === '') return undefined
  if (!/^\d{1,15}$/.test(text)) throw new Refusal(400, `Invalid ${name} ${JSON.stringify(text.slice(0, 50))}`)
  return Number(text)
}
const textOf = (query: URLSearchParams, name: string): string | undefined => {
  const text = query.get(name)?.trim() ?? ''
  if (text.length > maxChars) throw new Refusal(400, `The ${name} can have at most ${maxChars} characters`)
  return text === '' ? undefined : text
}

function readFilter(query: URLSearchParams): AuditFilter {
  const given = textOf(query, 'kind')
  const kind = auditKinds.find((known) => known === given)
  if (given !== undefined && kind === undefined) throw new Refusal(400, `Invalid kind ${JSON.stringify(given)}`)
  return {
    kind,
    user: textOf(query, 'user'),
    text: textOf(query, 'text'),
    since: numberOf(query, 'since'),
    until: numberOf(query, 'until'),
  }
}

const columns = ['time', 'user', 'kind', 'action', 'target', 'name', 'details', 'address', 'agent'] as const

/** A cell that a spreadsheet would read as a formula gets a leading apostrophe. */
const csvCell = (value: string): string => {
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
const csvRow = (entry: AuditEntry): string => {
  const texts = { ...entry, time: new Date(entry.time * 1000).toISOString(), details: JSON.stringify(entry.details) }
  return `${columns.map((name) => csvCell(texts[name])).join(',')}\r\n`
}
const formats = {
  csv: { type: 'text/csv; charset=utf-8', head: `${columns.join(',')}\r\n`, row: csvRow },
  jsonl: { type: 'application/x-ndjson', head: '', row: (entry: AuditEntry) => `${JSON.stringify(entry)}\n` },
}

const streamOf = (parts: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> =>
  new ReadableStream({
    async pull(controller) {
      const { done, value } = await parts.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await parts.return(undefined)
    },
  })

export function auditRoutes({ store: { db, rights }, now }: Required<HttpDependencies>) {
  async function* exported(filter: AuditFilter, { head, row }: (typeof formats)['csv']): AsyncGenerator<Uint8Array> {
    const encoder = new TextEncoder()
    if (head !== '') yield encoder.encode(head)
    for (let before: number | undefined; ;) {
      const { items, next } = await listAudit(db, filter, { before, limit: exportPage })
      const part = encoder.encode(items.map(row).join(''))
      await yieldForBulk(part.byteLength)
      yield part
      if (next === undefined) return
      before = next
    }
  }
  return {
    'GET /api/audit': async (c) => {
      const query = queryOf(c)
      const limit = Math.min(Math.max(numberOf(query, 'per_page') ?? defaultPage, 1), maxPage)
      return json(await listAudit(db, readFilter(query), { before: numberOf(query, 'before'), limit }))
    },
    'GET /api/audit/export': (c) => {
      const query = queryOf(c)
      const name = query.get('format') ?? 'csv'
      if (name !== 'csv' && name !== 'jsonl') throw new Refusal(400, 'Invalid format: use csv or jsonl')
      const format = formats[name]
      const person = personOf(db, c, now)
      const isAdministrator = async () => (await person()).user?.admin === true
      return new Response(whilePermitted(streamOf(exported(readFilter(query), format)), rights, isAdministrator), {
        headers: {
          'Content-Type': format.type,
          'Content-Disposition': `attachment; filename="audit.${name}"`,
        },
      })
    },
  } satisfies Record<string, Handler>
}
