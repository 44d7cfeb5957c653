/**
 * Cloning for builds (`…/{namespace}/{name}.git`): git's smart protocol, reading only, with the netrc of a build that runs.
 * Everything else below such an address is refused: files of the "dumb" protocol, writing, other repositories.
 */
import { createGunzip } from 'node:zlib'
import { Readable } from 'node:stream'
import type { Hono } from 'hono'
import { plainText } from '../responses.ts'
import { addressOf, param, type AppEnv, type Call, type HttpDependencies } from '../context.ts'
import { refusalOf } from '../errors.ts'
import { Refusal } from '../../lib/refusal.ts'
import { contentOf } from '../rpc/bodies.ts'
import { webStream } from '../../lib/web-stream.ts'

const service = 'git-upload-pack'
/** The wishes of a client: some bytes for each ref and commit that it has. */
const maxInput = 32 * 1024 * 1024

/** git's framing: the length in four hexadecimal digits, then the text. */
const packet = (text: string): string => `${(text.length + 4).toString(16).padStart(4, '0')}${text}`

/** Name and password of HTTP's "basic" way; empty where there are none. */
function basicOf(c: Call): { login: string; password: string } {
  const encoded = /^basic ([a-z0-9+/]+=*)$/i.exec(c.req.header('authorization') ?? '')?.[1] ?? ''
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  return colon < 0 ? { login: '', password: '' } : { login: text.slice(0, colon), password: text.slice(colon + 1) }
}

async function* bounded(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let size = 0
  for await (const chunk of content) {
    size += chunk.byteLength
    if (size > maxInput) throw new Refusal(413, 'The request is too large')
    yield chunk
  }
}

function inputOf(c: Call): AsyncIterable<Uint8Array> {
  const coding = c.req.header('content-encoding') ?? 'identity'
  if (coding === 'identity') return bounded(contentOf(c))
  if (coding !== 'gzip' && coding !== 'x-gzip') throw new Refusal(415, 'Unknown content encoding')
  const unpacked = createGunzip()
  const packed = Readable.from(contentOf(c))
  packed.on('error', (error) => unpacked.destroy(error))
  unpacked.on('close', () => packed.destroy())
  // Told to whoever reads; nobody does any more once git has ended.
  unpacked.on('error', () => {})
  return bounded(packed.pipe(unpacked))
}

/** Addresses that are no repository's, whatever comes behind. */
const reserved: ReadonlySet<string> = new Set(['api', 'link', 'rpc'])

export function addGit(app: Hono<AppEnv>, dependencies: Required<HttpDependencies>): void {
  const { runners, clones } = dependencies.rpc

  function refused(c: Call, error: unknown): Response {
    const known = refusalOf(error)
    if (!known && !c.req.raw.signal.aborted) dependencies.log(`${c.req.method} ${c.req.path} failed`, error)
    const { status, message } = known ?? { status: 500, message: 'Internal Server Error' }
    const answer = plainText(`${message}\n`, status)
    if (status === 401) answer.headers.set('WWW-Authenticate', 'Basic realm="Flightdeck", charset="UTF-8"')
    if (status === 503) answer.headers.set('Retry-After', '10')
    return answer
  }
  async function serve(c: Call, folder: string, advertise: boolean, build: string): Promise<Response> {
    const protocol = c.req.header('git-protocol')
    const input = advertise ? Readable.from([]) : inputOf(c)
    const output = await clones.serve(folder, {
      advertise,
      protocol,
      input,
      signal: c.req.raw.signal,
      build,
      runner: addressOf(c, dependencies),
    })
    const isNew = /(^|:)version=2(:|$)/.test(protocol ?? '')
    const content = advertise && !isNew ? withService(output) : output
    const type = `application/x-${service}-${advertise ? 'advertisement' : 'result'}`
    return new Response(webStream(Readable.from(content)), {
      headers: { 'Content-Type': type },
    })
  }
  async function answer(c: Call): Promise<Response> {
    const { login, password } = basicOf(c)
    const slug = `${param(c, 'namespace')}/${param(c, 'name').replace(/\.git$/, '')}`
    // First of all: whoever may not read hears nothing about what there is.
    const folder = await runners.cloneFrom(login, password, slug.replaceAll('\0', '/'))
    if (folder === null) throw new Refusal(404, 'Not Found')
    const rest = new URL(c.req.url).pathname.split('/').slice(3).join('/')
    if (c.req.method === 'GET' && rest === 'info/refs' && c.req.query('service') === service) {
      return serve(c, folder, true, login)
    }
    if (c.req.method === 'POST' && rest === service) {
      if (c.req.header('content-type') === `application/x-${service}-request`) return serve(c, folder, false, login)
      throw new Refusal(415, 'Unknown content type')
    }
    throw new Refusal(403, 'Read-only, smart protocol only')
  }

  // git asks so for `../other`, a submodule's address; forges answer both.
  for (const path of ['/:namespace/:name/info/refs', `/:namespace/:name/${service}`]) {
    app.all(path, async (c, next) => {
      const isGit = c.req.method === 'POST' || (c.req.query('service') ?? '').startsWith('git-')
      if (!isGit || reserved.has(param(c, 'namespace'))) return next()
      return answer(c).catch((error: unknown) => refused(c, error))
    })
  }
  app.all('/:namespace/:name{[^/]+\\.git}/*', async (c, next) => {
    if (reserved.has(param(c, 'namespace'))) return next()
    return answer(c).catch((error: unknown) => refused(c, error))
  })
}

async function* withService(output: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield Buffer.from(`${packet(`# service=${service}\n`)}0000`)
  yield* output
}
