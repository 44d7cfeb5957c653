/** Failure causes in lists. */
import type { Build, Repo, Status } from '@flightdeck/api'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../../testing/test-app.ts'
import { pipelines } from '../../testing/test-bench.ts'

let app: TestApp
beforeEach(async () => {
  app = await createTestApp()
})
afterEach(async () => {
  expect(app.failures).toEqual([])
  await app.close()
})

const polled = { timeout: 10_000 }
const builds = async (): Promise<Build[]> =>
  (await app.answer('/api/repos/acme/web/builds', { as: 'rae' }))[1] as Build[]
const causes = async () => (await builds()).map(({ cause }) => cause)

/** The steps of a stage, each with its lines; they end in their order. */
async function runStage(steps: Record<string, { lines: readonly string[]; status?: Status; errignore?: true }>) {
  const { bench } = app
  const stage = await bench.take(Object.keys(steps))
  let ended = 'success' as Status
  for (const step of stage.steps) {
    const { lines = [], status = 'success', errignore } = steps[step.name] ?? {}
    const running = await bench.runStep({ ...step, ...(errignore && { errignore }) })
    await bench.ci.runners.appendLog(
      step.id,
      lines.map((text, pos) => ({ pos, out: `${text}\n`, time: 0 })),
    )
    await bench.endStep(running, status)
    if (status !== 'success' && !errignore) ended = status
  }
  await bench.endStage({ ...stage, steps: [] }, ended)
}
const push = async (config = pipelines({ default: '' })) =>
  app.bench.push(app.bench.commit(config, String(Math.random())))

const failing = ['+ go build ./...', 'src/main.go:12:4: undefined: start', 'make: *** [build] Error 1']

it('is step, line and text of the first failed step, in every list', async () => {
  await push()
  await runStage({
    clone: { lines: ['Cloning', 'error: nothing that counts'] },
    lint: { lines: ['old.ts:3:1: error: unused'], status: 'failure', errignore: true },
    build: { lines: failing, status: 'failure' },
  })
  const cause = {
    stage: 1,
    step: 3,
    stage_name: 'default',
    step_name: 'build',
    line: 2,
    text: 'src/main.go:12:4: undefined: start',
  }
  await expect.poll(causes, polled).toEqual([cause])
  const of = async (path: string, pick: (body: unknown) => unknown) =>
    pick((await app.answer(`/api/${path}`, { as: 'rae' }))[1])
  const latest = (body: unknown) => (body as Repo[]).find(({ slug }) => slug === 'acme/web')?.build?.cause
  expect(await of('user/repos?latest=true', latest)).toEqual(cause)
  expect(await of('user/builds', latest)).toEqual(cause)
  expect(await of('repos/acme/web/builds/branches', (body) => (body as Build[])[0]?.cause)).toEqual(cause)
  expect(await of('repos/acme/web/builds/1', (body) => (body as Build).cause)).toEqual(cause)
  // The list gets an event of it.
  expect(app.bench.events.at(-1)?.build.cause).toEqual(cause)
})

it('names the test that failed, where the tool does @system', async () => {
  await push()
  const lines = [
    '+ node --test',
    'not ok 312 - applies a discount',
    '  ---',
    '  error: |-',
    '    Expected values to be strictly equal:',
    '',
    '    220 !== 180',
    '',
    "  code: 'ERR_ASSERTION'",
    '# tests 312',
    '# fail 1',
  ]
  await runStage({ test: { lines, status: 'failure' } })
  await expect.poll(causes, polled).toMatchObject([{ line: 5, text: 'applies a discount – 220 !== 180' }])
})

it('is of the step that broke first in time, as the page has it, and not of the first stage @system', async () => {
  const { bench } = app
  await push(pipelines({ early: '', late: '' }))
  const stages = [await bench.take(['build']), await bench.take(['build'])].toSorted((a, b) => b.number - a.number)
  for (const { number, steps } of stages) {
    const step = steps.find(({ name }) => name === 'build')
    if (!step) throw new Error('no step')
    const running = await bench.runStep(step)
    await bench.ci.runners.appendLog(step.id, [
      { pos: 0, out: `src/main${number}.go:12:4: undefined: start\n`, time: 0 },
    ])
    bench.clock.now += 5
    await bench.endStep(running, 'failure')
  }
  for (const stage of stages) await bench.endStage({ ...stage, steps: [] }, 'failure')
  // Both are known: each was the only one for a moment.
  const known = async () => (await bench.db.selectFrom('causes').select('cause_step_id').execute()).length
  await expect.poll(known, polled).toBe(2)
  await expect.poll(async () => (await causes())[0]?.text, polled).toBe('src/main2.go:12:4: undefined: start')
  expect((await causes())[0]?.stage).toBe(2)
})

it('does not exist for a build that passed, was cancelled, or whose step printed nothing @system', async () => {
  await push()
  await runStage({ build: { lines: failing } })
  await push()
  await runStage({ build: { lines: [], status: 'failure' } })
  await push()
  const stage = await app.bench.take()
  await app.bench.runStep(stage.steps[0] ?? expect.fail('no step'))
  await app.bench.ci.runners.appendLog(stage.steps[0]?.id ?? 0, [{ pos: 0, out: 'error: x\n', time: 0 }])
  await app.bench.ci.cancel(app.bench.repo, 3, app.bench.user)
  await app.bench.endStage(stage, 'killed').catch(() => {})
  // Logs are searched in order: when the last one is done, all earlier ones are.
  await push()
  await runStage({ build: { lines: failing, status: 'failure' } })
  await expect.poll(causes, polled).toMatchObject([{ line: 2 }, undefined, undefined, undefined])
  expect((await builds()).map((build) => Object.keys(build).includes('cause'))).toEqual([true, false, false, false])
})

it('ranks lines of a successful run lower @system', async () => {
  await push()
  await runStage({ build: { lines: ['Error: cannot find the cache, going on', 'fine'] } })
  await push()
  const lines = ['Error: cannot find the cache, going on', 'Error: no such table: users', 'bye']
  await runStage({ build: { lines, status: 'failure' } })
  await expect.poll(causes, polled).toMatchObject([{ line: 2 }, undefined])
})

it('is plain text, whatever the log contains, and short @system', async () => {
  await push()
  const line = `\u001b[31merror: <img src=x> \u202eevil\u0007 ${'x'.repeat(1_000)}\u001b[0m`
  await runStage({ build: { lines: ['start', line], status: 'failure' } })
  await expect.poll(causes, polled).toMatchObject([{ line: 2 }])
  const [cause] = await causes()
  expect(cause?.text).toMatch(/^error: <img src=x>  ?evil x+$/)
  expect(cause?.text.length).toBeLessThanOrEqual(300)
})

it('counts the lines of a log of which only the end is searched @system', async () => {
  await push()
  const lines = Array.from({ length: 9_000 }, (_, index) => `${index} ${'quiet '.repeat(200)}`)
  lines.push('src/main.go:12:4: undefined: start')
  await runStage({ build: { lines, status: 'failure' } })
  await expect.poll(causes, polled).toMatchObject([{ line: 9_001, text: 'src/main.go:12:4: undefined: start' }])
})

it('goes with the log and with the build @system', async () => {
  await push()
  await runStage({ build: { lines: failing, status: 'failure' } })
  await expect.poll(causes, polled).toMatchObject([{ line: 2 }])
  await app.answer('/api/repos/acme/web/builds/1/logs/1/1', { as: 'ann', method: 'DELETE' })
  expect(await causes()).toEqual([undefined])

  await push()
  await runStage({ build: { lines: failing, status: 'failure' } })
  await expect.poll(causes, polled).toMatchObject([{ line: 2 }, undefined])
  await app.answer('/api/repos/acme/web/builds?before=3', { as: 'ann', method: 'DELETE' })
  expect(await app.bench.db.selectFrom('causes').selectAll().execute()).toEqual([])
})

it('stays with a stage that is taken over @system', async () => {
  await push(pipelines({ lint: '', test: '' }))
  await runStage({ step: { lines: failing, status: 'failure' } })
  await runStage({ step: { lines: ['fine'] } })
  await expect.poll(causes, polled).toMatchObject([{ stage_name: 'lint' }])
  await app.answer('/api/repos/acme/web/builds/1/again?stage=test', { as: 'wes', method: 'POST' })
  expect((await causes())[0]).toMatchObject({ stage_name: 'lint', stage: 1, step: 1, line: 2 })
})
