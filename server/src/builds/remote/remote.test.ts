import { Readable } from 'node:stream'
import { gunzipSync } from 'node:zlib'
import type { Stage, Step } from '@flightdeck/api'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { required } from '../context.ts'
import { never, openBench, pipelines, type Bench } from '../../testing/test-bench.ts'
import { restartText } from '../../interfaces/runner.ts'
import type { RemoteCall } from '../../interfaces/remote.ts'

const call: RemoteCall = { address: '192.0.2.1', signal: never }
const asked = { address: call.address, agent: '' }
const exec = { kind: 'pipeline', type: 'exec' }
const conflict = expect.objectContaining({ status: 409 }) as unknown

let bench: Bench
beforeEach(async () => {
  bench = await openBench()
})
afterEach(() => bench.close())

const accept = async (machine = 'far', by = call): Promise<Stage> => {
  const stage = required(await bench.ci.remote.request(exec, AbortSignal.timeout(10_000), asked))
  return bench.ci.remote.accept(stage.id, machine, by)
}
const running = (stage: Stage, names = ['one']): Stage => ({
  ...stage,
  status: 'running',
  started: bench.clock.now,
  steps: names.map((name, index) => ({
    id: 0,
    step_id: stage.id,
    number: index + 1,
    name,
    status: 'pending',
    exit_code: 0,
    version: 0,
  })),
})
const take = async (names?: string[], by = call) => {
  const stage = await bench.ci.remote.updateStage(running(await accept('far', by), names), by)
  const [step = expect.fail('no step')] = stage.steps ?? []
  return { stage, step }
}
const begin = (step: Step) => bench.ci.remote.updateStep({ ...step, status: 'running', started: bench.clock.now }, call)
const line = (pos: number) => ({ pos, out: `line ${pos}\n`, time: 0 })
const upload = (step: Step, text: string) =>
  bench.ci.remote.uploadLog(step.id, Readable.from([Buffer.from(text)]), call)
async function logOf(step: Step): Promise<string | null> {
  const saved = await bench.ci.logs.read(step.id)
  if (!saved) return null
  const bytes = Buffer.from(await new Response(saved.body).arrayBuffer())
  return (saved.encoding === 'gzip' ? gunzipSync(bytes) : bytes).toString()
}
const push = (docs: Record<string, string> = { default: '' }) => bench.push(bench.commit(pipelines(docs)))

describe('a runner', () => {
  it('may say nothing about a stage that the built-in one has', async () => {
    await push()
    const stage = await bench.take()
    const step = await bench.runStep(stage.steps[0] ?? expect.fail('no step'))
    const { remote } = bench.ci
    const calls = [
      () => remote.details(stage.id, call),
      () => remote.updateStage({ ...stage, status: 'success' }, call),
      () => remote.updateStep({ ...step, status: 'success' }, call),
      () => remote.appendLog(step.id, [line(0)], call),
      () => upload(step, '[]'),
      () => remote.storeCard(step.id, { schema: '', data: '1' }, call),
    ]
    for (const attempt of calls) await expect(attempt()).rejects.toEqual(conflict)
    expect(await bench.statuses(1)).toEqual({ '': 'running', default: 'running' })
  })

  const more = (stage: Stage, from: number, count: number, facts: Partial<Step> = {}): Stage => ({
    ...stage,
    steps: Array.from({ length: count }, (_, index) => ({
      ...(stage.steps?.[0] ?? expect.fail('no step')),
      ...facts,
      id: 0,
      number: from + index,
    })),
  })
  const invalid = (what: string) => expect.objectContaining({ status: 400, message: `Invalid ${what}` }) as unknown

  it('cannot give a stage more than 2,000 steps with several reports @system', async () => {
    await push()
    const { remote } = bench.ci
    const { stage } = await take()
    const full = await remote.updateStage(more(stage, 2, 1_999), call)
    expect(full.steps).toHaveLength(2_000)
    await expect(remote.updateStage(more(full, 2_001, 1), call)).rejects.toEqual(invalid('number of steps'))
    const end = { ...more(full, 2_001, 1, { status: 'success' }), status: 'success' } as const
    await expect(remote.updateStage(end, call)).rejects.toEqual(invalid('number of steps'))
  })

  it('cannot give the steps of a stage more than 600,000 characters of dependencies', async () => {
    await push()
    const { remote } = bench.ci
    const { stage } = await take()
    const names = { depends_on: Array<string>(1_000).fill('x'.repeat(250)) }
    const { steps = [], ...full } = await remote.updateStage(more(stage, 2, 2, names), call)
    await expect(remote.updateStage(more({ ...full, steps }, 4, 1, names), call)).rejects.toEqual(
      invalid('dependencies'),
    )
    const [first = expect.fail('no step'), second = expect.fail('no step')] = steps
    await expect(remote.updateStep({ ...first, ...names }, call)).rejects.toEqual(invalid('dependencies'))
    await expect(remote.updateStep({ ...second, status: 'running' }, call)).resolves.toMatchObject(names)
  })

  it('cannot make the dependencies of a stage longer than a few names', async () => {
    await push()
    const { remote } = bench.ci
    const { stage } = await take()
    const long = { ...stage, depends_on: Array<string>(17).fill('x'.repeat(250)) }
    await expect(remote.updateStage(long, call)).rejects.toEqual(invalid('dependencies'))
  })

  it('has its stage alone, by the name with which it took it', async () => {
    await push()
    const accepted = await accept('far')
    await expect(bench.ci.remote.accept(accepted.id, 'far', call)).rejects.toEqual(conflict)
    await expect(bench.ci.remote.accept(accepted.id, 'near', call)).rejects.toEqual(conflict)
    const other = running({ ...accepted, machine: 'near' })
    await expect(bench.ci.remote.updateStage(other, call)).rejects.toEqual(conflict)
    expect((await bench.ci.remote.updateStage(running(accepted), call)).status).toBe('running')
  })

  it.each<[string, Partial<Stage>]>([
    ['a status that only the server gives', { status: 'declined' }],
    ['a status that is none', { status: 'fine' as Stage['status'] }],
    ['an exit code beyond all', { exit_code: 2 ** 40 }],
    ['a half exit code', { exit_code: 1.5 }],
    ['a time before time', { started: -1 }],
    ['a time beyond all', { stopped: 10 ** 12 }],
    ['a platform without end', { os: 'x'.repeat(300) }],
  ])('is not believed %s @system', async (_why, change) => {
    await push()
    const accepted = await accept()
    const refused = expect.objectContaining({ status: 400 }) as unknown
    await expect(bench.ci.remote.updateStage({ ...running(accepted), ...change }, call)).rejects.toEqual(refused)
    expect(await bench.statuses(1)).toEqual({ '': 'pending', default: 'pending' })
  })

  it('is not believed steps that cannot be @system', async () => {
    await push()
    const accepted = await accept()
    const report = running(accepted, ['a', 'b'])
    const [a = expect.fail('no step'), b = expect.fail('no step')] = report.steps ?? []
    for (const steps of [
      [a, { ...b, number: 1 }],
      [{ ...a, number: 0 }],
      [{ ...a, name: '' }],
      [{ ...a, name: 'x'.repeat(300) }],
      [{ ...a, schema: 'javascript:alert(1)' }],
      Array.from({ length: 2_001 }, (_, index) => ({ ...a, number: index + 1 })),
    ]) {
      await expect(bench.ci.remote.updateStage({ ...report, steps }, call)).rejects.toMatchObject({ status: 400 })
    }
  })

  it('sends a complete log once, and it stays unchanged', async () => {
    await push()
    const { step } = await take()
    await begin(step)
    await bench.ci.remote.appendLog(step.id, [line(0)], call)
    const text = ' [ {"pos":7,"out":"x","time":0,"extra":true} ]\n'
    await upload(step, text)
    await expect(upload(step, '[]')).rejects.toThrow('UNIQUE constraint failed: logs.log_id')
    expect(await logOf(step)).toBe(text)
    await bench.ci.remote.updateStep({ ...step, version: 2, status: 'success' }, call)
    expect(await logOf(step)).toBe(text)
  })

  it('hears of a cancel that came before its watch', async () => {
    await push()
    const { stage } = await take()
    await bench.ci.cancel(bench.repo, 1, bench.user)
    expect(await bench.ci.remote.watch(stage.build_id, call, never)).toBe(true)
  })
})

describe('after a restart of the server', () => {
  it('a runner continues where it was, and resends what was not answered', async () => {
    await push()
    const { stage, step } = await take(['one', 'two'])
    await begin(step)
    await bench.ci.remote.appendLog(step.id, [line(0), line(1)], call)
    await bench.restartServer()
    expect(await bench.statuses(1)).toEqual({ '': 'running', default: 'running' })
    // The same report, since the response was lost.
    expect(await begin(step)).toMatchObject({ status: 'running', version: 2 })
    expect(await bench.ci.remote.updateStage(running({ ...stage, version: 2 }), call)).toMatchObject({
      version: 3,
      steps: [{ id: step.id, version: 2 }, { version: 1 }],
    })
    await bench.ci.remote.appendLog(step.id, [line(1), line(2)], call)
    const ended = await bench.ci.remote.updateStep({ ...step, version: 2, status: 'success' }, call)
    expect(ended).toMatchObject({ status: 'success', version: 3 })
    expect(JSON.parse((await logOf(step)) ?? '')).toEqual([line(0), line(1), line(2)])
    // Another report with an old version is stale, as usual.
    await expect(bench.ci.remote.updateStep({ ...step, version: 1, status: 'failure' }, call)).rejects.toEqual(conflict)
    await bench.ci.remote.updateStage({ ...stage, status: 'success', steps: [ended] }, call)
    expect(await bench.statuses(1)).toEqual({ '': 'success', default: 'success' })
  })

  it('only what the built-in runner had is over, also in the same build @system', async () => {
    await push({ here: '', there: '', later: 'depends_on: [there]' })
    const here = await bench.take()
    const { stage } = await take()
    await bench.restartServer()
    expect(await bench.statuses(1)).toEqual({
      '': 'running',
      here: 'error',
      there: 'running',
      later: 'waiting_on_dependencies',
    })
    expect((await bench.build(1)).stages.find(({ id }) => id === here.id)?.error).toBe(restartText)
    await bench.ci.remote.updateStage({ ...stage, status: 'success', steps: [] }, call)
    expect(await bench.statuses(1)).toEqual({ '': 'error', here: 'error', there: 'success', later: 'skipped' })
  })
})

describe('a runner that falls silent', () => {
  it('ends its stage in words, with its log @system', async () => {
    await push()
    const { step } = await take(['one', 'two'])
    await begin(step)
    await bench.ci.remote.appendLog(step.id, [line(0)], call)
    bench.ci.startClocks()
    await expect.poll(() => bench.statuses(1), { timeout: 15_000 }).toEqual({ '': 'error', default: 'error' })
    const [stage] = (await bench.build(1)).stages
    expect(stage).toMatchObject({
      error: 'No contact with runner far for 1 second',
      exit_code: 255,
      steps: [{ status: 'error' }, { status: 'skipped' }],
    })
    await expect.poll(() => logOf(step), { timeout: 15_000 }).not.toBeNull()
    expect(JSON.parse((await logOf(step)) ?? '')).toEqual([line(0)])
    await expect(bench.ci.remote.updateStep({ ...step, version: 2, status: 'success' }, call)).rejects.toEqual(conflict)
  })

  it('gives back what it has not begun, but a stage that loses every runner ends @system', async () => {
    await push()
    const first = await accept('first')
    bench.ci.startClocks()
    const second = await accept('second')
    expect([second.id, second.machine]).toEqual([first.id, 'second'])
    // The lost one wakes up.
    await expect(bench.ci.remote.updateStage(running(first), call)).rejects.toEqual(conflict)
    await accept('third')
    await expect.poll(() => bench.statuses(1), { timeout: 15_000 }).toEqual({ '': 'error', default: 'error' })
    expect((await bench.build(1)).stages[0]?.error).toBe(
      'No contact with runner third for 1 second; 3 runners accepted this stage but none started it',
    )
  })

  it('is none that watches, but another one’s watch of the same build does not count @system', async () => {
    await push({ quiet: '', dead: '' })
    await take()
    await take(['one'], { ...call, address: '192.0.2.2' })
    const { id } = await bench.build(1)
    const gone = new AbortController()
    const watching = bench.ci.remote.watch(id, { address: call.address, signal: gone.signal }, never)
    bench.ci.startClocks()
    await expect
      .poll(() => bench.statuses(1), { timeout: 15_000 })
      .toEqual({ '': 'running', quiet: 'running', dead: 'error' })
    gone.abort()
    expect(await watching).toBe(false)
    await expect.poll(() => bench.statuses(1), { timeout: 15_000 }).toMatchObject({ '': 'error', quiet: 'error' })
  })
})

describe('a log that was removed', () => {
  /** A canceled step whose runner has stopped but has not uploaded its log yet. */
  const cancelled = async () => {
    await push()
    const { step } = await take()
    const begun = await begin(step)
    await bench.ci.remote.appendLog(step.id, [line(0)], call)
    await bench.ci.cancel(bench.repo, 1, bench.user)
    return begun
  }
  /** The server has the first part of it. */
  const uploading = async (step: Step) => {
    let [began, goOn] = [() => {}, () => {}]
    const begun = new Promise<void>((resolve) => {
      began = resolve
    })
    const removed = new Promise<void>((resolve) => {
      goOn = resolve
    })
    async function* content() {
      yield Buffer.from('["a word that ')
      began()
      await removed
      yield Buffer.from('was removed"]')
    }
    const answer = bench.ci.remote.uploadLog(step.id, content(), call)
    await begun
    return () => {
      goOn()
      return answer
    }
  }
  const again = { status: 500, message: 'UNIQUE constraint failed: logs.log_id' }

  it('does not come back with what its runner sends later', async () => {
    const step = await cancelled()
    await bench.ci.removeLogs([step.id])
    await expect(upload(step, '["a word that was removed"]')).rejects.toMatchObject(again)
    expect(await logOf(step)).toBeNull()
  })

  it('does not come back with what is being sent @system', async () => {
    const step = await cancelled()
    const finish = await uploading(step)
    await bench.ci.removeLogs([step.id])
    await expect(finish()).rejects.toMatchObject(again)
    expect(await logOf(step)).toBeNull()
  })

  it('leaves nothing behind where its build was removed, too @system', async () => {
    const step = await cancelled()
    const finish = await uploading(step)
    await bench.ci.purge(bench.repo, 2, bench.user)
    await expect(finish()).rejects.toMatchObject({ status: 404 })
    expect(await logOf(step)).toBeNull()
  })

  it('may be written where its step has yet to run', async () => {
    await push()
    const { step } = await take()
    await bench.ci.removeLogs([step.id])
    await begin(step)
    await bench.ci.remote.appendLog(step.id, [line(0)], call)
    await upload(step, '["whole"]')
    expect(await logOf(step)).toBe('["whole"]')
  })
})
