/** Running a part of a build again over HTTP. */
import type { Build, BuildDetails } from '@flightdeck/api'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createTestApp, type Call, type TestApp } from '../../testing/test-app.ts'
import { pipelines } from '../../testing/test-bench.ts'

let app: TestApp
beforeEach(async () => {
  app = await createTestApp()
})
afterEach(async () => {
  expect(app.failures).toEqual([])
  await app.close()
})

const at = (rest: string, call: Call = {}) => app.answer(`/api/repos/acme/web/builds${rest}`, { as: 'wes', ...call })
const post = (rest: string, call: Call = {}) => at(rest, { method: 'POST', ...call })

/** Build 1, whose `lint` printed hello and whose `test` failed. */
async function failedOnce() {
  const { bench } = app
  await bench.push(bench.commit(pipelines({ lint: '', test: '' })))
  const lint = await bench.take()
  const [step] = lint.steps
  if (!step) throw new Error('no step')
  const running = await bench.runStep(step)
  await bench.ci.runners.appendLog(step.id, [{ pos: 0, out: 'hello\n', time: 0 }])
  await bench.endStep(running)
  await bench.endStage({ ...lint, steps: [] })
  await bench.endStage(await bench.take(), 'failure')
}

it('makes another build, says what it is, and has the steps and the log of what was taken over', async () => {
  await failedOnce()
  expect(await post('/1/again?only=failed')).toMatchObject([200, { number: 2, parent: 1, again: { only: 'failed' } }])
  const [, body] = await at('/2')
  expect((body as Build).stages).toMatchObject([
    { name: 'lint', status: 'success', taken_over: 1, steps: [{ number: 1, status: 'success' }] },
    { name: 'test', status: 'pending' },
  ])
  expect((body as Build).stages?.[1]).not.toHaveProperty('taken_over')
  expect(await at('/2/logs/1/1')).toEqual([200, [{ pos: 0, out: 'hello\n', time: 0 }]])
  const [, details] = await at('/1/details')
  expect((details as BuildDetails).attempts.map(({ number, taken_over: taken }) => [number, taken])).toEqual([
    [2, ['lint']],
    [1, undefined],
  ])
  // The same part of the same build, sent as a form.
  expect(await post('/1/again', { form: { only: 'failed' } })).toMatchObject([200, { number: 2 }])
  expect(await post('/1/again?stage=lint')).toMatchObject([200, { number: 3, again: { stage: 'lint' } }])
})

it('deletes a log in all builds that show it', async () => {
  await failedOnce()
  await post('/1/again?only=failed')
  await post('/1/again?stage=test')
  expect((await at('/2/logs/1/1', { as: 'ann', method: 'DELETE' }))[0]).toBe(204)
  for (const number of [1, 2, 3]) expect([number, (await at(`/${number}/logs/1/1`))[0]]).toEqual([number, 404])
})

it('reads the first log where a file cannot have two names', async () => {
  await failedOnce()
  app.bench.ci.logs.share = async () => {}
  await post('/1/again?only=failed')
  expect((await at('/2/logs/1/1'))[0]).toBe(200)
})

it('refuses what it does not understand, and leaves a plain restart and its parameters as they are', async () => {
  await failedOnce()
  const fault = [400, { message: 'Specify either only=failed or stage=NAME' }]
  for (const query of ['', '?only=', '?only=all', '?stage=', '?only=failed&stage=lint'])
    expect([query, await post(`/1/again${query}`)]).toEqual([query, fault])
  expect(await post('/1/again?stage=nothing')).toEqual([404, { message: 'Stage not found' }])
  expect((await post('/9/again?only=failed'))[0]).toBe(404)
  const [, plain] = await post('/1?only=failed&stage=lint')
  expect(plain).toMatchObject({ number: 2, params: { only: 'failed', stage: 'lint' } })
  expect(plain).not.toHaveProperty('again')
})
