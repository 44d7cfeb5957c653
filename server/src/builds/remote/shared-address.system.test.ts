import type { Stage } from '@flightdeck/api'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { listen, type Listener } from '../../listener/listener.ts'
import { required } from '../context.ts'
import { startPlayer, type PlayerOptions } from '../../testing/player/player.ts'
import { createTestApp, rpcSecret, type TestApp } from '../../testing/test-app.ts'
import { never, pipelines } from '../../testing/test-bench.ts'

const polling = { timeout: 15_000 }
let app: TestApp
let listener: Listener
beforeAll(async () => {
  app = await createTestApp()
  listener = await listen('127.0.0.1', 0)
  listener.serve(app.app.fetch)
})
afterAll(async () => {
  await listener.close()
  expect(app.failures).toEqual([])
  await app.close()
})

/** Takes the one stage that waits; resolves when its step runs. */
function take(name: string, run: PlayerOptions['run']) {
  let begun = () => {}
  const running = new Promise<void>((resolve) => {
    begun = resolve
  })
  const at = (point: string) => {
    if (point === 'step') begun()
  }
  const common = { server: listener.url, secret: rpcSecret, capacity: 1, pauseMs: 50, batchMs: 10 }
  const player = startPlayer({ ...common, name, at, ...(run && { run }) })
  return { player, running }
}
const forever = () => new Promise<number>(() => {})

/**
 * Watch requests of two runners behind one address cannot be told apart
 * (docs/decisions/runners.md). So the dead one is detected when the other's stage ends, and the
 * live one never counts as dead, however long it is silent.
 */
it('a runner that died beside a silent living one behind the same address ends when that one is done', async () => {
  const { bench } = app
  await bench.push(bench.commit(pipelines({ a: '', b: '', c: '' })))
  const died = take('died', forever)
  await died.running
  died.player.kill()
  let finish = (_code: number) => {}
  const work = new Promise<number>((resolve) => {
    finish = resolve
  })
  const living = take('living', () => work)
  await living.running
  // A runner alone at its address shows when the timeout applies: the others have been silent for
  // longer.
  const call = { address: '192.0.2.1', signal: never }
  const asked = { address: call.address, agent: '' }
  const alone = required(await bench.ci.remote.request({ kind: 'pipeline', type: 'exec' }, never, asked))
  const taken = await bench.ci.remote.accept(alone.id, 'alone', call)
  const running: Stage = { ...taken, status: 'running', started: bench.clock.now, steps: [] }
  await bench.ci.remote.updateStage(running, call)
  bench.ci.startClocks()
  const byMachine = async () =>
    Object.fromEntries((await bench.build(1)).stages.map(({ machine = '', status }) => [machine, status]))
  await expect.poll(byMachine, polling).toMatchObject({ alone: 'error' })
  expect(await byMachine()).toEqual({ alone: 'error', died: 'running', living: 'running' })
  finish(0)
  await expect.poll(byMachine, polling).toEqual({ alone: 'error', died: 'error', living: 'success' })
  living.player.kill()
  await living.player.ended
})
