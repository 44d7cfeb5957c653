/** The rules for runners on other machines, call by call (docs/api §7.3). */
import type { Stage } from '@flightdeck/api'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { RemoteCall } from '../../interfaces/remote.ts'
import { findCard } from '../../store/cards.ts'
import { isRemote, listRemoteStages } from '../../store/remote-stages.ts'
import { saveConfig } from '../../store/builds.ts'
import { never } from '../../testing/test-bench.ts'
import { openContext, type StageFacts, type TestContext } from '../../testing/test-context.ts'
import { createManager } from '../manager.ts'
import { createOrigins } from '../clone-origins.ts'
import { abandonStages } from './lost-stages.ts'
import { createCredentials } from './credentials.ts'
import { createRemoteManager, type RecoverableRemoteManager } from './manager.ts'
import { createHeartbeats, type Heartbeats } from './heartbeats.ts'
import { createHeartbeatTimeoutCheck, inWords, startHeartbeatTimeouts } from './heartbeat-timeout.ts'

const conflict = { status: 409 }
const call: RemoteCall = { address: '192.0.2.1', signal: never }
/** The caller disconnected before the response. */
const lost: RemoteCall = { address: '192.0.2.1', signal: AbortSignal.abort() }
const system = { proto: 'http', host: 'localhost', link: 'http://localhost', version: '2.0.0' }
const credentials = createCredentials((text) => `sealed(${text})`)

let context: TestContext
let remote: RecoverableRemoteManager
let presence: Heartbeats
let time = 0
function start(): void {
  presence = createHeartbeats(() => time)
  const manager = createManager(context.ci, context.closers, {
    decrypt: (sealed) => `open ${sealed}`,
    system,
    origins: createOrigins(credentials),
  })
  remote = createRemoteManager({ ci: context.ci, manager, presence, credentials })
}
beforeEach(async () => {
  context = await openContext()
  time = 0
  start()
})
afterEach(async () => {
  vi.restoreAllMocks()
  await context.close()
})

const queued = async (...stages: StageFacts[]): Promise<Stage[]> =>
  (await context.build(stages.length > 0 ? stages : [{ name: 'a' }])).stages
const first = async (): Promise<Stage> => (await queued())[0] ?? expect.fail('no stage')
const step = { id: 0, step_id: 0, number: 1, name: 'one', status: 'pending', exit_code: 0, version: 0 } as const
const running = (stage: Stage): Stage => ({ ...stage, status: 'running', started: 5, steps: [step] })
/** Accepted and started, with one step. */
const taken = async (by = call) => {
  const accepted = await remote.accept((await first()).id, 'far', call)
  const stage = await remote.updateStage(running(accepted), by)
  return { stage, one: stage.steps?.[0] ?? expect.fail('no step') }
}
async function* bytes(...parts: string[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield Buffer.from(part)
}

describe('a runner that takes a stage', () => {
  it('has it from then on, as a remote one, and sends heartbeats', async () => {
    const { id } = await first()
    const accepted = await remote.accept(id, 'far', call)
    expect(accepted).toMatchObject({ id, machine: 'far', status: 'pending', version: 2, updated: context.clock.now })
    expect(await isRemote(context.db, id)).toBe(true)
    time += 30
    expect(presence.silenceMs(accepted)).toBe(30)
    for (const machine of ['far', 'near'])
      await expect(remote.accept(id, machine, call)).rejects.toMatchObject(conflict)
    await expect(remote.accept(999, 'far', call)).rejects.toMatchObject({ status: 404 })
    await expect(remote.accept(id, '', call)).rejects.toMatchObject({ status: 400 })
  })

  it('reports by the name with which it took it, or by none', async () => {
    const accepted = await remote.accept((await first()).id, 'far', call)
    await expect(remote.updateStage({ ...running(accepted), machine: 'near' }, call)).rejects.toMatchObject(conflict)
    expect(await remote.updateStage({ ...running(accepted), machine: '' }, call)).toMatchObject({ machine: 'far' })
  })

  it('is asked as the built-in one is', async () => {
    const { id } = await first()
    const filter = { kind: 'pipeline', type: 'exec' }
    const stage = await remote.request(filter, AbortSignal.timeout(10_000), { address: '192.0.2.1', agent: 'x' })
    expect(stage?.id).toBe(id)
    const [runner] = context.ci.runnerRegistry.list(new Map())
    expect(runner).toMatchObject({ address: '192.0.2.1', agent: 'x', filter })
  })

  it('is answered again if the answer was lost, and no other runner is', async () => {
    const { id } = await first()
    const accepted = await remote.accept(id, 'far', lost)
    await expect(remote.accept(id, 'near', call)).rejects.toMatchObject(conflict)
    expect(await remote.accept(id, 'far', call)).toEqual(accepted)
  })
})

describe('a report whose answer was lost', () => {
  it('is accepted again: of a stage, with its steps', async () => {
    const accepted = await remote.accept((await first()).id, 'far', call)
    const begun = await remote.updateStage(running(accepted), lost)
    expect(await remote.updateStage(running(accepted), call)).toEqual(begun)
    const ended = { ...begun, status: 'success' as const, steps: [] }
    const over = await remote.updateStage(ended, lost)
    expect(over.status).toBe('success')
    expect((await remote.updateStage(ended, call)).status).toBe('success')
  })
  it('is accepted again: of a step', async () => {
    const { one } = await taken()
    const report = { ...one, status: 'running' as const }
    const begun = await remote.updateStep(report, lost)
    expect(await remote.updateStep(report, call)).toEqual(begun)
  })
  it('a repeated report whose answer arrived is refused', async () => {
    const accepted = await remote.accept((await first()).id, 'far', call)
    const begun = await remote.updateStage(running(accepted), call)
    await expect(remote.updateStage(running(accepted), call)).rejects.toMatchObject(conflict)
    const one = begun.steps?.[0] ?? expect.fail('no step')
    await remote.updateStep({ ...one, status: 'running' }, call)
    await expect(remote.updateStep({ ...one, status: 'running' }, call)).rejects.toMatchObject(conflict)
  })
  it('without steps is answered without', async () => {
    const accepted = await remote.accept((await first()).id, 'far', call)
    const { steps: _steps, ...plain } = running(accepted)
    await remote.updateStage(plain, lost)
    expect(await remote.updateStage(plain, call)).not.toHaveProperty('steps')
  })
  it('is remembered over a restart of the server', async () => {
    const { stage, one } = await taken()
    const begun = await remote.updateStep({ ...one, status: 'running' }, call)
    start()
    await remote.recover()
    expect(await remote.updateStep({ ...one, status: 'running' }, call)).toEqual(begun)
    expect(await remote.updateStage(running({ ...stage, version: stage.version - 1 }), call)).toMatchObject({
      id: stage.id,
    })
  })
})

it('a start of the server continues the logs of steps on other machines, and no others', async () => {
  const line = (pos: number) => ({ pos, out: `line ${pos}\n`, time: 0 })
  const { one } = await taken()
  await remote.updateStep({ ...one, status: 'running' }, call)
  await remote.appendLog(one.id, [line(0)], call)
  const uploaded = await taken()
  await remote.updateStep({ ...uploaded.one, status: 'running' }, call)
  await remote.uploadLog(uploaded.one.id, bytes('[]'), call)
  const waiting = await taken()
  await context.ci.logs.open(9_999)
  await context.ci.logs.stop()
  start()
  await remote.recover()
  await remote.appendLog(one.id, [line(1)], call)
  for (const { one: other } of [uploaded, waiting]) {
    await expect(remote.appendLog(other.id, [line(0)], call)).rejects.toThrow('stream: not found')
  }
  expect(await context.isSaved(9_999)).toBe(true)
})

describe('the secrets of a stage', () => {
  const details = async (by = call) => {
    await context.changeRepo({ git_http_url: 'https://ci.example.com:8443/acme/web.git' })
    const { stage, one } = await taken()
    await saveConfig(context.db, stage.build_id, 'kind: pipeline')
    return { stage, one, told: await remote.details(stage.id, by) }
  }
  it('come with what its build clones with', async () => {
    const { stage, told } = await details()
    expect(told).toMatchObject({ config: 'kind: pipeline', cloneFrom: '/nowhere', system, stage: { id: stage.id } })
    expect(told.repo.git_http_url).toBe('https://ci.example.com:8443/acme/web.git')
    expect(told.origin.netrc).toMatchObject({ machine: 'ci.example.com', login: `build-${stage.build_id}` })
    expect(told.build.stages).toHaveLength(1)
  })
  it('have the login of the author, not the name', async () => {
    const { stage } = await taken()
    await saveConfig(context.db, stage.build_id, 'kind: pipeline')
    const author = { author_login: 'Ann Example', author_name: 'Ann Example', author_email: 'ann@example.com' }
    const { author_login: login, author_name: name, author_email: email } = author
    await context.db
      .updateTable('builds')
      .set({ build_author_login: login, build_author_name: name, build_author_email: email })
      .where('build_id', '=', stage.build_id)
      .execute()
    const { build } = await remote.details(stage.id, call)
    expect(build).toMatchObject({ ...author, author_login: 'ann' })
  })
  it('name the address at which this runner reaches us', async () => {
    const { told } = await details({ ...call, reach: 'http://10.0.0.1:8080' })
    expect(told.repo.git_http_url).toBe('http://10.0.0.1:8080/acme/web.git')
    expect(told.origin.netrc?.machine).toBe('10.0.0.1')
  })
  it('are only for the runner that has the stage', async () => {
    const { stage } = await details()
    await remote.updateStage({ ...stage, status: 'success' }, call)
    await expect(remote.details(stage.id, call)).rejects.toMatchObject(conflict)
    await expect(remote.details((await first()).id, call)).rejects.toMatchObject(conflict)
  })
  it('clone its repository as long as the build runs, and nothing else', async () => {
    const { stage, told } = await details()
    const { login, password } = told.origin.netrc ?? expect.fail('no credentials')
    const refused = { status: 401, message: 'Unauthorized' }
    expect(await remote.cloneFrom(login, password, 'acme/web')).toBe('/nowhere')
    expect(await remote.cloneFrom(login, password, 'acme/other')).toBeNull()
    await expect(remote.cloneFrom(login, `${password}x`, 'acme/web')).rejects.toMatchObject(refused)
    await expect(remote.cloneFrom('ann', password, 'acme/web')).rejects.toMatchObject(refused)
    await expect(remote.cloneFrom('build-999', 'sealed(clone 0 0)', 'acme/web')).rejects.toMatchObject(refused)
    await remote.updateStage({ ...stage, status: 'success' }, call)
    await expect(remote.cloneFrom(login, password, 'acme/web')).rejects.toMatchObject(refused)
  })
})

describe('a complete log', () => {
  it('is kept as it came, once', async () => {
    const { stage, one } = await taken()
    time += 50
    await remote.uploadLog(one.id, bytes('[', ']'), call)
    expect(presence.silenceMs(stage)).toBe(0)
    expect(await context.isSaved(one.id)).toBe(true)
    const again = { status: 500, message: 'UNIQUE constraint failed: logs.log_id' }
    await expect(remote.uploadLog(one.id, bytes('[]'), call)).rejects.toMatchObject(again)
  })
  it('of two at once is one of them', async () => {
    const { one } = await taken()
    const outcomes = await Promise.allSettled([1, 2].map(() => remote.uploadLog(one.id, bytes('[]'), call)))
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  })
  it('that a full disk does not take is asked for again', async () => {
    const { one } = await taken()
    const full = Object.assign(new Error('no space left'), { code: 'ENOSPC' })
    const receive = vi.spyOn(context.ci.logs, 'receive').mockRejectedValueOnce(full)
    await expect(remote.uploadLog(one.id, bytes('[]'), call)).rejects.toMatchObject({ status: 503 })
    receive.mockRejectedValueOnce(new Error('cut off'))
    await expect(remote.uploadLog(one.id, bytes('[]'), call)).rejects.toThrow('cut off')
    await remote.uploadLog(one.id, bytes('[]'), call)
  })
  it('while it comes is a sign of life', async () => {
    const { stage, one } = await taken()
    const silences: number[] = []
    async function* slow() {
      for (let part = 0; part < 3; part += 1) {
        time += 100
        silences.push(presence.silenceMs(stage))
        yield Buffer.from(' ')
      }
    }
    await remote.uploadLog(one.id, slow(), call)
    expect(silences).toEqual([100, 100, 100])
  })
})

it('of two cards the first is kept, without an error', async () => {
  const { one } = await taken()
  await remote.storeCard(one.id, { schema: '', data: '{"a":1}' }, call)
  await remote.storeCard(one.id, { schema: '', data: '{"a":2}' }, call)
  expect(await findCard(context.db, one.id)).toBe('{"a":1}')
})

it.each([
  'javascript:alert(1)',
  'JavaScript:alert(1)',
  ' https://example.com',
  'data:text/html,x',
  '//example.com',
  `https://${'x'.repeat(2_000)}`,
])('a card is refused whose schema no browser should load: %.40s', async (schema) => {
  const { one } = await taken()
  const card = { schema, data: '{"a":1}' }
  await expect(remote.storeCard(one.id, card, call)).rejects.toThrow('Invalid schema')
  expect(await findCard(context.db, one.id)).toBeNull()
  await remote.storeCard(one.id, { ...card, schema: 'https://example.com/card.json' }, call)
  expect(await findCard(context.db, one.id)).toBe('{"a":1}')
})

it('a card waits for a disk that is full', async () => {
  const { one } = await taken()
  const size = await sql<{ page_count: number }>`pragma page_count`.execute(context.db)
  const limit = (pages: number) => sql.raw(`pragma max_page_count = ${pages}`).execute(context.db)
  await limit(size.rows[0]?.page_count ?? 0)
  const data = JSON.stringify('x'.repeat(100_000))
  const stored = remote.storeCard(one.id, { schema: '', data }, call)
  await Promise.race([
    stored,
    vi.waitUntil(() => context.messages.some((line) => line.includes('could not be written'))),
  ])
  await limit(1_000_000)
  await stored
  expect(await findCard(context.db, one.id)).toBe(data)
})

describe('a watch', () => {
  it('is a sign of life while it is open, and ends with the call', async () => {
    const { stage } = await taken()
    const gone = new AbortController()
    const watching = remote.watch(stage.build_id, { ...call, signal: gone.signal }, never)
    time += 500
    expect(presence.silenceMs(stage)).toBe(0)
    gone.abort()
    expect(await watching).toBe(false)
    time += 50
    expect(presence.silenceMs(stage)).toBe(50)
  })
  it('ends with its time, and with the build', async () => {
    const { stage } = await taken()
    const until = new AbortController()
    const watching = remote.watch(stage.build_id, call, until.signal)
    until.abort()
    expect(await watching).toBe(false)
    const again = remote.watch(stage.build_id, call, never)
    await remote.updateStage({ ...stage, status: 'success' }, call)
    expect(await again).toBe(true)
    // Immediately, even for a deleted build.
    expect(await remote.watch(stage.build_id, call, never)).toBe(true)
    expect(await remote.watch(9_999, call, never)).toBe(true)
  })
  it('of a declined build ends with what was approved of it', async () => {
    const { id, stages } = await context.build(
      [
        { name: 'a', status: 'declined' },
        { name: 'b', status: 'running', machine: 'm' },
      ],
      { status: 'declined' },
    )
    const until = new AbortController()
    const watching = remote.watch(id, call, until.signal)
    until.abort()
    expect(await watching).toBe(false)
    expect(stages).toHaveLength(2)
    const over = await context.build(
      [
        { name: 'a', status: 'declined' },
        { name: 'b', status: 'blocked' },
      ],
      { status: 'declined' },
    )
    expect(await remote.watch(over.id, call, never)).toBe(true)
  })
})

describe('a runner that is gone', () => {
  const check = () => createHeartbeatTimeoutCheck({ ci: context.ci, closers: context.closers, presence, seconds: 60 })
  const statuses = async (stage: Stage) => (await context.statuses(stage.build_id)).slice(1)

  it('ends what it ran, in words, after its silence and not before', async () => {
    const { stage } = await taken()
    const look = check()
    time += 59_999
    await look()
    expect(await statuses(stage)).toEqual(['running'])
    time += 1
    await look()
    expect((await context.read(stage.build_id)).stages[0]).toMatchObject({
      status: 'error',
      exit_code: 255,
      stopped: context.clock.now,
      error: 'No contact with runner far for 1 minute',
    })
  })

  it('gives back what it had only taken; the third time the stage ends', async () => {
    const { id, build_id: buildId } = await first()
    const look = check()
    for (const machine of ['first', 'second']) {
      await remote.accept(id, machine, call)
      time += 60_000
      await look()
      const [stage] = (await context.read(buildId)).stages
      expect(stage).toMatchObject({ status: 'pending', updated: context.clock.now })
      expect(stage?.machine ?? '').toBe('')
      expect(await isRemote(context.db, id)).toBe(false)
      // In the meantime it is unassigned, and its losses still count.
      await look()
    }
    await remote.accept(id, 'third', call)
    time += 60_000
    await look()
    expect((await context.read(buildId)).stages[0]).toMatchObject({
      status: 'error',
      error: 'No contact with runner third for 1 minute; 3 runners accepted this stage but none started it',
    })
  })

  it('that reports in this moment is not gone', async () => {
    const { stage } = await taken()
    time += 60_000
    const look = check()()
    await remote.updateStage({ ...stage, status: 'success' }, call).catch(() => {})
    await look
    expect(['success', 'error']).toContain((await statuses(stage))[0])
    expect(await listRemoteStages(context.db)).toEqual([])
  })

  it('and is known to be leaves nothing behind, and nothing of others', async () => {
    const mine = await taken()
    const [waits = expect.fail()] = await queued()
    await remote.accept(waits.id, 'far', call)
    const [other = expect.fail()] = await queued()
    await remote.accept(other.id, 'near', call)
    await abandonStages(context.ci, context.closers, 'far', 'It is gone')
    expect(await statuses(mine.stage)).toEqual(['error'])
    expect((await context.read(waits.build_id)).stages[0]?.machine ?? '').toBe('')
    expect((await context.read(other.build_id)).stages[0]?.machine).toBe('near')
    expect((await context.read(mine.stage.build_id)).stages[0]).toMatchObject({ error: 'It is gone', exit_code: 255 })
  })

  it('cannot be ended by a failure of ours that passes for a report', async () => {
    await taken()
    vi.spyOn(context.ci, 'locks').mockRejectedValue(new Error('broken'))
    await expect(abandonStages(context.ci, context.closers, 'far', 'gone')).rejects.toThrow('broken')
    time += 60_000
    await expect(check()()).rejects.toThrow('broken')
  })

  it.each([
    [1, '1 second'],
    [59, '59 seconds'],
    [60, '1 minute'],
    [90, '90 seconds'],
    [180, '3 minutes'],
  ])('after %i s was not heard for %s', (seconds, words) => {
    expect(inWords(seconds)).toBe(words)
  })
})

describe('the heartbeat clock', () => {
  let clock: { stop(): Promise<void> } | undefined
  const begin = (seconds: number, more: Partial<Heartbeats> = {}) => {
    clock = startHeartbeatTimeouts({
      ci: context.ci,
      closers: context.closers,
      presence: { ...presence, ...more },
      seconds,
    })
  }
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
  })
  afterEach(async () => {
    await clock?.stop()
    vi.useRealTimers()
  })
  const settled = async () => {
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve))
  }

  it.each([
    [180, 10_000],
    [6, 1_000],
    [0.1, 100],
  ])('for %d s looks every %i ms until it is stopped', async (seconds, everyMs) => {
    let looks = 0
    begin(seconds, { forgetOthers: () => void (looks += 1) })
    for (const expected of [1, 2]) {
      vi.advanceTimersByTime(everyMs - 1)
      await settled()
      expect(looks).toBe(expected - 1)
      vi.advanceTimersByTime(1)
      await settled()
      expect(looks).toBe(expected)
    }
    await clock?.stop()
    vi.advanceTimersByTime(10 * everyMs)
    await settled()
    expect(looks).toBe(2)
  })

  it.each([
    [2_000, 0],
    [2_001, 1],
  ])('held up itself for %i ms more than a second it blames nobody (%i)', async (milliseconds, times) => {
    let excused = 0
    begin(6, { excuseAll: () => void (excused += 1) })
    const real = performance.now.bind(performance)
    vi.spyOn(performance, 'now').mockImplementation(() => real() + milliseconds)
    vi.advanceTimersByTime(1_000)
    await settled()
    expect(excused).toBe(times)
    // From then on it is in time again.
    vi.advanceTimersByTime(1_000)
    await settled()
    expect(excused).toBe(times)
  })

  it('logs an error, and checks again', async () => {
    const said = vi.spyOn(console, 'error').mockReturnValue()
    let looks = 0
    begin(6, {
      forgetOthers: () => {
        looks += 1
        throw new Error('broken')
      },
    })
    for (let round = 0; round < 2; round += 1) {
      vi.advanceTimersByTime(1_000)
      await settled()
    }
    expect([looks, said.mock.calls.length]).toEqual([2, 2])
  })
})
