import type { Stage } from '@flightdeck/api'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { required } from '../context.ts'
import { never, openBench, pipelines, type Bench } from '../../testing/test-bench.ts'

const call = { address: '192.0.2.1', signal: never }
const asked = { address: call.address, agent: '' }
let bench: Bench
beforeEach(async () => {
  bench = await openBench()
})
afterEach(() => bench.close())

async function accept(machine: string): Promise<Stage> {
  const stage = required(
    await bench.ci.remote.request({ kind: 'pipeline', type: 'exec' }, AbortSignal.timeout(10_000), asked),
  )
  return bench.ci.remote.accept(stage.id, machine, call)
}
async function begin(machine: string): Promise<Stage> {
  const stage = await accept(machine)
  const step = {
    id: 0,
    step_id: stage.id,
    number: 1,
    name: 'one',
    status: 'pending',
    exit_code: 0,
    version: 0,
  } as const
  return bench.ci.remote.updateStage({ ...stage, status: 'running', started: bench.clock.now, steps: [step] }, call)
}

it('ends at once what a runner ran that is gone, gives back what it had only taken, and leaves all others alone', async () => {
  await bench.push(bench.commit(pipelines({ ran: '', taken: '', others: '' })))
  const ran = await begin('gone')
  await accept('gone')
  await begin('other')
  await bench.ci.abandon('gone', 'It is gone')
  expect(await bench.statuses(1)).toEqual({ '': 'running', ran: 'error', taken: 'pending', others: 'running' })
  const [stage] = (await bench.build(1)).stages
  expect(stage).toMatchObject({ error: 'It is gone', exit_code: 255, steps: [{ status: 'skipped' }] })
  // It was not, and has something to say.
  await expect(bench.ci.remote.updateStage({ ...ran, status: 'success' }, call)).rejects.toMatchObject({ status: 409 })
  expect((await accept('next')).name).toBe('taken')
})

it('comes to an end while the runner still reports', async () => {
  await bench.push(bench.commit(pipelines({ a: '', b: '' })))
  const [a, b] = [await begin('gone'), await begin('gone')]
  const report = (stage: Stage) => bench.ci.remote.updateStage({ ...stage, status: 'success' }, call)
  const reports = Promise.allSettled([report(a), report(b)])
  await bench.ci.abandon('gone', 'It is gone')
  await reports
  const { stages } = await bench.build(1)
  for (const stage of stages) expect(['error', 'success']).toContain(stage.status)
})
