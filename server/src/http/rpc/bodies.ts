/**
 * What runners send: bounded for each call, and read as Go reads it – unknown keys and `null` count
 * as left out.
 */
import type { Line, Stage, Step } from '@flightdeck/api'
import type { RunnerFilter } from '../../interfaces/runner.ts'
import { syntaxFault } from '../bodies.ts'
import { createBodyLimit, droppableBody, type ReceivedBody } from '../body-limit.ts'
import { checkValues, isList, partsOfList } from '../../lib/json-check.ts'
import { runYielding, yieldForBulk } from '../../lib/event-loop.ts'
import type { Call } from '../context.ts'
import { Refusal } from '../../lib/refusal.ts'

const kilobyte = 1024
export const limits = {
  filter: 64 * kilobyte,
  step: 512 * kilobyte,
  stage: 4096 * kilobyte,
  /** An official runner sends at most 5 MiB of text in a step's life. */
  batch: 8192 * kilobyte,
  card: 1024 * kilobyte,
} as const

/**
 * Bodies up to this size are read in one go; larger ones in parts, between which others have their
 * turn.
 */
const maxWholeBytes = 64 * kilobyte

/** Of all larger bodies that are being received or parsed. */
const held = createBodyLimit(128 * 1024 * kilobyte)

async function withBytes<T>(c: Call, limit: number, use: (bytes: Buffer) => Promise<T>): Promise<T> {
  const received = held.begin()
  try {
    return await use(await readBytes(c, limit, received))
  } finally {
    held.remove(received)
  }
}

async function readBytes(c: Call, limit: number, received: ReceivedBody): Promise<Buffer> {
  const tooLarge = () => new Refusal(413, `the request is too large: at most ${limit} bytes are accepted`)
  const length = c.req.header('content-length')
  if (Number(length ?? 0) > limit) throw tooLarge()
  // Node reads no more than this length. Web streams would double the time of a small call.
  if (length !== undefined && Number(length) <= maxWholeBytes)
    return Buffer.from(await c.req.raw.arrayBuffer().catch(refuseCutBody))
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of contentOf(c, received)) {
    size += chunk.byteLength
    if (size > limit) throw tooLarge()
    chunks.push(chunk)
    held.add(received, chunk.byteLength)
  }
  return Buffer.concat(chunks)
}

/** The client disconnected, which is not a failure to log. */
function refuseCutBody(): never {
  throw new Refusal(400, 'unexpected EOF')
}

/** The bytes as they arrive; with `received` they can be dropped to make room. */
export async function* contentOf(c: Call, received: ReceivedBody = { bytes: 0 }): AsyncGenerator<Uint8Array> {
  if (!c.req.raw.body) return
  try {
    yield* droppableBody(c.req.raw.body, received)
  } catch (error) {
    if (error instanceof Refusal) throw error
    refuseCutBody()
  }
}

/** What a stage of as many steps as there may be has, and more. */
const maxValues = 100_000

async function parse(text: string, status: number): Promise<unknown> {
  try {
    return await runYielding(() => JSON.parse(text) as unknown)
  } catch (error) {
    throw new Refusal(status, syntaxFault(text, error))
  }
}

export const readJson = (c: Call, limit: number, status = 500): Promise<unknown> =>
  withBytes(c, limit, async (bytes) => {
    await checkValues(bytes, maxValues)
    return parse(bytes.toString('utf8'), status)
  })

/** Lines of a log in batches; one invalid line refuses the whole body. */
export const readLines = (c: Call): Promise<Line[][]> => withBytes(c, limits.batch, parseLines)

async function parseLines(bytes: Buffer): Promise<Line[][]> {
  if (!isList(bytes)) {
    await checkValues(bytes, maxValues)
    return [toLines(await parse(bytes.toString('utf8'), 500))]
  }
  const parts: Line[][] = []
  for (const text of partsOfList(bytes)) {
    // After other calls, however many runners send. One item may use all of the bytes: then it is
    // parsed in a separate turn.
    await yieldForBulk(text.length)
    const items = (await parse(text, 500)) as unknown[]
    parts.push(toLines(parts.length === 0 ? items : items.slice(1)))
  }
  return parts
}

type Fields = Record<string, unknown>

const wrong = (name: string, value: unknown, type: string) => {
  const kind = Array.isArray(value) ? 'array' : typeof value
  return new Refusal(500, `json: cannot unmarshal ${kind} into Go struct field ${name} of type ${type}`)
}
const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function fieldsOf(value: unknown, type: string): Fields {
  if (value === null || value === undefined) return {}
  if (!isObject(value)) throw wrong(type, value, 'object')
  return value
}

function text(fields: Fields, name: string): string | undefined {
  const value = fields[name] ?? undefined
  if (value === undefined || typeof value === 'string') return value
  throw wrong(name, value, 'string')
}
function whole(fields: Fields, name: string): number {
  const value = fields[name] ?? 0
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value
  throw wrong(name, value, 'int64')
}
function yes(fields: Fields, name: string): boolean {
  const value = fields[name] ?? false
  if (typeof value === 'boolean') return value
  throw wrong(name, value, 'bool')
}
function texts(fields: Fields, name: string): string[] | undefined {
  const value = fields[name] ?? undefined
  if (value === undefined) return undefined
  if (!Array.isArray(value) || !value.every((item) => typeof item === 'string')) throw wrong(name, value, '[]string')
  return value
}
function labels(fields: Fields): Record<string, string> | undefined {
  const value = fields['labels'] ?? undefined
  if (value === undefined) return undefined
  if (!isObject(value)) throw wrong('labels', value, 'map[string]string')
  const entries = Object.entries(value).map(([key, item]): [string, string] => {
    if (typeof item !== 'string') throw wrong(`labels.${key}`, item, 'string')
    return [key, item]
  })
  // A key such as `__proto__` stays a key.
  return Object.fromEntries(entries)
}
/** Drops empty values. */
const present = <T extends object>(value: T): T =>
  Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined && item !== '')) as T

export function toFilter(body: unknown): RunnerFilter {
  const fields = fieldsOf(body, 'Filter')
  const [kind = '', type = ''] = [text(fields, 'kind'), text(fields, 'type')]
  const platform = { os: text(fields, 'os'), arch: text(fields, 'arch'), variant: text(fields, 'variant') }
  const labelFilter = labels(fields)
  return {
    kind,
    type,
    ...definite({ ...platform, kernel: text(fields, 'kernel') }),
    ...(labelFilter && { labels: labelFilter }),
  }
}
const definite = (values: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).flatMap(([key, value]) => (value ? [[key, value]] : [])))

export function toStep(body: unknown): Step {
  const fields = fieldsOf(body, 'Step')
  const step = {
    id: whole(fields, 'id'),
    step_id: whole(fields, 'step_id'),
    number: whole(fields, 'number'),
    name: text(fields, 'name') ?? '',
    // Validated by the receiver of the report.
    status: (text(fields, 'status') ?? '') as Step['status'],
    exit_code: whole(fields, 'exit_code'),
    version: whole(fields, 'version'),
  }
  const more = {
    error: text(fields, 'error'),
    started: whole(fields, 'started') || undefined,
    stopped: whole(fields, 'stopped') || undefined,
    errignore: yes(fields, 'errignore') || undefined,
    detached: yes(fields, 'detached') || undefined,
    depends_on: texts(fields, 'depends_on'),
    image: text(fields, 'image'),
    schema: text(fields, 'schema'),
  }
  return { ...step, ...(present(more) as Partial<Step>) }
}

export function toStage(body: unknown): Stage {
  const fields = fieldsOf(body, 'Stage')
  const steps = fields['steps'] ?? undefined
  if (steps !== undefined && !Array.isArray(steps)) throw wrong('Stage.steps', steps, '[]*core.Step')
  const stage = {
    id: whole(fields, 'id'),
    repo_id: whole(fields, 'repo_id'),
    build_id: whole(fields, 'build_id'),
    number: whole(fields, 'number'),
    name: text(fields, 'name') ?? '',
    status: (text(fields, 'status') ?? '') as Stage['status'],
    errignore: yes(fields, 'errignore'),
    exit_code: whole(fields, 'exit_code'),
    os: text(fields, 'os') ?? '',
    arch: text(fields, 'arch') ?? '',
    started: whole(fields, 'started'),
    stopped: whole(fields, 'stopped'),
    created: whole(fields, 'created'),
    updated: whole(fields, 'updated'),
    version: whole(fields, 'version'),
    on_success: yes(fields, 'on_success'),
    on_failure: yes(fields, 'on_failure'),
  }
  const more = {
    error: text(fields, 'error'),
    machine: text(fields, 'machine'),
    variant: text(fields, 'variant'),
    kernel: text(fields, 'kernel'),
    depends_on: texts(fields, 'depends_on'),
    labels: labels(fields),
    steps: steps?.map((step: unknown) => toStep(step)),
  }
  return { ...stage, ...(present(more) as Partial<Stage>) }
}

function toLines(body: unknown): Line[] {
  if (body === null) return []
  if (!Array.isArray(body)) throw wrong('[]*core.Line', body, '[]*core.Line')
  return body.map((item: unknown) => {
    const fields = fieldsOf(item, 'Line')
    const line = { pos: whole(fields, 'pos'), out: text(fields, 'out') ?? '', time: whole(fields, 'time') }
    if (line.pos < 0 || line.time < 0) throw new Refusal(400, 'Invalid line')
    return line
  })
}

export function toCard(body: unknown): { schema: string; data: string } {
  const fields = fieldsOf(body, 'CardInput')
  return { schema: text(fields, 'schema') ?? '', data: JSON.stringify(fields['data'] ?? null) }
}
