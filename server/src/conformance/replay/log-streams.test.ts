import { readFileSync } from 'node:fs'
import type { Line, Step } from '@flightdeck/api'
import { line } from '@flightdeck/api/schema'
import { afterAll, beforeAll, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { createWorld, type World } from './world.ts'

/**
 * Complete log streams of a real server, from the first byte until the server ended them.
 */
const recorded = z
  .array(z.object({ name: z.string(), as: z.string(), status: z.int(), text: z.string() }))
  .parse(JSON.parse(readFileSync(new URL('log-streams.json', import.meta.url), 'utf8')))
const linesOf = (text: string): Line[] =>
  [...text.matchAll(/^data: (\{.*\})$/gm)].map(([, json = '']) => line.parse(JSON.parse(json)))

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

const read = (path: string, as: string) => {
  const token = world.tokens.get(`token:${as}`)
  return world.app.request(path, { headers: token ? { Authorization: `Bearer ${token}` } : {} })
}
/** A build with a running step and a waiting one. */
async function begin(): Promise<{ path: (step: number) => string; step: Step }> {
  const { number } = await world.push('acme/live')
  const stage = await world.bench.take(['one', 'two'])
  const step = await world.bench.runStep(stage.steps[0] ?? expect.fail('no step'))
  return { path: (wanted) => `/api/stream/acme/live/${number}/1/${wanted}`, step }
}

it.each(recorded.filter(({ text }) => text.includes('data: {')))(
  '$name: the same lines leave our server as the same bytes',
  async ({ as, text }) => {
    const { path, step } = await begin()
    const lines = linesOf(text)
    // Writes some lines before the reader connects, the others while it reads.
    await world.bench.ci.runners.appendLog(step.id, lines.slice(0, 2))
    const response = await read(path(1), as)
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    expect(response.headers.get('x-accel-buffering')).toBe('no')
    expect(response.headers.get('connection')).toBe('keep-alive')
    expect(response.headers.get('cache-control')).toContain('no-cache')
    const whole = response.text()
    for (const one of lines.slice(2)) await world.bench.ci.runners.appendLog(step.id, [one])
    await world.bench.endStep(step)
    // The silence varies between recordings, so only the first ping is in every stream.
    expect(await whole).toBe(text.replaceAll(/(?<=\n\n\n): ping\n\n/g, ''))
  },
)

it.each(recorded.filter(({ text }) => !text.includes('data: {')))('$name', async ({ name, as, status, text }) => {
  const { path, step } = await begin()
  if (name === 'log-finished') await world.bench.endStep(step)
  const number = { 'log-pending-step': 2, 'log-no-step': 9 }[name] ?? 1
  const response = await read(path(number), as)
  expect([response.status, await response.text()]).toEqual([status, text])
})
