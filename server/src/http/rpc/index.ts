/**
 * The endpoints for runners on other machines (docs/api §7). They have their own bodies, refusals
 * and limits, and come before everything for browsers.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Stage } from '@flightdeck/api'
import { Hono } from 'hono'
import type { RemoteCall } from '../../interfaces/remote.ts'
import { json, unknownPath, wrongMethod } from '../responses.ts'
import { addressOf, param, type AppEnv, type Call, type HttpDependencies } from '../context.ts'
import { failureOf, refusalOf } from '../errors.ts'
import { timeoutSignal } from '../../lib/abort.ts'
import { Refusal } from '../../lib/refusal.ts'
import { yieldToEventLoop } from '../../lib/event-loop.ts'
import { done, nothing, refusal, value } from './rpc-responses.ts'
import { contentOf, limits, readJson, readLines, toCard, toFilter, toStage, toStep } from './bodies.ts'
import { contextOf } from './details.ts'

/**
 * Refusals beyond this number are sent without delay: those runners pause for 10 s on their own
 * (docs/api §7.2).
 */
const maxHeld = 500

const maxAgentLength = 100
const logIntervalMs = 60_000

const hash = (text: string): Buffer => createHash('sha256').update(text).digest()

export function addRpc(app: Hono<AppEnv>, dependencies: Required<HttpDependencies>): void {
  const { secret, runners, reach, onCall, pollMs = 30_000, holdMs = 3_000 } = dependencies.rpc
  const expected = secret === undefined ? undefined : hash(secret)
  let heldCount = 0
  let loggedAt = -Infinity
  /**
   * A runner with a wrong secret retries forever: logs the address of one of them at most once a
   * minute.
   */
  function logWrongSecret(c: Call): void {
    if (c.req.header('x-drone-token') === undefined || performance.now() - loggedAt < logIntervalMs) return
    loggedAt = performance.now()
    const why = expected
      ? 'sent a wrong secret (DRONE_RPC_SECRET must match the file of --rpc-secret-file)'
      : 'asked for work, but this server has no secret for runners (--rpc-secret-file)'
    dependencies.log(`a runner at ${addressOf(c, dependencies)} ${why}`)
  }

  /** Answers later, so that a runner in a loop without a pause costs nothing. */
  async function delayed(c: Call, response: Response): Promise<Response> {
    if (heldCount >= maxHeld) return refusal('', 503)
    heldCount += 1
    try {
      await delay(holdMs, undefined, { signal: c.req.raw.signal }).catch(() => {})
    } finally {
      heldCount -= 1
    }
    return response
  }
  const isRunner = (c: Call): boolean =>
    expected !== undefined && timingSafeEqual(hash(c.req.header('x-drone-token') ?? ''), expected)
  const callOf = (c: Call): RemoteCall => ({
    address: addressOf(c, dependencies),
    reach: reach?.url,
    signal: c.req.raw.signal,
  })
  const idOf = (c: Call): number => {
    const text = param(c, 'id')
    if (/^[1-9]\d{0,14}$/.test(text)) return Number(text)
    throw new Refusal(400, `strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`)
  }
  /** The body has the id; the address only repeats it. */
  const checkId = (c: Call, report: { id: number }): void => {
    if (report.id !== idOf(c)) throw new Refusal(400, 'The ids in the URL and in the body differ')
  }
  function refused(c: Call, error: unknown): Response {
    const knownRefusal = refusalOf(error)
    if (!knownRefusal && !c.req.raw.signal.aborted) dependencies.log(`${c.req.method} ${c.req.path} failed`, error)
    const { status, message } = knownRefusal ?? failureOf(error)
    if (status === 409) {
      // Only stages are refused with a 409 (docs/api §7.1).
      return c.req.path.startsWith('/rpc/v2/step/')
        ? refusal(`1 error occurred:\n\t* ${message}\n\n`, 500)
        : refusal(message, 409)
    }
    return refusal(message, status === 404 ? 500 : status)
  }

  const rpc = new Hono<AppEnv>({ strict: true })
  rpc.onError((error, c) => refused(c, error))
  rpc.use('*', async (c, next) => {
    if (!isRunner(c)) {
      logWrongSecret(c)
      return delayed(c, new Response(null, { status: expected ? 401 : 403 }))
    }
    onCall?.()
    return next()
  })
  rpc.post('/ping', () => done())
  rpc.post('/stage', async (c) => {
    try {
      const filter = toFilter(await readJson(c, limits.filter))
      const signal = AbortSignal.any([c.req.raw.signal, timeoutSignal(pollMs)])
      const agent = (c.req.header('user-agent') ?? '').slice(0, maxAgentLength)
      const stage = await runners.request(filter, signal, { address: addressOf(c, dependencies), agent })
      return stage ? value(stage) : nothing()
    } catch (error) {
      return delayed(c, refused(c, error))
    }
  })
  rpc.post('/stage/:id', async (c) => value(await runners.accept(idOf(c), c.req.query('machine') ?? '', callOf(c))))
  rpc.get('/stage/:id', async (c) => {
    // Hono would answer HEAD like GET (docs/api §0 "wrong method").
    if (c.req.method === 'HEAD') return wrongMethod()
    return value(contextOf(await runners.details(idOf(c), callOf(c)), reach?.version))
  })
  rpc.put('/stage/:id', async (c) => {
    const report = toStage(await readJson(c, limits.stage))
    checkId(c, report)
    // A report can have thousands of steps: storing them and serializing the response take a turn
    // each.
    await yieldToEventLoop()
    // Runners do not send the repository, and do not receive it here (docs/api §7.3).
    const answer: Stage = { ...(await runners.updateStage(report, callOf(c))), repo_id: report.repo_id }
    await yieldToEventLoop()
    return value(answer)
  })
  rpc.put('/step/:id', async (c) => {
    const report = toStep(await readJson(c, limits.step))
    checkId(c, report)
    return value(await runners.updateStep(report, callOf(c)))
  })
  rpc.post('/build/:id/watch', async (c) => {
    const over = await runners.watch(idOf(c), callOf(c), timeoutSignal(pollMs))
    return over ? done() : nothing()
  })
  rpc.post('/step/:id/logs/batch', async (c) => {
    // First all of it is read: a runner sends what was refused once more, as a whole.
    const parts = await readLines(c)
    for (const lines of parts) {
      // One may be a single line of megabytes.
      await yieldToEventLoop()
      await runners.appendLog(idOf(c), lines, callOf(c))
    }
    return done()
  })
  rpc.post('/step/:id/logs/upload', async (c) => {
    await runners.uploadLog(idOf(c), contentOf(c), callOf(c))
    return done()
  })
  rpc.post('/step/:id/card', async (c) => {
    const body = await readJson(c, limits.card, 400).catch((error: unknown) => {
      if (error instanceof Refusal && error.status === 400) return json({ message: error.message }, 400)
      throw error
    })
    if (body instanceof Response) return body
    await runners.storeCard(idOf(c), toCard(body), callOf(c))
    return done()
  })
  for (const path of new Set(rpc.routes.map((route) => route.path))) if (path !== '/*') rpc.all(path, wrongMethod)
  rpc.all('*', unknownPath)
  app.route('/rpc/v2', rpc)
}
