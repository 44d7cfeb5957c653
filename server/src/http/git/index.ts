/**
 * Repositories over git's smart protocol (`…/{namespace}/{name}.git`): a build that runs reads with
 * its netrc, a person reads and writes with a token as the password. Everything else below such an
 * address is refused: files of the "dumb" protocol, other repositories.
 */
import { createGunzip } from 'node:zlib'
import { Readable } from 'node:stream'
import type { User } from '@flightdeck/api'
import type { Hono } from 'hono'
import { plainText } from '../responses.ts'
import { basicChallenge, basicOf } from '../basic.ts'
import { addressOf, param, type AppEnv, type Call, type HttpDependencies } from '../context.ts'
import { failureOf, refusalOf } from '../errors.ts'
import { requireRepo } from '../guards.ts'
import { ownerOfAnyToken } from '../../people/access-tokens.ts'
import { findRepoInternals } from '../../store/repos.ts'
import { flushPacket, packet } from '../../lib/pkt-line.ts'
import { Refusal } from '../../lib/refusal.ts'
import { contentOf } from '../rpc/bodies.ts'
import { answerLfs } from './lfs.ts'
import { webStream } from '../../lib/web-stream.ts'

type Service = 'git-upload-pack' | 'git-receive-pack'
const services = ['git-upload-pack', 'git-receive-pack'] as const

/**
 * Bytes of a request after decompression: for a clone a few for each ref and commit that the client
 * has, for a push the pack, whose limit git enforces.
 */
const maxInput: Readonly<Record<Service, number>> = {
  'git-upload-pack': 32 * 1024 * 1024,
  'git-receive-pack': 1024 ** 3 + 32 * 1024 * 1024,
}

async function* bounded(content: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array> {
  let size = 0
  for await (const chunk of content) {
    size += chunk.byteLength
    if (size > maxBytes) throw new Refusal(413, 'The request is too large')
    yield chunk
  }
}

function inputOf(c: Call, maxBytes: number): AsyncIterable<Uint8Array> {
  const coding = c.req.header('content-encoding') ?? 'identity'
  if (coding === 'identity') return bounded(contentOf(c), maxBytes)
  if (coding !== 'gzip' && coding !== 'x-gzip') throw new Refusal(415, 'Unknown content encoding')
  const unpacked = createGunzip()
  const packed = Readable.from(contentOf(c))
  packed.on('error', (error) => unpacked.destroy(error))
  unpacked.on('close', () => packed.destroy())
  // The reader gets the error; after git has exited there is no reader.
  unpacked.on('error', () => {})
  return bounded(packed.pipe(unpacked), maxBytes)
}

/** First path segments that are never a repository's owner. */
const reserved: ReadonlySet<string> = new Set(['api', 'link', 'rpc'])

interface Caller {
  /** The key of the per-caller limits. */
  name: string
  /** Of the repository. */
  folder: string
  /** `null`: the caller is a build. */
  user: User | null
}

export function addGit(app: Hono<AppEnv>, dependencies: Required<HttpDependencies>): void {
  const { store, rpc, now } = dependencies
  const { runners, clones, pushes } = rpc

  /**
   * A refusal is for the client alone; what git or the database could not do is for the operator,
   * too.
   */
  function logFailure(c: Call, error: unknown): void {
    if (c.req.raw.signal.aborted || (refusalOf(error)?.status ?? 500) !== 500) return
    const cause = error instanceof Error ? (error.cause ?? error) : error
    dependencies.log(`${c.req.method} ${c.req.path} failed`, cause)
  }
  /** A response that has started can only be cut. */
  async function* logged(c: Call, output: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    try {
      yield* output
    } catch (error) {
      logFailure(c, error)
      throw error
    }
  }
  function refused(c: Call, error: unknown): Response {
    const refusal = refusalOf(error)
    logFailure(c, error)
    const { status, message } = refusal ?? failureOf(error)
    const response = plainText(`${message}\n`, status)
    if (status === 401) response.headers.set('WWW-Authenticate', basicChallenge)
    if (status === 503) response.headers.set('Retry-After', '10')
    return response
  }
  /**
   * Throws a 401 without a valid credential, a 404 where the caller may not read, a 403 where it
   * may not write.
   */
  async function callerOf(c: Call, service: Service | null): Promise<Caller> {
    const { login, password } = basicOf(c)
    const slug = `${param(c, 'namespace')}/${param(c, 'name').replace(/\.git$/, '')}`.replaceAll('\0', '/')
    const { user } = password === '' ? { user: null } : await ownerOfAnyToken(store.db, password, now())
    // First: the existence of a repository without read access must not be revealed.
    if (!user) {
      const folder = await runners.cloneFrom(login, password, slug)
      if (folder === null) throw new Refusal(404, unreadable(slug))
      if (service !== 'git-receive-pack') return { name: login, folder, user }
      throw new Refusal(
        403,
        `Build credentials are read-only. To push, use the login and token of a user with write access to ${slug}`,
      )
    }
    const repo = await requireRepo(store.db, user, slug, 'read')
    const internals = await findRepoInternals(store.db, repo.id)
    if (!internals?.path || internals.missing) throw new Refusal(404, 'Not Found')
    if (service === 'git-receive-pack') {
      if (internals.forge) throw new Refusal(403, `${slug} is a mirror. Push to ${repo.git_http_url}`)
      const refusal = new Refusal(403, `${user.login} has read access to ${slug}, but no write access`)
      await requireRepo(store.db, user, slug, 'write').catch((error: unknown) => {
        throw error instanceof Refusal ? refusal : error
      })
    }
    return { name: user.login, folder: internals.path, user }
  }
  async function outputOf(c: Call, { name, folder, user }: Caller, service: Service, advertise: boolean) {
    const input = advertise ? Readable.from([]) : inputOf(c, maxInput[service])
    const { signal } = c.req.raw
    if (service === 'git-receive-pack')
      return pushes.receive(folder, {
        advertise,
        input,
        signal,
        person: user ?? { login: name, email: '' },
        async stillMay() {
          if ((await callerOf(c, service)).folder !== folder) throw new Refusal(404, 'Not Found')
        },
      })
    const protocol = c.req.header('git-protocol')
    const runner = addressOf(c, dependencies)
    return clones.serve(folder, { advertise, protocol, input, signal, build: name, runner })
  }
  async function answer(c: Call): Promise<Response> {
    const gitPath = new URL(c.req.url).pathname.split('/').slice(3).join('/')
    const advertise = c.req.method === 'GET' && gitPath === 'info/refs'
    const named = advertise ? c.req.query('service') : c.req.method === 'POST' ? gitPath : ''
    const service = services.find((one) => one === named) ?? null
    const caller = await callerOf(c, service)
    if (gitPath.startsWith('info/lfs/')) {
      const path = gitPath.slice('info/lfs/'.length)
      return answerLfs(c, { clones, folder: caller.folder, path, publicUrl: dependencies.publicUrl })
    }
    if (!service) throw new Refusal(403, 'Only git’s smart HTTP protocol is supported')
    if (!advertise && c.req.header('content-type') !== `application/x-${service}-request`)
      throw new Refusal(415, 'Unknown content type')
    const output = logged(c, await outputOf(c, caller, service, advertise))
    const isNew = service === 'git-upload-pack' && /(^|:)version=2(:|$)/.test(c.req.header('git-protocol') ?? '')
    const content = advertise && !isNew ? withService(service, output) : output
    return new Response(webStream(Readable.from(content)), {
      headers: { 'Content-Type': `application/x-${service}-${advertise ? 'advertisement' : 'result'}` },
    })
  }

  // git requests this for `../other`, a submodule's address; forges answer both.
  for (const path of ['/:namespace/:name/info/refs', ...services.map((service) => `/:namespace/:name/${service}`)]) {
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

/** The same for repositories that do not exist. */
const unreadable = (slug: string): string =>
  `This build cannot read ${slug}, if it exists: builds read public repositories, and private ones of their own namespace that the user who activated the repository can read. For others use a token in a secret`

async function* withService(service: Service, output: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield Buffer.concat([packet(Buffer.from(`# service=${service}\n`)), flushPacket])
  yield* output
}
