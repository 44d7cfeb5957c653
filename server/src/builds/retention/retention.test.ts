import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Build, RetentionLimits, Status } from '@flightdeck/api'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findBuild } from '../../store/builds.ts'
import { setLatest } from '../../store/latest.ts'
import { openContext, type TestContext } from '../../testing/test-context.ts'
import { createRetention, keepAll } from './retention.ts'

const day = 24 * 3600
const never = new AbortController().signal
let context: TestContext
beforeEach(async () => {
  context = await openContext()
})
afterEach(() => context.close())

const retentionOf = (limits: Partial<RetentionLimits> = {}) => createRetention(context.ci, { ...keepAll, ...limits })

interface Facts extends Partial<Build> {
  /** Days. */
  age?: number
  /** Bytes of its log, of random digits. */
  log?: number
}

const digits = (length: number) => Array.from({ length }, () => Math.floor(Math.random() * 10)).join('')

/** An ended build of one step with a log. */
async function ended({ age = 0, log = 10, ...facts }: Facts = {}) {
  const status = facts.status ?? 'success'
  const step = { status, started: 1, stopped: 2 }
  const build = await context.build([{ name: 'test', status, steps: [step] }], {
    created: context.clock.now - age * day,
    status,
    ...facts,
  })
  await setLatest(context.db, build)
  const id = build.stages[0]?.steps?.[0]?.id ?? 0
  await context.ci.logs.open(id)
  await context.ci.logs.append(id, [{ pos: 0, out: digits(log), time: 0 }])
  await context.ci.logs.close(id)
  return { id: build.id, step: id, number: build.number }
}
const isThere = async ({ id }: { id: number }) => (await findBuild(context.db, id)) !== null
const there = async (builds: readonly { id: number }[]) => {
  const all: boolean[] = []
  for (const build of builds) all.push(await isThere(build))
  return all
}
const hasLog = ({ step }: { step: number }) => context.isSaved(step)

test('nothing is removed until a limit is set', async () => {
  const builds = [await ended({ age: 4_000 }), await ended()]
  const retention = retentionOf()
  await retention.run(never)
  expect(await there(builds)).toEqual([true, true])
  expect(await retention.state(context.repo, 99)).toMatchObject({ next: 0, last: null })
})

test('older builds are removed with their logs; the state says so before and after', async () => {
  const builds = [await ended({ age: 100 }), await ended({ age: 91 }), await ended({ age: 89 }), await ended()]
  const retention = retentionOf({ build_days: 90 })
  expect(await retention.state(context.repo, 99)).toMatchObject({
    next: 99,
    planned: { old_builds: 2, surplus_builds: 0, old_logs: 0 },
    last: null,
  })
  await retention.run(never)
  expect(await there(builds)).toEqual([false, false, true, true])
  expect(await Promise.all(builds.map(hasLog))).toEqual([false, false, true, true])
  const { planned, last } = await retention.state(context.repo, 99)
  expect(planned).toEqual({ old_builds: 0, surplus_builds: 0, old_logs: 0 })
  expect(last).toMatchObject({ at: context.clock.now, builds: 2, logs: 2, error: '' })
  expect(last?.bytes).toBeGreaterThan(0)
})

test('builds beyond a number go, the oldest first', async () => {
  const builds = [await ended(), await ended(), await ended(), await ended()]
  const retention = retentionOf({ builds: 3 })
  expect((await retention.state(context.repo, 99)).planned.surplus_builds).toBe(1)
  await retention.run(never)
  expect(await there(builds)).toEqual([false, true, true, true])
})

test.each(['pending', 'running', 'blocked'] satisfies Status[])('a build that is %s stays', async (status) => {
  const waits = await context.build([{ name: 'test', status }], { status, created: 1 })
  const builds = [waits, await ended({ age: 100 }), await ended()]
  const retention = retentionOf({ build_days: 1, builds: 1, log_days: 1, log_mb: 1 })
  expect((await retention.state(context.repo, 99)).planned.old_builds).toBe(1)
  await retention.run(never)
  expect(await there(builds)).toEqual([true, false, true])
})

test('the newest build of each branch and environment is kept, that of a pull request is not', async () => {
  const builds = [
    await ended({ age: 100, target: 'old' }),
    await ended({ age: 100, target: 'old' }),
    await ended({ age: 100, event: 'promote', deploy_to: 'staging' }),
    await ended({ age: 100, event: 'promote', deploy_to: 'staging' }),
    await ended({ age: 100, event: 'pull_request', ref: 'refs/pull/7/head' }),
    await ended(),
  ]
  const retention = retentionOf({ build_days: 90 })
  expect((await retention.state(context.repo, 99)).planned.old_builds).toBe(3)
  await retention.run(never)
  expect(await there(builds)).toEqual([false, true, false, true, false, true])
})

test('the current deployment of an environment is kept, though a newer one has failed', async () => {
  const to = (deploy_to: string, status: 'success' | 'failure' = 'success') =>
    ended({ age: 100, event: 'promote', deploy_to, status })
  const builds = [
    await to('production'),
    await to('production'),
    await to('staging'),
    await to('production', 'failure'),
    await to('production', 'failure'),
    await ended({ age: 100 }),
  ]
  await ended({ age: 0, target: 'other' })
  const retention = retentionOf({ build_days: 90 })
  expect((await retention.state(context.repo, 99)).planned.old_builds).toBe(2)
  await retention.run(never)
  expect(await there(builds)).toEqual([false, true, true, false, true, true])
})

test('the newest build of the repository is not counted as one that is removed', async () => {
  const builds = [await ended({ age: 100, event: 'pull_request', ref: 'refs/pull/7/head' })]
  const retention = retentionOf({ build_days: 90 })
  expect((await retention.state(context.repo, 99)).planned.old_builds).toBe(0)
  await retention.run(never)
  expect(await there(builds)).toEqual([true])
})

test('logs of older builds go, and the builds stay', async () => {
  const builds = [await ended({ age: 40 }), await ended({ age: 31, status: 'failure' }), await ended({ age: 29 })]
  const retention = retentionOf({ log_days: 30 })
  expect((await retention.state(context.repo, 99)).planned.old_logs).toBe(2)
  await retention.run(never)
  expect(await there(builds)).toEqual([true, true, true])
  expect(await Promise.all(builds.map(hasLog))).toEqual([false, false, true])
  expect(await retention.state(context.repo, 99)).toMatchObject({
    planned: { old_logs: 0 },
    last: { logs: 2, builds: 0 },
  })
})

test('the oldest logs go until the rest fits @system', async () => {
  // Digits are compressed to less than half.
  const builds = [await ended({ log: 1_000_000 }), await ended({ log: 1_000_000 }), await ended({ log: 1_000_000 })]
  await retentionOf({ log_mb: 1 }).run(never)
  expect(await Promise.all(builds.map(hasLog))).toEqual([false, true, true])
})

test('a repository’s own limit comes before the server’s @system', async () => {
  const builds = [await ended({ age: 50 }), await ended({ age: 20 }), await ended()]
  const retention = retentionOf({ build_days: 10, builds: 1 })
  await retention.change(context.repo, { build_days: 30, builds: 0 })
  await retention.run(never)
  expect(await there(builds)).toEqual([false, true, true])
  expect((await retention.state(context.repo, 9)).own).toEqual({ build_days: 30, builds: 0, log_days: -1, log_mb: -1 })
  await retention.change(context.repo, { build_days: -1 })
  await retention.run(never)
  expect(await there(builds)).toEqual([false, false, true])
})

test('a log that is still written is removed on a later night', async () => {
  const late = await context.build([{ name: 'test', status: 'running', steps: [{ status: 'running' }] }], {
    created: context.clock.now - 3 * day,
    status: 'running',
  })
  const step = late.stages[0]?.steps?.[0]?.id ?? 0
  const { logs } = context.ci
  await logs.open(step)
  await logs.append(step, [{ pos: 0, out: 'x', time: 0 }])
  await ended()
  const retention = retentionOf({ log_days: 1 })
  await retention.run(never)
  await logs.close(step)
  expect(await context.isSaved(step)).toBe(true)
  await context.db.updateTable('steps').set({ step_stopped: 9 }).where('step_id', '=', step).execute()
  await context.db.updateTable('builds').set({ build_status: 'success' }).where('build_id', '=', late.id).execute()
  await retention.run(never)
  expect(await context.isSaved(step)).toBe(false)
})

test('a build whose removal was interrupted after its log is removed by the next run', async () => {
  const old = await ended({ age: 100 })
  await ended()
  const { logs } = context.ci
  const broken = {
    ...context.ci,
    logs: {
      ...logs,
      async remove(stepId: number) {
        await logs.remove(stepId)
        throw new Error('the server dies here')
      },
    },
  }
  const retention = createRetention(broken, { ...keepAll, build_days: 90 })
  await retention.run(never)
  expect(await hasLog(old)).toBe(false)
  expect(await isThere(old)).toBe(true)
  expect((await retention.state(context.repo, 9)).last).toMatchObject({ builds: 0, error: 'the server dies here' })
  await retentionOf({ build_days: 90 }).run(never)
  expect(await isThere(old)).toBe(false)
})

test('logs that no step names are removed', async () => {
  const build = await ended()
  const path = join(context.folder, 'logs', '7', '7123.json.gz')
  mkdirSync(dirname(path))
  writeFileSync(path, 'left behind')
  writeFileSync(`${path.slice(0, -3)}.lines`, 'left behind')
  await retentionOf().run(never)
  expect(existsSync(path)).toBe(false)
  expect(readdirSync(dirname(path))).toEqual([])
  expect(await hasLog(build)).toBe(true)
})

test('a run that is aborted before it begins removes nothing', async () => {
  const old = await ended({ age: 100 })
  await ended()
  await retentionOf({ build_days: 90 }).run(AbortSignal.abort())
  expect(await isThere(old)).toBe(true)
})

test('more than a thousand builds are counted and removed to the limit @system', async () => {
  const { db, clock, repo } = context
  const first = await context.build([], { status: 'success' })
  const row = await db.selectFrom('builds').selectAll().where('build_id', '=', first.id).executeTakeFirstOrThrow()
  await db.deleteFrom('builds').where('build_id', '=', first.id).execute()
  const rows = Array.from({ length: 1_250 }, (_, i) => ({
    ...row,
    build_id: i + 10,
    build_number: i + 1,
    build_created: clock.now - (2_000 - i) * day,
  }))
  while (rows.length > 0) await db.insertInto('builds').values(rows.splice(0, 100)).execute()
  await db.updateTable('repos').set({ repo_latest_build_id: 1_259 }).execute()
  const retention = retentionOf({ build_days: 1_500, builds: 1_200 })
  const planned = (await retention.state(repo, 9)).planned
  expect(planned).toEqual({ old_builds: 500, surplus_builds: 0, old_logs: 0 })
  await retention.change(repo, { builds: 600 })
  expect((await retention.state(repo, 9)).planned).toEqual({ old_builds: 500, surplus_builds: 150, old_logs: 0 })
  await retention.change(repo, { build_days: 0, builds: 1_200 })
  await retention.run(never)
  const { n } = await db
    .selectFrom('builds')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  expect(n).toBe(1_200)
})
