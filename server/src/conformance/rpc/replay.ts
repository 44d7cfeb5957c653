/** Plays a recorded runner against our server, with our ids instead of the recorded ones. */
import { repoSettings } from '@flightdeck/api/schema'
import { expect } from 'vitest'
import * as z from 'zod/mini'
import { rpcSecret, type TestApp } from '../../testing/test-app.ts'
import type { Exchange } from './exchanges.ts'

const withId = z.object({ id: z.number() })
const stageLike = z.object({
  id: z.number(),
  build_id: z.number(),
  name: z.string(),
  steps: z.optional(z.array(z.object({ id: z.number(), number: z.number() }))),
})

/** Settings that Drone does not have, and that a runner ignores. */
const additions: ReadonlySet<string> = new Set(
  Object.entries(repoSettings).flatMap(([name, schema]) => (schema.safeParse(undefined).success ? [name] : [])),
)

/**
 * Compares only the shape: keys, types and lengths. Versions of steps after a final report differ
 * (see `drone.md`).
 */
export function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf)
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !additions.has(key))
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => [key, shapeOf(item)]),
  )
}

export class Player {
  readonly app: TestApp
  /** Recorded id → ours. */
  readonly stages = new Map<number, number>()
  readonly builds = new Map<number, number>()
  readonly steps = new Map<number, number>()

  constructor(app: TestApp) {
    this.app = app
  }

  path(path: string): string {
    return path
      .replace(/\/stage\/(\d+)/, (all, id: string) => all.replace(id, String(this.stages.get(Number(id)) ?? id)))
      .replace(/\/step\/(\d+)/, (all, id: string) => all.replace(id, String(this.steps.get(Number(id)) ?? id)))
      .replace(/\/build\/(\d+)/, (all, id: string) => all.replace(id, String(this.builds.get(Number(id)) ?? id)))
  }

  body(path: string, body: unknown): string | undefined {
    if (body === undefined) return undefined
    if (typeof body === 'string') return body
    return JSON.stringify(body, (key, value: unknown) => {
      if (key === 'step_id' || (key === 'id' && path.includes('/stage/') && this.stages.has(Number(value)))) {
        return this.stages.get(Number(value)) ?? value
      }
      if (key === 'build_id') return this.builds.get(Number(value)) ?? value
      if (key === 'id') return this.steps.get(Number(value)) ?? value
      return value
    })
  }

  send(exchange: Exchange, signal?: AbortSignal): Promise<Response> {
    const body = this.body(exchange.path, exchange.body)
    return Promise.resolve(
      this.app.app.request(this.path(exchange.path), {
        method: exchange.method,
        headers: { 'X-Drone-Token': rpcSecret },
        ...(body !== undefined && { body }),
        ...(signal && { signal }),
      }),
    )
  }

  /** Maps the recorded ids of the response to ours. */
  learn(recorded: unknown, actual: unknown): void {
    const [recordedStage, actualStage] = [stageLike.safeParse(recorded), stageLike.safeParse(actual)]
    if (!recordedStage.success || !actualStage.success) return
    this.stages.set(recordedStage.data.id, actualStage.data.id)
    this.builds.set(recordedStage.data.build_id, actualStage.data.build_id)
    for (const step of recordedStage.data.steps ?? []) {
      const same = actualStage.data.steps?.find(({ number }) => number === step.number)
      if (same) this.steps.set(step.id, withId.parse(same).id)
    }
  }

  /** Sends the request and compares the response with the recorded one. */
  async play(exchange: Exchange): Promise<void> {
    await this.judge(exchange, await this.send(exchange))
  }

  async judge(exchange: Exchange, response: Response): Promise<void> {
    const title = `${exchange.why ?? ''} ${exchange.method} ${exchange.path}`
    const text = await response.text()
    const answer: unknown = text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : text
    expect([title, response.status, response.headers.get('content-type') ?? undefined]).toEqual([
      title,
      exchange.status,
      exchange.type,
    ])
    expect(response.headers.get('cache-control')).toBe('no-cache, no-store, must-revalidate, private, max-age=0')
    if (exchange.answer === undefined) expect([title, text]).toEqual([title, ''])
    else if (typeof exchange.answer === 'string') expect([title, answer]).toEqual([title, exchange.answer])
    else {
      this.learn(exchange.answer, answer)
      expect([title, shapeOf(answer)]).toEqual([title, shapeOf(exchange.answer)])
    }
  }
}
