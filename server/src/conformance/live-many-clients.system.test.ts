import * as schema from '@flightdeck/api/schema'
import { isDone } from '@flightdeck/api'
import * as z from 'zod/mini'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { thisPlatform } from '../machine/platform.ts'
import { startLiveServer, type LiveServer } from './live-server.ts'

// Real builds, on a machine that may be busy with other tests.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 })

const { os, arch } = thisPlatform()
const stage = (name: string, more = '') => `kind: pipeline
type: exec
name: ${name}
platform: { os: ${os}, arch: ${arch} }
clone: { disable: true }
steps:
- name: one
  commands: [ "echo ${name}", "sleep 0.05" ]
- name: two
  commands: [ "test $((DRONE_BUILD_NUMBER % 3)) != 0" ]
${more}
`
const pipeline = [stage('a'), stage('b', 'depends_on: [a]')].join('---\n')
const builds = '/api/repos/acme/web/builds'

let live: LiveServer
beforeAll(async () => {
  live = await startLiveServer(pipeline)
  await live.call('POST', '/api/user/repos')
  await live.call('POST', '/api/repos/acme/web')
})
afterAll(() => live.close())

/** The same numbers in every run. */
function dice(): (sides: number) => number {
  let state = 42
  return (sides) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * sides)
  }
}

it('many people who start, cancel, restart and purge at the same time leave consistent data', async () => {
  const roll = dice()
  const seen = new Set<number>()
  const act = async (): Promise<void> => {
    const number = 1 + roll(8)
    const [method, path] = (
      [
        ['POST', builds],
        ['POST', builds],
        ['POST', `${builds}/${number}`],
        ['DELETE', `${builds}/${number}`],
        ['POST', `${builds}/${number}/promote?target=x`],
        ['GET', `${builds}/${number}`],
        ['DELETE', `${builds}?before=${Math.floor(number / 4)}`],
        ['POST', `${builds}/${number}/approve/1`],
        ['POST', `${builds}/${number}/decline`],
      ] as const
    )[roll(9)] ?? ['POST', builds]
    const response = await live.request(method, path)
    const text = await response.text()
    seen.add(response.status)
    expect([200, 204, 400, 404], `${method} ${path}: ${text}`).toContain(response.status)
  }
  for (let round = 0; round < 6; round += 1) await Promise.all(Array.from({ length: 8 }, act))
  expect(seen.has(200) && seen.has(204) && seen.has(404)).toBe(true)

  const list = async () => z.array(schema.build).parse(await live.call('GET', `${builds}?per_page=100`))
  await vi.waitFor(async () => expect((await list()).filter(({ status }) => !isDone(status))).toEqual([]), {
    timeout: 100_000,
    interval: 200,
  })
  for (const { number } of await list()) {
    const build = schema.build.parse(await live.call('GET', `${builds}/${number}`))
    for (const each of build.stages ?? []) {
      expect([number, each.name, isDone(each.status)]).toEqual([number, each.name, true])
      for (const step of each.steps ?? []) {
        expect([number, step.name, isDone(step.status)]).toEqual([number, step.name, true])
        // Steps that ran to their end have a log.
        if (step.status !== 'success' && step.status !== 'failure') continue
        const log = await live.request('GET', `${builds}/${number}/logs/${each.number}/${step.number}`)
        expect([number, step.name, log.status]).toEqual([number, step.name, 200])
        await log.text()
      }
    }
  }
  const stats = schema.stats.parse(await live.call('GET', '/api/system/stats'))
  expect(stats).toMatchObject({ builds: { pending: 0, running: 0 }, streams: {} })
  expect(await live.call('GET', '/api/queue')).toEqual([])
  expect(live.problems).toEqual([])
})
