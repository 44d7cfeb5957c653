/** What every route gets: the parts it may use, and what is known about the call. */
import type { HttpBindings } from '@hono/node-server'
import type { Repo, User } from '@flightdeck/api'
import type { Context } from 'hono'
import type { Ci } from '../interfaces/ci.ts'
import type { Forge } from '../interfaces/forge.ts'
import type { Figures } from '../interfaces/figures.ts'
import type { Health } from '../interfaces/health.ts'
import type { RightsCheck } from '../interfaces/hook.ts'
import type { BuildSearch } from '../store/build-search/search.ts'
import type { DefaultAccess } from '../store/default-access.ts'
import type { Store } from '../store/open.ts'
import type { SecretsBox } from '../lib/secrets-box.ts'
import type { SocketHandoff } from '../lib/stream-connection.ts'
import { Refusal } from '../lib/refusal.ts'
import { createKnownDevices, type KnownDevices } from '../people/known-devices.ts'
import { createPasswordQueue, type PasswordQueue } from '../people/password-queue.ts'
import type { CookiePrefix } from '../lib/cookie-prefix.ts'
import type { RpcOptions } from './rpc/options.ts'
import { createSignInRateLimiter, type SignInRateLimiter } from '../people/sign-in-rate-limiter.ts'

/** `loopback`: also callers of this machine, without a token. */
export type MetricsAccess = 'token' | 'loopback' | 'anyone'

export interface HttpDependencies {
  store: Store
  ci: Ci
  search: BuildSearch
  /** The source of users and repositories; `null`: local folders only. */
  forge?: Forge | null
  box: SecretsBox
  /** Where browsers reach this server, without a slash at the end. */
  publicUrl: string
  /**
   * Default false: the client's address is taken from the socket, and forwarded headers are
   * ignored.
   */
  trustProxy?: boolean
  /** Origins of other pages that may call the API; none by default. */
  allowOrigins?: readonly string[]
  /** The address that was opened; that of this machine alone by default. */
  host?: string
  /** Other names by which this server may be called. */
  allowHosts?: readonly string[]
  /** What new users may do with repositories; `none` by default. */
  defaultAccess?: DefaultAccess
  /**
   * Whether the web part shows the pages of public repositories to guests. The API answers them as
   * Drone's does, in any case.
   */
  publicPages?: boolean
  version: string
  /** The folder with the built web part. */
  webRoot: string
  /** Logs background failures. Never gets secrets or bodies. */
  log: (message: string, error?: unknown) => void
  /** How many mistakes nothing caught, since the start. */
  faults?: () => number
  /** Callers that may read `/metrics`; those with a token by default. */
  metricsAccess?: MetricsAccess
  /** The process metrics in `/metrics`. */
  figures?: Figures
  /** The state that `/readyz` reports. */
  health?: Health
  /** Unix seconds. */
  now?: () => number
  sleep?: (ms: number) => Promise<void>
  /** The one way to everything that a password costs. */
  passwordLine?: PasswordQueue
  devices?: KnownDevices
  /** One for all places where a password can be guessed. */
  brake?: SignInRateLimiter
  /** Runners on other machines. */
  rpc: RpcOptions
  /** Silence after which a stream sends a ping; docs/api §4.1. */
  pingMs?: number
}

export interface AppEnv {
  Bindings: (Partial<HttpBindings> & SocketHandoff) | undefined
  Variables: {
    /** Of this call, in the log and in the header `X-Request-Id`. */
    requestId: string | undefined
    /** `null`: a guest. */
    user: User | null
    /** The id of the named token that `user` was known by. */
    namedToken: number | undefined
    /**
     * The `RightsWatch.version` at which `user` was identified. Unset for calls that need no
     * rights.
     */
    judged: number | undefined
    /** Set for the levels read, write and admin. */
    repo: Repo
    /** For what is done after a wait of any length, in the transaction that does it. */
    stillMay: RightsCheck
    form: Promise<URLSearchParams> | undefined
    bytes: Promise<Uint8Array<ArrayBuffer>> | undefined
    cookiePrefix: CookiePrefix | undefined
    /** The answer is a script, style or font of a page, never a page. */
    isPart: boolean | undefined
  }
}
export type Call = Context<AppEnv>
export type Handler = (c: Call) => Response | Promise<Response>

/** Always set for the level "user". */
export function userOf(c: Call): User {
  const user = c.get('user')
  if (!user) throw new Refusal(401, 'Unauthorized')
  return user
}

export const repoOf = (c: Call): Repo => c.get('repo')

export const param = (c: Call, name: string): string => c.req.param(name) ?? ''

/** The client's address; empty without a socket, as in tests. */
export function addressOf(c: Call, { trustProxy }: Pick<HttpDependencies, 'trustProxy'>): string {
  // The proxy appended the last address; the others came with the request.
  const forwarded = trustProxy ? c.req.header('x-forwarded-for')?.split(',').at(-1)?.trim() : undefined
  return forwarded || (c.env?.incoming?.socket.remoteAddress ?? '')
}

/** Fills in what only tests set otherwise. */
export function withDefaults(dependencies: HttpDependencies): Required<HttpDependencies> {
  const now = dependencies.now ?? (() => Math.floor(Date.now() / 1000))
  const sleep = dependencies.sleep ?? ((ms) => new Promise((resolve) => setTimeout(resolve, ms)))
  return {
    brake: createSignInRateLimiter(now, sleep),
    passwordLine: createPasswordQueue(),
    devices: createKnownDevices(dependencies.box, now),
    pingMs: 30_000,
    faults: () => 0,
    metricsAccess: 'token',
    figures: { observe() {}, observeMissed() {}, text: async () => '' },
    health: { report: async () => ({ state: 'ok', version: dependencies.version, problems: [], checks: {} }) },
    trustProxy: false,
    allowOrigins: [],
    host: '127.0.0.1',
    allowHosts: [],
    defaultAccess: 'none',
    publicPages: false,
    forge: null,
    ...dependencies,
    now,
    sleep,
  }
}
