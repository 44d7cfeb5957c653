/** For tests: the gateway on a real socket, in front of a fake Drone. */
import { createGatewayFigures } from '../operation/gateway-figures.ts'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { createGatewayApp } from '../apps/gateway-app.ts'
import { createViewerServices, type ViewerServices } from '../gateway/viewer-services.ts'
import { createUpstream, type Upstream } from '../gateway/upstream.ts'
import { createVersionCheck } from '../gateway/probe.ts'
import type { ServerToken } from '../gateway/server-token.ts'
import { listen, type Listener } from '../listener/listener.ts'
import { makeSecretsBox } from '../lib/secrets-box.ts'

export type Answer = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>

const plain: Answer = (_request, response) => void response.end('{}')

interface StartOptions {
  /** Milliseconds for each question. */
  timeoutMs?: number
  serverToken?: ServerToken
  /** Whether its public URL is configured. */
  isNamed?: boolean
  /** Its public URL; its socket by default. */
  publicUrl?: string
  trustProxy?: boolean
  /** The clock of the server version checks, in milliseconds. */
  checks?: () => number
}

/** Provides both to the tests of the calling file; the gateway is new for each test. */
export function runBehindGateway() {
  const requests: IncomingMessage[] = []
  const failures: unknown[] = []
  const server = createServer((request, response) => {
    requests.push(request)
    void stand.answer(request, response)
  })
  let origin = ''
  let webRoot = ''
  let listener: Listener
  let upstream: Upstream
  let front: ViewerServices

  async function start(to: string, options: StartOptions = {}) {
    const { timeoutMs, serverToken, isNamed = false, trustProxy = false, checks } = options
    listener = await listen('127.0.0.1', 0)
    const figures = createGatewayFigures()
    upstream = createUpstream(to, {
      ...(timeoutMs !== undefined && { timeouts: { check: timeoutMs, read: timeoutMs, change: timeoutMs } }),
      observe: (call) => figures.observeUpstream(call),
    })
    const times = { first: 40, longest: 200, period: 10, tick: 5 }
    // Responses and streams age by events, not by how busy this machine is.
    const limits = { response: 600_000, request: 600_000 }
    front = createViewerServices(upstream, {
      times,
      maxAgesMs: limits,
      reuseMs: 600_000,
      serverToken: serverToken ?? null,
    })
    const app = createGatewayApp({
      upstream,
      front,
      figures,
      observe: (call) => figures.observe(call),
      serverToken: serverToken ?? null,
      box: makeSecretsBox(Buffer.alloc(32, 1)),
      publicUrl: options.publicUrl ?? listener.url,
      host: '127.0.0.1',
      allowHosts: [],
      allowOrigins: [],
      trustProxy,
      version: '1.2.3',
      isNamed,
      checkServer: checks ? createVersionCheck(upstream, checks) : async () => {},
      webRoot,
      log: (message, error) => failures.push([message, error]),
    })
    listener.serve(app.fetch)
  }
  async function end(): Promise<void> {
    await listener.close()
    front.stop()
    upstream.close()
  }

  beforeAll(async () => {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    webRoot = await mkdtemp(join(tmpdir(), 'flightdeck-gateway-'))
    await writeFile(join(webRoot, 'index.html'), '<!doctype html><title>our page</title>')
  })
  afterAll(async () => {
    server.closeAllConnections()
    server.close()
    await rm(webRoot, { recursive: true })
  })
  beforeEach(async () => {
    stand.answer = plain
    requests.length = 0
    failures.length = 0
    await start(origin)
  })
  afterEach(async () => {
    await end()
    expect(failures).toEqual([])
  })

  const stand = {
    /** The fake server's response, which tests can replace. */
    answer: plain,
    /** Received requests. */
    requests,
    last: (): IncomingMessage => requests.at(-1) ?? expect.fail('nothing was asked'),
    origin: () => origin,
    publicUrl: () => listener.url,
    at: (path: string) => listener.url + path,
    request: (path: string, init: RequestInit = {}) => fetch(listener.url + path, { redirect: 'manual', ...init }),
    /**
     * The gateway again, in front of another server. `patience`: milliseconds for each question.
     */
    async startInFrontOf(to: string, timeoutMs?: number): Promise<void> {
      await end()
      await start(to, timeoutMs === undefined ? {} : { timeoutMs })
    },
    /** Restarts the gateway with other options, such as a shared token. */
    async startWith(options: StartOptions): Promise<void> {
      await end()
      await start(origin, options)
    },
  }
  return stand
}
