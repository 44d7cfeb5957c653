/** Which lines a step had when it last passed. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { KnownLines } from '@flightdeck/api'
import { normalise, readFingerprint } from '@flightdeck/cause'
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

const known = (number: number, step = 2, caller: { as?: 'rae' } = { as: 'rae' }) =>
  app.answer(`/api/repos/acme/web/builds/${number}/logs/1/${step}/known`, caller)

/** A build whose step `test` prints these lines and ends with this status. */
async function run(lines: readonly string[], status: 'success' | 'failure', branch = 'main'): Promise<void> {
  const { bench } = app
  await bench.push(bench.commit(pipelines({ default: '' }), lines.join(' ')), {
    ref: `refs/heads/${branch}`,
    target: branch,
  })
  const stage = await bench.take(['clone', 'test'])
  for (const [index, step] of stage.steps.entries()) {
    const running = await bench.runStep(step)
    const said = index === 0 ? ['Cloning'] : lines
    await bench.ci.runners.appendLog(
      step.id,
      said.map((text, pos) => ({ pos, out: `${text}\n`, time: 0 })),
    )
    await bench.endStep(running, status)
    await expect.poll(() => bench.isSaved(step), { timeout: 10_000 }).toBe(true)
  }
  await bench.endStage(stage, status)
}

const has = (body: unknown, lines: readonly string[]): boolean[] => {
  const read = readFingerprint(Buffer.from((body as KnownLines).lines, 'base64'))
  return lines.map((line) => read?.has(normalise(line)) ?? expect.fail('no fingerprint'))
}

it('are those of the last green run of the branch, else of the default branch', async () => {
  await run(['passed in 12 ms', 'old news'], 'success')
  await run(['passed in 14 ms', 'news'], 'success')
  await run(['passed in 90 ms', 'AssertionError: broken'], 'failure')
  const said = ['passed in 3 s', 'news', 'old news', 'AssertionError: broken', 'Cloning']
  const [status, body] = await known(3)
  expect([status, body]).toMatchObject([200, { build: 2, stage: 1, step: 2 }])
  expect(has(body, said)).toEqual([true, true, false, false, false])
  // Now read from the file next to the log.
  expect(await known(3)).toEqual([status, body])

  await run(['news', 'on a branch'], 'failure', 'side')
  expect((await known(4))[1]).toMatchObject({ build: 2 })
  await run(['on a branch'], 'success', 'side')
  await run(['on a branch'], 'failure', 'side')
  const [, side] = await known(6)
  expect(side).toMatchObject({ build: 5 })
  expect(has(side, ['on a branch', 'news'])).toEqual([true, false])

  // No build passed before the first one.
  expect(await known(1)).toEqual([200, null])
  expect((await known(3, 7))[0]).toBe(404)
})

it('are deleted with the log, and need read access', async () => {
  await run(['quiet'], 'success')
  await run(['loud'], 'failure')
  expect((await known(2))[0]).toBe(200)
  expect((await known(2, 2, {}))[0]).toBe(401)
  await app.answer('/api/repos/acme/web/builds/1/logs/1/2', { as: 'ann', method: 'DELETE' })
  expect(await known(2)).toEqual([200, null])
})

it('are still those of a step that was taken over when the build where it ran is removed @system', async () => {
  const { bench } = app
  await bench.push(bench.commit(pipelines({ lint: '', test: '' })))
  const lint = await bench.take()
  const [step] = lint.steps
  const running = await bench.runStep(step ?? expect.fail('no step'))
  await bench.ci.runners.appendLog(running.id, [{ pos: 0, out: 'quiet\n', time: 0 }])
  await bench.endStep(running)
  await expect.poll(() => bench.isSaved(running), { timeout: 10_000 }).toBe(true)
  await bench.endStage({ ...lint, steps: [] })
  await bench.endStage(await bench.take(), 'failure')
  const post = (path: string) => app.answer(`/api/repos/acme/web/builds/${path}`, { as: 'wes', method: 'POST' })
  await post('1/again?only=failed')
  await bench.endStage(await bench.take(), 'failure')
  await post('2')
  const again = await bench.take()
  await bench.endStep(await bench.runStep(again.steps[0] ?? expect.fail('no step')), 'failure')

  await app.answer('/api/repos/acme/web/builds?before=2', { as: 'ann', method: 'DELETE' })
  const [status, body] = await known(3, 1)
  expect([status, body]).toMatchObject([200, { build: 2 }])
  expect(has(body, ['quiet', 'loud'])).toEqual([true, false])
})

it('are none where the log is broken @system', async () => {
  await run(['quiet'], 'success')
  await run(['loud'], 'failure')
  const folder = join(app.bench.dir, 'logs')
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.gz')) continue
    const bytes = readFileSync(join(folder, name))
    writeFileSync(join(folder, name), bytes.subarray(0, bytes.length - 9))
  }
  expect(await known(2)).toEqual([200, null])
})
