/**
 * Answers that several calls of one person share. An answer belongs to one person, by construction:
 * the question is asked with the person's credentials and with nothing else that the browser sent,
 * and its key is these and the address.
 */
import { countEntries, createLruCache, memorySize } from '../lib/cache.ts'
import type { Person } from './viewer-request.ts'
import { readBody, encodeBody, type Body } from './body-encoding.ts'
import { explainFailure, type Upstream } from './upstream.ts'
import { monotonicMs } from '../lib/monotonic-time.ts'

export interface ResponseCache {
  /** `null`: not JSON, refused, or too large. Such an answer is forwarded unchanged. */
  get(person: Person, target: string, signal: AbortSignal): Promise<Body | null>
  /** Called before and after each write, by any client: no earlier answer is used after it. */
  changed(): void
  /** Nothing that this person was answered is used again. */
  discard(key: string): void
}

export interface ResponseCacheOptions {
  /** Changes with each event that this person gets; `null` without an event stream. */
  proof: (key: string) => number | null
  /**
   * Milliseconds for which a response is reused if nothing contradicts it: since it started to
   * arrive, and since the request.
   */
  maxAgesMs?: { response: number; request: number }
  maxBytes?: number
  /** Clients that read this viewer's response, chunk by chunk. */
  reads?: (person: Person, pathname: string) => { add(chunk: Buffer): void; end(): void } | null
  /** Makes less of a short answer. */
  change?: (pathname: string, text: string) => string
}

interface Question {
  person: Person
  answer: Promise<Body | null>
  requestedAt: number
  /** When its first bytes were there. */
  respondedAt: number
  changes: number
  proof: number | null
  waiting: number
  abandon: AbortController
}

interface Put {
  person: Person
  target: string
  signal: AbortSignal
  onHead: () => void
}

interface Kept extends Pick<Question, 'requestedAt' | 'respondedAt' | 'changes' | 'proof'> {
  key: string
  body: Body
}

/** Requests whose answer can be shared by concurrent clients. */
const shared =
  /^\/api\/(user(\/repos|\/builds(\/recent)?)?|repos\/[^/]+\/[^/]+(\/builds(\/(latest|branches|pulls|deployments|\d{1,15}))?)?)$/
/** What takes Drone long: the others are answered by it in a millisecond. */
const remembered = /^\/api\/user\/(repos|builds|builds\/recent)$/
/** Larger responses are streamed and not cached. */
const maxOfOne = 64 * 1024 * 1024
/** Concurrent cached requests; further ones are streamed and not cached. */
const maxQuestions = 500
const maxUsers = 10_000

export const isShared = (pathname: string): boolean => shared.test(pathname)
export const isRemembered = (pathname: string): boolean => remembered.test(pathname)

const pathOf = (target: string): string => target.split('?', 1)[0] ?? ''
const bytesOf = ({ plain, packed }: Body): number => (plain?.length ?? 0) + (packed?.length ?? 0) + 500

export function createResponseCache(
  upstream: Upstream,
  {
    proof,
    maxAgesMs = { response: 2_000, request: 5_000 },
    maxBytes = 64 * 1024 * 1024,
    reads,
    change,
  }: ResponseCacheOptions,
): ResponseCache {
  const questions = new Map<string, Question>()
  const cache = createLruCache<Kept>({
    maxSize: maxBytes,
    sizeOf: ({ body }, name) => bytesOf(body) + memorySize(name),
    now: monotonicMs,
  })
  /** The account's state: it shows a sync, for which there is no event. */
  const users = createLruCache<string>({ maxSize: maxUsers, sizeOf: countEntries })
  let changes = 0

  const untilOf = ({ requestedAt, respondedAt }: Kept | Question): number =>
    Math.min(requestedAt + maxAgesMs.request, respondedAt + maxAgesMs.response)
  const stillHolds = (one: Kept | Question, key: string): boolean =>
    one.changes === changes && one.proof === proof(key) && monotonicMs() < untilOf(one)

  function discard(key: string): void {
    for (const [name, one] of cache.entries()) if (one.key === key) cache.delete(name)
    for (const [name, { person }] of questions) if (person.key === key) questions.delete(name)
  }

  function compareUser(key: string, { etag }: Body): void {
    const before = users.get(key)
    if (before === etag) return
    users.set(key, etag)
    if (before !== undefined) discard(key)
  }

  async function put({ person, target, signal, onHead }: Put): Promise<Body | null> {
    const response = await upstream.send({
      method: 'GET',
      target,
      headers: { ...person.headers, accept: 'application/json', host: new URL(upstream.origin).host },
      signal,
    })
    onHead()
    const onAbort = () => response.destroy()
    signal.addEventListener('abort', onAbort, { once: true })
    try {
      const along = reads?.(person, pathOf(target)) ?? null
      const body = await readBody(response, maxOfOne, (chunk) => along?.add(chunk))
      if (body) along?.end()
      return body?.plain && change ? encodeBody(body, change(pathOf(target), body.plain.toString())) : body
    } catch (error) {
      throw explainFailure(upstream.origin, error as NodeJS.ErrnoException)
    } finally {
      signal.removeEventListener('abort', onAbort)
    }
  }

  function start(name: string, person: Person, target: string): Question {
    const abandon = new AbortController()
    const pathname = pathOf(target)
    const question: Question = {
      person,
      answer: put({ person, target, signal: abandon.signal, onHead: () => (question.respondedAt = monotonicMs()) }),
      requestedAt: monotonicMs(),
      respondedAt: Infinity,
      changes,
      proof: proof(person.key),
      waiting: 0,
      abandon,
    }
    questions.set(name, question)
    const done = (body: Body | null) => {
      const isCurrent = questions.get(name) === question
      if (isCurrent) questions.delete(name)
      if (!body) return
      if (pathname === '/api/user') compareUser(person.key, body)
      // Without a stream no change would be noticed.
      if (!isCurrent || question.proof === null || !remembered.test(pathname)) return
      const { requestedAt, respondedAt, changes: at, proof: proofAt } = question
      const ttlMs = untilOf(question) - monotonicMs()
      if (stillHolds(question, person.key)) {
        cache.set(name, { key: person.key, body, requestedAt, respondedAt, changes: at, proof: proofAt }, { ttlMs })
      }
    }
    question.answer.then(done, () => done(null))
    return question
  }

  /** The last one to go ends the question. */
  async function wait(name: string, question: Question, signal: AbortSignal): Promise<Body | null> {
    question.waiting += 1
    let left = false
    const leave = () => {
      if (left) return
      left = true
      question.waiting -= 1
      if (question.waiting > 0) return
      if (questions.get(name) === question) questions.delete(name)
      question.abandon.abort()
    }
    signal.addEventListener('abort', leave, { once: true })
    if (signal.aborted) leave()
    try {
      return await question.answer
    } finally {
      left = true
      signal.removeEventListener('abort', leave)
    }
  }

  return {
    async get(person, target, signal) {
      const name = `${person.key} ${target}`
      const cached = cache.get(name)
      if (cached && stillHolds(cached, person.key)) return cached.body
      cache.delete(name)
      const pending = questions.get(name)
      const isJoined = pending !== undefined && stillHolds(pending, person.key)
      if (!isJoined && questions.size >= maxQuestions) return null
      const question = isJoined ? pending : start(name, person, target)
      return wait(name, question, signal)
    },
    changed() {
      changes += 1
    },
    discard,
  }
}
