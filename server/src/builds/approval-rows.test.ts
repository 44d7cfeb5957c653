/** Approving and declining, stage by stage (docs/api §5.5). */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { User } from '@flightdeck/api'
import { openContext, type StageFacts, type TestContext } from '../testing/test-context.ts'
import { approveStage, decline } from './approval.ts'

let context: TestContext
let wes: User
beforeEach(async () => {
  context = await openContext()
  wes = { ...context.user, login: 'wes' }
})
afterEach(() => context.close())
const blocked = (name: string, more: Partial<StageFacts> = {}): StageFacts => ({ name, status: 'blocked', ...more })
const approve = (number: number, stage: number) => approveStage(context.ci, context.repo, number, stage, wes)
const refuse = (number: number, stage?: number) => decline(context.ci, context.repo, number, stage, wes)

describe('an approval', () => {
  it('opens one stage, and stores its person and time', async () => {
    const { id, number, version } = await context.build([blocked('a'), blocked('b')])
    context.clock.now += 5
    await approve(number, 1)
    const { stages, ...build } = await context.read(id)
    const { now } = context.clock
    expect(stages[0]).toMatchObject({ status: 'pending', approved: now, approved_by: 'wes', updated: now })
    expect(stages[1]).toMatchObject({ status: 'blocked', version: 1 })
    expect(build).toMatchObject({ status: 'pending', version })
  })
  it('lets a stage wait for what it needs, unless that is over', async () => {
    const waits = await context.build([blocked('a'), blocked('b', { depends_on: ['a'] })])
    await approve(waits.number, 2)
    expect(await context.statuses(waits.id)).toEqual(['pending', 'blocked', 'waiting_on_dependencies'])
    const over = await context.build([{ name: 'a', status: 'success' }, blocked('b', { depends_on: ['a'] })])
    await approve(over.number, 2)
    expect(await context.statuses(over.id)).toEqual(['pending', 'success', 'pending'])
  })
  it('is refused for what does not wait for it, or is not there', async () => {
    const { number } = await context.build([{ name: 'a' }])
    const pending = { status: 400, message: 'Cannot approve a Pipeline with Status "pending"' }
    await expect(approve(number, 1)).rejects.toMatchObject(pending)
    await expect(approve(number, 2)).rejects.toMatchObject({ status: 404, message: 'Stage not found' })
    await expect(approve(99, 1)).rejects.toMatchObject({ status: 404, message: 'Build not found' })
  })
})

describe('a refusal', () => {
  it('of one stage declines it and the build, and leaves the others', async () => {
    const { id, number } = await context.build([blocked('a'), blocked('b'), blocked('c', { depends_on: ['a'] })])
    context.clock.now += 5
    await refuse(number, 1)
    const { stages, ...build } = await context.read(id)
    const { now } = context.clock
    expect(stages[0]).toMatchObject({ status: 'declined', declined: now, declined_by: 'wes', updated: now })
    // Drone leaves these at 0, too.
    expect(stages[0]).toMatchObject({ started: 0, stopped: 0 })
    expect(build).toMatchObject({ status: 'declined', updated: now, finished: 0 })
    expect(stages.slice(1).map(({ status }) => status)).toEqual(['blocked', 'blocked'])
  })
  it('of all declines all', async () => {
    const { id, number } = await context.build([blocked('a'), blocked('b')])
    await refuse(number)
    expect(await context.statuses(id)).toEqual(['declined', 'declined', 'declined'])
  })
  it('of what is left of a build that is over does not change how it ended @system', async () => {
    const { id, number, version } = await context.build([{ name: 'a', status: 'killed' }, blocked('b')], {
      status: 'killed',
    })
    await refuse(number, 2)
    expect(await context.read(id)).toMatchObject({ status: 'killed', version })
    expect(await context.statuses(id)).toEqual(['killed', 'killed', 'declined'])
  })
  it('skips what only waited for it', async () => {
    const waits = { status: 'waiting_on_dependencies' as const, depends_on: ['a'] }
    const { id, number } = await context.build([blocked('a'), { name: 'b', ...waits }])
    await refuse(number, 1)
    expect(await context.statuses(id)).toEqual(['declined', 'declined', 'skipped'])
  })
  it('declines nothing if one of them cannot be', async () => {
    const { id, number } = await context.build([blocked('a'), { name: 'b' }])
    const pending = { status: 400, message: 'Cannot decline build with status "pending"' }
    await expect(refuse(number)).rejects.toMatchObject(pending)
    await expect(refuse(number, 2)).rejects.toMatchObject(pending)
    expect(await context.statuses(id)).toEqual(['pending', 'blocked', 'pending'])
  })
  it('is refused for what is not there', async () => {
    const { number } = await context.build([blocked('a')])
    const empty = await context.build([])
    await expect(refuse(number, 2)).rejects.toMatchObject({ status: 404, message: 'Stage not found' })
    await expect(refuse(empty.number)).rejects.toMatchObject({ status: 404, message: 'Stages not found' })
    await expect(refuse(99)).rejects.toMatchObject({ status: 404, message: 'Build not found' })
  })
})
