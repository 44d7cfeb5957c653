/** Repeats the recorded requests on our server, and reports how its responses differ. */
import * as schema from '@flightdeck/api/schema'
import { startSession } from '../../people/sessions.ts'
import { findUserByLogin } from '../../store/users.ts'
import type { Exchange } from './exchanges.ts'
import type { World } from './world.ts'

/** A commit that was requested by its sha has a different sha here. */
const recordedCommit = /66c79b[0-9a-f]{34}/

/** Tokens and sessions for their placeholders. */
async function filled(world: World, given: string): Promise<string> {
  const text = given.replace(recordedCommit, () => world.source('acme/web').git('rev-parse', 'HEAD'))
  const session = /<session:(\w+)>/.exec(text)?.[1]
  if (session !== undefined) {
    const user = await findUserByLogin(world.bench.db, session)
    const cached = world.tokens.get(`session:${session}`)
    const value = cached ?? (user ? await startSession(world.bench.db, user, world.bench.clock.now) : '')
    world.tokens.set(`session:${session}`, value)
    return text.replace(`<session:${session}>`, value)
  }
  return text.replaceAll(
    /<((?:old )?token:[\w-]+)>/g,
    (all, name: string) =>
      // An invented token of the recording: any text of the right length.
      world.tokens.get(name) ?? (name === 'token:robot-2' ? 'a-token-of-robot-2'.padEnd(32, '0') : all),
  )
}

async function sendRequest(world: World, { method, path, headers = {}, body }: Exchange): Promise<Response> {
  const sent = new Headers()
  for (const [name, value] of Object.entries(headers)) sent.set(name, await filled(world, value))
  const text = body === undefined ? undefined : await filled(world, body)
  return world.app.request(await filled(world, path), { method, headers: sent, ...(text && { body: text }) })
}

/** `''` if the response is the same. */
export async function differenceOf(world: World, exchange: Exchange): Promise<string> {
  const response = await sendRequest(world, exchange)
  const type = response.headers.get('content-type')?.toLowerCase()
  if (type === 'text/event-stream') {
    await response.body?.cancel()
    return exchange.type === type ? '' : 'a stream'
  }
  const text = await response.text()
  const { status, location, message } = exchange
  if (response.status !== status) return `status ${response.status} instead of ${status}: ${text.slice(0, 100)}`
  // The HTML body of a redirect is not compared.
  if (exchange.type !== undefined && status !== 303 && type !== exchange.type.toLowerCase())
    return `type ${type} instead of ${exchange.type}`
  if (location !== undefined && response.headers.get('location') !== location) {
    return `location ${response.headers.get('location')} instead of ${location}`
  }
  if (
    message !== undefined &&
    text !== `${JSON.stringify({ message }).replaceAll('<', '\\u003c').replaceAll('>', '\\u003e')}\n`
  ) {
    return `${text.trim()} instead of ${message}`
  }
  if (exchange.text !== undefined && status !== 303 && text.trim() !== exchange.text.trim()) {
    return `${JSON.stringify(text)} instead of ${JSON.stringify(exchange.text)}`
  }
  if (type !== 'application/json' || !response.ok) return ''
  const body: unknown = JSON.parse(text)
  remember(world, exchange, body)
  return fitting(exchange, body)
}

/** From now on "the token" is the new one. */
function remember(world: World, { path }: Exchange, body: unknown): void {
  if (!path.endsWith('/token?rotate=true')) return
  const { login, token } = schema.userWithToken.parse(body)
  world.tokens.set(`token:${login}`, token)
}

/**
 * Keys and types must be exactly those of the contract, against which the recorded bodies were
 * checked, too.
 */
function fitting({ method, path }: Exchange, body: unknown): string {
  // A card is any JSON, which the contract does not cover: its text is compared, and creating one
  // returns an id.
  if (path.includes('/cards/')) return method === 'GET' || Number.isInteger(body) ? '' : 'no number'
  const answer = schema.findEndpoint(method, path)?.answer
  if (!answer) return 'no answer in the contract'
  const result = answer.safeParse(body)
  return result.success ? '' : JSON.stringify(result.error.issues).slice(0, 300)
}
