/** Cron jobs as they are stored, changed and fired (docs/api §2.5, §5.8). */
import type { Cron } from '@flightdeck/api'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createCron, findCron } from '../store/cron.ts'
import { Refusal } from '../lib/refusal.ts'
import { openContext, type TestContext } from '../testing/test-context.ts'
import { changeCron, checkCron, fireDue, rescheduleCron, slugify, startCronClock } from './cron.ts'

const at = (text: string) => Date.parse(text) / 1000
const morning = at('2026-03-06T10:00:00Z')
const options = { now: morning, timeZone: 'UTC' }

describe('a name', () => {
  it.each([
    ['Nightly Build', 'nightly-build'],
    ['  -_x_- ', 'x'],
    ['Ünïcödé', 'unicode'],
    ['a___b', 'a___b'],
    ['a!?b', 'a-b'],
    ['!!', ''],
  ])('%j becomes %j', (text, expected) => {
    expect(slugify(text)).toBe(expected)
  })
})

it.each<[string, object, string]>([
  ['no expression', { expr: 'never' }, 'Invalid Cronjob Expression'],
  ['no name', { name: '-' }, 'Invalid Cronjob Name'],
  ['no branch', { branch: ' ' }, 'Invalid Cronjob Branch'],
  ['a branch that is none', { branch: 'refs/pull/1/head' }, 'Invalid Cronjob Branch'],
])('a job with %s is refused', (_what, change, message) => {
  const input = { name: 'nightly', expr: '@daily', branch: 'main', ...change }
  expect(() => checkCron(input, options)).toThrow(new Refusal(400, message))
})

describe('stored', () => {
  let context: TestContext
  let job: Cron
  beforeEach(async () => {
    context = await openContext()
    job = await create('nightly')
  })
  afterEach(async () => {
    vi.restoreAllMocks()
    await context.close()
  })
  const create = (name: string, more: Partial<Cron> = {}) =>
    createCron(context.db, { repo_id: context.repo.id, name, expr: '@daily', branch: 'main', next: morning, ...more })
  const change = async (before: Cron, changes: Partial<Cron>) => changeCron(context.db, { before, changes }, options)
  const stored = async (name = 'nightly') => (await findCron(context.db, context.repo.id, name)) ?? expect.fail('gone')

  describe('a change', () => {
    it.each(['', 'a b', 'a\u0007', 'x'.repeat(251), 'refs/pull/1/head'])(
      'to the branch %j is refused',
      async (branch) => {
        await expect(change(job, { branch })).rejects.toMatchObject({ status: 400, message: 'Invalid Cronjob Branch' })
        expect((await stored()).branch).toBe('main')
      },
    )
    it('to another branch is none of the time', async () => {
      for (const branch of ['x'.repeat(250), 'feature/x', 'refs/tags/v1']) {
        job = await change(job, { branch })
        expect(job).toMatchObject({ branch, next: morning })
      }
      expect(await change(job, {})).toMatchObject({ next: morning })
    })
    it('that switches it on makes up for nothing', async () => {
      const off = await change(job, { disabled: true })
      expect(off).toMatchObject({ disabled: true, next: morning })
      expect(await change(off, { disabled: true })).toMatchObject({ next: morning })
      const on = await change(off, { disabled: false })
      expect(on).toMatchObject({ disabled: false, next: at('2026-03-07T00:00:00Z') })
    })
    it('that switches on what never comes again is refused', async () => {
      const old = await create('once', { expr: '0 0 0 30 2 *', disabled: true })
      const off = await change(old, { disabled: true })
      await expect(change(off, { disabled: false })).rejects.toMatchObject({ message: 'Invalid Cronjob Expression' })
    })
  })

  describe('at a start', () => {
    const reschedule = (zone: string) => rescheduleCron(context.db, morning, zone)
    it('what lies ahead is meant in the zone of today', async () => {
      await create('early', { expr: '0 0 3 * * *', next: at('2026-03-07T03:00:00Z') })
      await create('often', { expr: ' @every 1h', next: morning + 5 })
      await create('broken', { expr: 'nonsense', next: morning + 6 })
      await reschedule('Europe/Berlin')
      expect((await stored('early')).next).toBe(at('2026-03-07T02:00:00Z'))
      expect([(await stored('often')).next, (await stored('broken')).next]).toEqual([morning + 5, morning + 6])
    })
  })

  describe('a check', () => {
    let fired: Cron[] = []
    beforeEach(() => {
      fired = []
    })
    const look = (now: number, fire: (due: Cron) => Promise<unknown> = async (due) => fired.push(due)) =>
      fireDue({ db: context.db, now: () => now, timeZone: 'UTC', fire })

    it('fires what is due, and stores when it comes again', async () => {
      await look(morning - 1)
      expect(fired).toEqual([])
      await look(morning)
      expect(fired.map(({ name }) => name)).toEqual(['nightly'])
      expect(await stored()).toMatchObject({ prev: morning, next: at('2026-03-07T00:00:00Z'), disabled: false })
    })
    it('switches off what never comes again', async () => {
      await create('broken', { expr: 'nonsense', next: 5 })
      await look(morning)
      expect(fired.map(({ name }) => name)).toEqual(['broken', 'nightly'])
      expect(await stored('broken')).toMatchObject({ disabled: true, next: 0, prev: morning })
    })
    it('logs a build that cannot start, and fires the others', async () => {
      const said = vi.spyOn(console, 'error').mockReturnValue()
      await create('last', { next: morning })
      const names: string[] = []
      await look(morning, async ({ name }) => {
        names.push(name)
        throw name === 'nightly' ? new Error('no branch') : 'no error'
      })
      expect(names).toEqual(['nightly', 'last'])
      expect(said.mock.calls.map((words) => words.map(String))).toEqual([
        [expect.stringContaining('nightly'), 'no branch'],
        [expect.stringContaining('last'), 'no error'],
      ])
    })
    it('fires nothing that was moved while others were', async () => {
      await create('moved', { next: morning })
      await create('anew', { next: morning })
      await look(morning, async (due) => {
        fired.push(due)
        const moved = await stored('moved')
        await change(moved, { next: morning + 60 })
      })
      expect(fired.map(({ name }) => name)).toEqual(['nightly', 'anew'])
    })
  })

  describe('the clock', () => {
    const settled = async () => {
      for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve))
    }
    beforeEach(
      () => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: morning * 1000 + 250 }),
    )
    afterEach(() => void vi.useRealTimers())
    const begin = (fire: (due: Cron) => Promise<unknown>, now = () => Math.floor(Date.now() / 1000)) =>
      startCronClock({ db: context.db, now, timeZone: 'UTC', fire })

    it('checks at whole seconds until it is stopped', async () => {
      const times: number[] = []
      const clock = begin(
        async () => {},
        () => times.push(Date.now()),
      )
      vi.advanceTimersByTime(749)
      await settled()
      expect(times).toEqual([])
      vi.advanceTimersByTime(1)
      await settled()
      vi.advanceTimersByTime(1_000)
      await settled()
      expect(times).toEqual([(morning + 1) * 1000, (morning + 2) * 1000])
      await clock.stop()
      expect(vi.getTimerCount()).toBe(0)
    })
    it('that is stopped while it fires waits for that build; other jobs stay due', async () => {
      await create('second', { next: morning })
      let end = () => {}
      const fired: string[] = []
      const clock = begin(async (due) => {
        fired.push(due.name)
        await new Promise<void>((resolve) => (end = resolve))
      })
      vi.advanceTimersByTime(750)
      await settled()
      let isStopped = false
      const stopped = clock.stop().then(() => (isStopped = true))
      await settled()
      expect(isStopped).toBe(false)
      end()
      await stopped
      expect(fired).toEqual(['nightly'])
      expect([(await stored()).prev, (await stored('second')).prev]).toEqual([morning + 1, 0])
      expect(vi.getTimerCount()).toBe(0)
    })
    it('logs a check that fails, and checks again', async () => {
      const said = vi.spyOn(console, 'error').mockReturnValue()
      const clock = begin(
        async () => {},
        () => expect.fail('no clock'),
      )
      for (const times of [1, 2]) {
        vi.advanceTimersByTime(1_000)
        await settled()
        expect(said).toHaveBeenCalledTimes(times)
      }
      await clock.stop()
    })
  })
})
