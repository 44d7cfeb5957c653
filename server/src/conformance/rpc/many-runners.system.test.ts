import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { isDone, type Stage } from '@flightdeck/api'
import { listen, type Listener } from '../../listener/listener.ts'
import { startPlayer, type Player } from '../../testing/player/player.ts'
import { createTestApp, rpcSecret, type TestApp } from '../../testing/test-app.ts'

/**
 * As many as fit into `npm test -- --all`;
 * `STAGES=1000 npx vitest run server/src/conformance/rpc/many-runners.system.test.ts` for all.
 */
const wanted = Number(process.env['STAGES'] ?? 80)
const perBuild = 8
const runners = 10
vi.setConfig({ testTimeout: 60_000 + wanted * 200 })

let app: TestApp
let listener: Listener
beforeAll(async () => {
  app = await createTestApp()
  listener = await listen('127.0.0.1', 0)
  listener.serve(app.app.fetch)
  app.bench.ci.startClocks()
})
afterAll(async () => {
  await listener.close()
  expect(app.failures).toEqual([])
  await app.close()
})

const config = Array.from(
  { length: perBuild },
  (_, index) =>
    `---\nkind: pipeline\ntype: exec\nname: stage-${index}\nclone:\n  disable: true\nsteps:\n- name: work\n  commands: [echo]\n`,
).join('')

it('ten runners of four places lose no stage and run none twice, while one is killed now and then', async () => {
  const sha = app.bench.commit(config)
  const builds = Math.ceil(wanted / perBuild)
  for (let build = 0; build < builds; build++) await app.bench.push(sha)

  /** The number of its starts, and the runners that were killed while they had it. */
  const begun = new Map<number, number>()
  const hit = new Set<number>()
  let done = 0
  let killed = 0
  const alive: { player: Player; at: Map<number, string> }[] = []
  function start(): void {
    const at = new Map<number, string>()
    const one = {
      at,
      player: startPlayer({
        server: listener.url,
        secret: rpcSecret,
        name: `runner-${alive.length}`,
        capacity: 4,
        pauseMs: 50,
        batchMs: 10,
        faults: { duplicate: 0.1, reorder: 0.2, stale: 0.1 },
        at(point, stage: Stage) {
          at.set(stage.id, point)
          if (point === 'running') begun.set(stage.id, (begun.get(stage.id) ?? 0) + 1)
          if (point === 'done') {
            at.delete(stage.id)
            done += 1
            if (done % 20 === 0) kill()
          }
        },
      }),
    }
    alive.push(one)
  }
  function kill(): void {
    const victim = alive[killed]
    killed += 1
    if (!victim) return
    victim.player.kill()
    for (const id of victim.at.keys()) hit.add(id)
    start()
  }
  for (let runner = 0; runner < runners; runner++) start()

  const stages = async () => {
    const all: Stage[] = []
    for (let number = 1; number <= builds; number++) all.push(...(await app.bench.build(number)).stages)
    return all
  }
  await expect
    .poll(async () => (await stages()).filter((stage) => !isDone(stage.status)).length, {
      timeout: 50_000 + wanted * 200,
      interval: 300,
    })
    .toBe(0)
  for (const { player } of alive) player.kill()
  await Promise.all(alive.map(({ player }) => player.ended))

  expect(killed).toBeGreaterThan(2)
  const all = await stages()
  expect(all).toHaveLength(builds * perBuild)
  for (const stage of all) {
    const times = begun.get(stage.id) ?? 0
    if (stage.status === 'success') {
      // A runner killed right after its last report counts as successful, too.
      expect([stage.id, times <= 1]).toEqual([stage.id, true])
      expect(stage.steps?.map((step) => step.status)).toEqual(['success'])
    } else {
      expect([stage.id, stage.status, hit.has(stage.id)]).toEqual([stage.id, 'error', true])
      expect(stage.error).toMatch(/^No contact with runner runner-\d+ for 1 second/)
    }
  }
  expect(all.filter((stage) => stage.status === 'success').length).toBeGreaterThanOrEqual(done)
})
