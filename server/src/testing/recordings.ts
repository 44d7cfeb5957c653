/**
 * Responses of a real server (2.25.0, full build) to API calls: one of every shape, without headers
 * and request bodies. They are facts: if the contract disagrees with them, change the contract.
 */
import { readFileSync } from 'node:fs'
import * as z from 'zod/mini'

const exchange = z.object({
  why: z.nullable(z.string()),
  method: z.string(),
  path: z.string(),
  status: z.int(),
  body: z.unknown(),
})
export type Exchange = z.infer<typeof exchange>

export const recordingNames = ['user', 'repos', 'builds', 'logs', 'secrets', 'system'] as const

export const readRecording = (name: (typeof recordingNames)[number] | 'events'): Exchange[] => {
  const file = new URL(`recordings/${name}.json`, import.meta.url)
  return z.array(exchange).parse(JSON.parse(readFileSync(file, 'utf8')))
}
