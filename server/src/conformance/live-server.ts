/**
 * For tests: the server as `server.ts` wires it, with its runner, its ref watcher and its clocks,
 * in a temporary folder; only the socket is missing. Requests are made as by curl, and responses
 * are checked against the contract.
 */
import { mkdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDone } from '@flightdeck/api'
import * as schema from '@flightdeck/api/schema'
import { expect } from 'vitest'
import type * as z from 'zod/mini'
import { createEmbeddedApp } from '../apps/embedded-app.ts'
import { testRepository } from '../testing/test-repository.ts'
import { startEmbedded } from '../embedded.ts'
import { prepareAdministrator } from '../people/first-start.ts'
import { parseOptions } from '../options/options.ts'
import { openSecretsBox } from '../lib/secrets-box.ts'
import { createBuildSearch } from '../store/build-search/search.ts'
import { openStore } from '../store/open.ts'
import { buildSearchScript, spawnerScript, workerScript } from '../testing/bundles.ts'
import { readFrames, type Frames } from './live-frames.ts'

const publicUrl = 'http://ci.example.com'
const admin = { login: 'root', password: 'a password of some length' }
type Message = z.infer<typeof schema.buildEventMessage>

export interface LiveCall {
  /** Sent as JSON. */
  json?: unknown
  /** Default: 200, or 204 if the contract has no response. */
  status?: number
}

/** Checks that the body fits the contract and has no additional keys. */
export function expectAnswer<T extends z.ZodMiniType>(answer: T, body: unknown): z.infer<T> {
  const result = answer.safeParse(body)
  expect(result.error?.issues ?? []).toEqual([])
  expect(result.data).toEqual(body)
  return answer.parse(body)
}

/** One repository, `acme/web`, with this pipeline file. */
export async function startLiveServer(pipeline: string) {
  const folder = await mkdtemp(join(tmpdir(), 'flightdeck-live-'))
  const data = join(folder, 'data')
  const repos = join(folder, 'repos')
  mkdirSync(data, { mode: 0o700 })
  const origin = testRepository(join(repos, 'acme/web'))
  origin.commit({ '.drone.yml': pipeline }, 'Build every commit')

  const problems: unknown[] = []
  const log = (message: string, error?: unknown) => problems.push(error ?? message)
  const given = { port: 0, host: '127.0.0.1', publicUrl, data, repos, admin, capacity: 2 }
  const options = { ...parseOptions([], {}), ...given }
  const store = openStore(join(data, 'flightdeck.db'))
  const box = openSecretsBox(data)
  await (
    await prepareAdministrator(store.db, options, 1)
  )?.ready
  const embedded = await startEmbedded({ ...options, store, box, workerScript, spawnerScript, version: '1.2.3', log })
  const { ci } = embedded
  const search = createBuildSearch({ database: join(data, 'flightdeck.db'), script: buildSearchScript })
  const app = createEmbeddedApp({
    store,
    ci,
    search,
    box,
    publicUrl,
    version: '1.2.3',
    webRoot: join(folder, 'web'),
    log,
    rpc: { secret: undefined, runners: ci.remote, clones: embedded.clones, pushes: embedded.pushes },
  })

  /** Signs in with the form, as a browser does; returns the cookie. */
  async function signIn(username: string, password: string): Promise<string> {
    const response = await app.request('/login', { method: 'POST', body: new URLSearchParams({ username, password }) })
    expect([response.status, response.headers.get('location')]).toEqual([303, '/'])
    return (response.headers.getSetCookie()[0] ?? '').split(';')[0] ?? ''
  }
  const cookie = await signIn(admin.login, admin.password)

  const request = (method: string, path: string, json?: unknown): Promise<Response> =>
    Promise.resolve(
      app.request(path, {
        method,
        headers: { Cookie: cookie, ...(json !== undefined && { 'Content-Type': 'application/json' }) },
        ...(json !== undefined && { body: JSON.stringify(json) }),
      }),
    )

  /** Sends the request, checks the response against the contract and returns the body. */
  async function call(method: string, path: string, { json, status }: LiveCall = {}): Promise<unknown> {
    const response = await request(method, path, json)
    const text = await response.text()
    const endpoint = schema.findEndpoint(method, path)
    expect(endpoint, `${method} ${path} stands in the contract`).toBeDefined()
    const expectedStatus = status ?? (endpoint?.answer ? 200 : 204)
    expect(`${response.status} ${response.ok ? '' : text}`).toBe(`${expectedStatus} ${response.ok ? '' : text}`)
    if (expectedStatus === 204) {
      expect(text).toBe('')
      return undefined
    }
    expect(response.headers.get('content-type')).toBe('application/json')
    const answer = response.ok ? endpoint?.answer : schema.errorBody
    return answer ? expectAnswer(answer, JSON.parse(text)) : undefined
  }

  const stream = async (path: string): Promise<Frames> => {
    const response = await request('GET', path)
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
    return readFrames(response)
  }
  const events = await stream('/api/stream')

  return {
    origin,
    /** Log entries; a passing test has none. */
    problems,
    app,
    signIn,
    request,
    call,
    stream,
    events,
    /** The first matching event of the build. */
    async event(number: number, fits: (message: Message) => boolean): Promise<Message> {
      const data = await events.until((text) => {
        const message = schema.buildEventMessage.parse(JSON.parse(text))
        return message.build.number === number && fits(message)
      })
      return schema.buildEventMessage.parse(JSON.parse(data))
    },
    /** The event of the end of the build. */
    done(number: number): Promise<Message> {
      return this.event(number, ({ build }) => isDone(build.status))
    },
    async close(): Promise<void> {
      await embedded.stop()
      await search.close()
      await store.close()
      await rm(folder, { recursive: true })
    },
  }
}
export type LiveServer = Awaited<ReturnType<typeof startLiveServer>>
