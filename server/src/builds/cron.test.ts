import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { insertMany } from '../store/bulk.ts'
import { createCron, deleteCron, findCron, updateCron } from '../store/cron.ts'
import { parseCronExpression } from './cron-expression.ts'
import { checkCron, createStarts, fireDue, rescheduleCron, slugify } from './cron.ts'
import { openBench, pipelines, type Bench } from '../testing/test-bench.ts'

const at = (text: string) => Date.parse(text) / 1000
const next = (expression: string, from: string, zone = 'UTC') => {
  const time = parseCronExpression(expression, zone)?.next(at(from))
  return time === undefined ? null : new Date(time * 1000).toISOString()
}

test.each([
  ['*/10 * * * *', '2026-03-01T10:00:00Z', '2026-03-01T10:01:00.000Z'],
  ['0 30 2 * * *', '2026-03-01T10:00:00Z', '2026-03-02T02:30:00.000Z'],
  ['0 30 2 ? * MON-FRI', '2026-03-06T10:00:00Z', '2026-03-09T02:30:00.000Z'],
  ['0 0 0 1 JAN,jul *', '2026-03-06T10:00:00Z', '2026-07-01T00:00:00.000Z'],
  ['0 5/20 * * *', '2026-03-06T10:06:00Z', '2026-03-06T10:25:00.000Z'],
  ['@hourly', '2026-03-06T10:06:00Z', '2026-03-06T11:00:00.000Z'],
  ['@daily', '2026-03-06T10:06:00Z', '2026-03-07T00:00:00.000Z'],
  ['@weekly', '2026-03-06T10:06:00Z', '2026-03-08T00:00:00.000Z'],
  ['@yearly', '2026-03-06T10:06:00Z', '2027-01-01T00:00:00.000Z'],
  ['@every 1h30m10s', '2026-03-06T10:00:00Z', '2026-03-06T11:30:10.000Z'],
  ['@every 10ms', '2026-03-06T10:00:00Z', '2026-03-06T10:01:00.000Z'],
])('%s after %s', (expression, from, expected) => {
  expect(next(expression, from)).toBe(expected)
})

test('times are meant in the named zone', () => {
  expect(next('0 0 3 * * *', '2026-07-01T10:00:00Z', 'Europe/Berlin')).toBe('2026-07-02T01:00:00.000Z')
  expect(next('@daily', '2026-01-01T10:00:00Z', 'America/New_York')).toBe('2026-01-02T05:00:00.000Z')
})

test.each([
  '',
  '*',
  '* * * *',
  '* * * * * * *',
  'a b c d e',
  '61 * * * *',
  '0 0 0 30 2 *',
  '@every',
  '@every x',
  '@often',
  'L * * * *',
  '* * * * * MON#2',
  '@every 9999999h',
  `0 ${'1,'.repeat(200)}1 * * *`,
  '5-1 * * * *',
])('%j is no expression', (text) => {
  expect(parseCronExpression(text, 'UTC')).toBeNull()
})

test('a new job is checked with the texts that clients know', () => {
  const options = { now: at('2026-03-06T10:00:00Z'), timeZone: 'UTC' }
  const input = { name: 'Nightly Bürld!', expr: '@daily', branch: 'main' }
  expect(checkCron(input, options)).toEqual({
    name: 'nightly-burld',
    expr: '@daily',
    branch: 'main',
    next: at('2026-03-07T00:00:00Z'),
  })
  expect(() => checkCron({ ...input, expr: 'x' }, options)).toThrow('Invalid Cronjob Expression')
  expect(() => checkCron({ ...input, name: '--' }, options)).toThrow('Invalid Cronjob Name')
  expect(() => checkCron({ ...input, branch: '' }, options)).toThrow('Invalid Cronjob Branch')
  expect(slugify(' A__b c')).toBe('a__b-c')
})

let bench: Bench
beforeEach(async () => {
  bench = await openBench()
})
afterEach(() => bench.close())

test('due jobs fire once, in order; the next time is stored before the build starts', async () => {
  const job = { repo_id: bench.repo.id, branch: 'main' }
  await createCron(bench.db, { ...job, name: 'late', expr: '@every 10s', next: 100 })
  await createCron(bench.db, { ...job, name: 'later', expr: '@every 10s', next: 101 })
  const off = await createCron(bench.db, { ...job, name: 'off', expr: '@every 1s', next: 50 })
  await updateCron(bench.db, { ...off, disabled: true })
  let now = 99
  const fired: string[] = []
  const look = () =>
    fireDue({
      db: bench.db,
      now: () => now,
      timeZone: 'UTC',
      fire: async ({ name, id }) => {
        fired.push(`${name} ${id > 0 ? (await findCron(bench.db, bench.repo.id, name))?.next : ''}`)
      },
    })
  await look()
  expect(fired).toEqual([])
  now = 150
  await look()
  await look()
  expect(fired).toEqual(['late 210', 'later 210'])
  expect(await findCron(bench.db, bench.repo.id, 'late')).toMatchObject({ prev: 150, next: 210 })
  await bench.ci.disable(bench.repo)
  now = 220
  await look()
  expect(fired).toHaveLength(2)
})

test('what is switched off or deleted while others are fired stays so', async () => {
  for (const name of ['first', 'off', 'gone', 'last']) {
    await createCron(bench.db, { repo_id: bench.repo.id, name, expr: '@every 10s', branch: 'main', next: 100 })
  }
  const fired: string[] = []
  const fire = async ({ name }: { name: string }) => {
    fired.push(name)
    const [off, gone] = [
      await findCron(bench.db, bench.repo.id, 'off'),
      await findCron(bench.db, bench.repo.id, 'gone'),
    ]
    if (off) await updateCron(bench.db, { ...off, disabled: true })
    if (gone) await deleteCron(bench.db, gone)
  }
  await fireDue({ db: bench.db, now: () => 100, timeZone: 'UTC', fire })
  expect(fired).toEqual(['first', 'last'])
  expect(await findCron(bench.db, bench.repo.id, 'off')).toMatchObject({ disabled: true, prev: 0 })
})

test('a repository that is disabled while its first job is fired starts nothing more', async () => {
  for (const name of ['first', 'second']) {
    await createCron(bench.db, { repo_id: bench.repo.id, name, expr: '@every 10s', branch: 'main', next: 100 })
  }
  const fired: string[] = []
  const fire = async ({ name }: { name: string }) => {
    fired.push(name)
    await bench.ci.disable(bench.repo)
  }
  await fireDue({ db: bench.db, now: () => 100, timeZone: 'UTC', fire })
  expect(fired).toEqual(['first'])
  // Still due, as those of every repository that is switched off.
  expect(await findCron(bench.db, bench.repo.id, 'second')).toMatchObject({ prev: 0, next: 100 })
})

test('the clock starts a build @system', async () => {
  bench.commit(pipelines({ default: '' }))
  const job = { repo_id: bench.repo.id, name: 'soon', branch: 'main', expr: '@daily', next: bench.clock.now }
  await createCron(bench.db, job)
  await createCron(bench.db, { ...job, name: 'lost', branch: 'gone' })
  bench.ci.startClocks()
  await vi.waitUntil(() => bench.events.some((event) => event.build.cron === 'soon'), { timeout: 10_000 })
  expect(bench.events.at(0)?.build).toMatchObject({ event: 'cron', trigger: '@cron', sender: '', status: 'pending' })
})

test('a server that closes while a job is fired waits for its build', async () => {
  const held = bench.commit(pipelines({ default: '' }))
  await createCron(bench.db, { repo_id: bench.repo.id, name: 'soon', branch: 'main', expr: '@daily', next: 1 })
  const { git } = bench
  const resolve = git.resolve.bind(git)
  let release = () => {}
  const asked = new Promise<void>((isAsked) => {
    vi.spyOn(bench.git, 'resolve').mockImplementationOnce(async (...words) => {
      isAsked()
      await new Promise<void>((done) => (release = done))
      return resolve(...words)
    })
  })
  bench.ci.startClocks()
  await asked
  let isClosed = false
  const closed = bench.ci.close().then(() => (isClosed = true))
  await new Promise((done) => setImmediate(done))
  expect(isClosed).toBe(false)
  release()
  await closed
  expect(await bench.build(1)).toMatchObject({ event: 'cron', after: held, status: 'pending' })
})

test('another time zone counts from the next start on; what is due and intervals stay', async () => {
  const job = { repo_id: bench.repo.id, branch: 'main' }
  const now = at('2026-07-01T10:00:00Z')
  await createCron(bench.db, { ...job, name: 'nightly', expr: '0 0 3 * * *', next: at('2026-07-02T03:00:00Z') })
  await createCron(bench.db, { ...job, name: 'missed', expr: '@daily', next: now - 5 })
  await createCron(bench.db, { ...job, name: 'often', expr: '@every 2h', next: now + 7 })
  const times = async () =>
    Promise.all(
      ['nightly', 'missed', 'often'].map(async (name) => (await findCron(bench.db, bench.repo.id, name))?.next),
    )
  await rescheduleCron(bench.db, now, 'UTC')
  expect(await times()).toEqual([at('2026-07-02T03:00:00Z'), now - 5, now + 7])
  await rescheduleCron(bench.db, now, 'Europe/Berlin')
  expect(await times()).toEqual([at('2026-07-02T01:00:00Z'), now - 5, now + 7])
})

test('a job that could not start a build keeps when and why, until it could @system', async () => {
  const failure = async (name: string) => {
    const job = await findCron(bench.db, bench.repo.id, name)
    return job && [job.failed, job.error]
  }
  const create = (name: string, branch: string) => bench.ci.createCron(bench.repo, { name, branch, expr: '@daily' })
  await create('gone', 'gone')
  await create('quiet', 'main')
  bench.commit(pipelines({ one: 'trigger: {event: push}' }))
  expect(await failure('gone')).toEqual([undefined, undefined])
  await expect(bench.ci.runCron(bench.repo, 'gone', bench.user)).rejects.toMatchObject({ status: 404 })
  expect(await failure('gone')).toEqual([bench.clock.now, 'Branch gone does not exist'])
  expect(await bench.ci.runCron(bench.repo, 'quiet', bench.user)).toBeNull()
  const nothing = 'Nothing to run: no pipeline in the file matches cron builds on main'
  expect(await failure('quiet')).toEqual([bench.clock.now, nothing])
  bench.commit(pipelines({ one: '' }))
  await bench.ci.runCron(bench.repo, 'quiet', bench.user)
  expect(await failure('quiet')).toEqual([undefined, undefined])
})

test('the clock keeps it, too, and reports it', async () => {
  const job = await bench.ci.createCron(bench.repo, { name: 'gone', branch: 'gone', expr: '@daily' })
  await updateCron(bench.db, { ...job, next: 1 })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  const log = vi.spyOn(console, 'error')
  const logged = new Promise<unknown[]>((resolve) => log.mockImplementation((...words) => resolve(words)))
  try {
    bench.ci.startClocks()
    await vi.advanceTimersByTimeAsync(1_000)
    expect(await logged).toEqual(['Cron job gone could not start a build:', 'Not Found'])
    expect((await findCron(bench.db, bench.repo.id, 'gone'))?.error).toBe('Branch gone does not exist')
  } finally {
    vi.useRealTimers()
    log.mockRestore()
  }
})

test('an empty branch, which forms send as "master", means the default branch, unless there is one of that name', async () => {
  bench.commit(pipelines({ one: '' }))
  await bench.ci.createCron(bench.repo, { name: 'nightly', branch: 'master', expr: '@daily' })
  const build = await bench.ci.runCron(bench.repo, 'nightly', bench.user)
  expect(build).toMatchObject({ target: 'main', ref: 'refs/heads/main', event: 'cron' })
})

test('new jobs with five fields are refused with a reason, and no job starts more than once a minute', () => {
  const check = (expr: string) => () => checkCron({ name: 'a', expr, branch: 'main' }, { now: 0, timeZone: 'UTC' })
  expect(check('* * * * *')).toThrow('Invalid Cronjob Expression: "* * * * *" has five fields')
  expect(check('* * * * *')).toThrow('write "0 * * * * *"')
  expect(check('@every 1ms')().next).toBe(60)
})

test('a job whose last build still waits starts no other, and its row has the reason @system', async () => {
  bench.commit(pipelines({ default: '' }))
  const job = { repo_id: bench.repo.id, name: 'often', branch: 'main', expr: '@every 1m', next: bench.clock.now }
  await createCron(bench.db, job)
  const look = () =>
    fireDue({
      db: bench.db,
      now: () => bench.clock.now,
      timeZone: 'UTC',
      fire: () => bench.ci.runCron(bench.repo, 'often', bench.user),
    })
  await look()
  expect((await bench.build(1)).status).toBe('pending')
  const { prev } = (await findCron(bench.db, bench.repo.id, 'often')) ?? {}
  bench.clock.now += 60
  await look()
  const held = await findCron(bench.db, bench.repo.id, 'often')
  expect(held).toMatchObject({
    prev,
    next: bench.clock.now + 60,
    error: 'Not started: its last build, #1, is still waiting',
  })
  await expect(bench.build(2)).rejects.toMatchObject({ status: 404 })
  // Once it runs the next one may start.
  await bench.take()
  bench.clock.now += 60
  await look()
  expect((await bench.build(2)).status).toBe('pending')
  expect(await findCron(bench.db, bench.repo.id, 'often')).not.toHaveProperty('error')
})

test('twenty thousand jobs of one repository start a hundred builds a minute @system', async () => {
  const base = { cron_repo_id: bench.repo.id, cron_expr: '@every 1s', cron_next: 100, cron_prev: 0, cron_event: 'push' }
  const rest = { cron_branch: 'main', cron_target: '', cron_disabled: 0, cron_created: 0, cron_updated: 0 }
  const jobs = Array.from({ length: 20_000 }, (_, index) => ({
    ...base,
    ...rest,
    cron_name: `j${index}`,
    cron_version: 0,
  }))
  await insertMany(bench.db, 'cron', jobs)
  const starts = createStarts()
  let fired = 0
  const look = (now: number) =>
    fireDue({ db: bench.db, now: () => now, timeZone: 'UTC', fire: async () => void (fired += 1), starts })
  for (const second of [100, 101, 102]) await look(second)
  expect(fired).toBe(100)
  await look(161)
  expect(fired).toBe(200)
})
