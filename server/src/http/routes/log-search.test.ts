/** Searching the logs of a repository's last builds, on real builds with real log files. */
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { SearchMessage, Step } from '@flightdeck/api'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createTestApp, tokenOf, type Call, type TestApp } from '../../testing/test-app.ts'
import { pipelines } from '../../testing/test-bench.ts'

vi.setConfig({ testTimeout: 60_000 })

let app: TestApp
beforeEach(async () => {
  app = await createTestApp()
})
afterEach(async () => {
  expect(app.failures).toEqual([])
  await app.close()
})

const path = (text: string, more: Record<string, string> = {}): string =>
  `/api/repos/acme/web/search?${new URLSearchParams({ text, ...more })}`

async function search(text: string, more: Record<string, string> = {}, call: Call = { as: 'rae' }) {
  const response = await app.request(path(text, more), call)
  expect([response.status, response.headers.get('Content-Type')]).toEqual([200, 'application/x-ndjson'])
  const said = await response.text()
  return said
    .trimEnd()
    .split('\n')
    .map((line): SearchMessage => JSON.parse(line))
}
const isSameStep = (one: SearchMessage, next: SearchMessage | undefined): boolean =>
  one.type === 'found' &&
  next?.type === 'found' &&
  next.build.number === one.build.number &&
  next.step.number === one.step.number
/** Of each step the last word. */
const foundIn = (messages: readonly SearchMessage[]) =>
  messages.flatMap((message, index) =>
    message.type === 'found' && !isSameStep(message, messages[index + 1])
      ? [[message.build.number, message.step.name, message.count, message.hits.map(({ number }) => number)]]
      : [],
  )

async function begin(branch = 'main'): Promise<{ step: Step; end: () => Promise<void> }> {
  const { bench } = app
  await bench.push(bench.commit(pipelines({ default: '' }), `on ${branch}`), {
    ref: `refs/heads/${branch}`,
    target: branch,
  })
  const stage = await bench.take(['test'])
  const step = await bench.runStep(stage.steps[0] ?? expect.fail('no step'))
  return {
    step,
    async end() {
      await bench.endStep(step, 'success')
      await expect.poll(() => bench.isSaved(step), { timeout: 10_000 }).toBe(true)
      await bench.endStage(stage, 'success')
    },
  }
}

/** A build whose only step prints these lines. */
async function run(lines: readonly string[], branch = 'main'): Promise<Step> {
  const { step, end } = await begin(branch)
  await app.bench.ci.runners.appendLog(
    step.id,
    lines.map((line, pos) => ({ pos, out: `${line}\n`, time: 2 * pos })),
  )
  await end()
  return step
}

const packed = (id: number): string => {
  const folder = join(app.bench.dir, 'logs')
  const name = readdirSync(folder, { recursive: true }).find((one) => String(one).endsWith(`${id}.json.gz`))
  return join(folder, String(name ?? expect.fail('no packed log')))
}

it('returns build, step, line and time of all hits, the newest build first, and ends', async () => {
  await run(['all is well'])
  await run(['one', 'warning: \u001b[33mold\u001b[0m style'], 'side')
  await run(['two', 'three', 'WARNING: old style', 'warning: old style'])
  const messages = await search('warning: old')
  expect(foundIn(messages)).toEqual([
    [3, 'test', 2, [3, 4]],
    [2, 'test', 1, [2]],
  ])
  expect(messages[0]).toEqual({ type: 'begin', builds: 3 })
  expect(messages.at(-1)).toEqual({ type: 'end' })
  expect(messages.filter(({ type }) => type === 'searched')).toHaveLength(3)
  expect(messages.find((one) => one.type === 'found' && one.build.number === 2)).toMatchObject({
    build: { branch: 'side', event: 'push' },
    stage: { number: 1 },
    hits: [{ number: 2, column: 0, text: 'warning: old', after: ' style', time: 2 }],
  })

  expect(foundIn(await search('warning: old', { case: 'true', build: '3' }))).toEqual([[3, 'test', 1, [4]]])
  expect(foundIn(await search('^w.*style$', { pattern: 'true' }))).toHaveLength(2)
  expect(foundIn(await search('old', { word: 'true', build: '1' }))).toEqual([])
})

it('returns the time of each hit and of the line before it, with tenths if the log has them', async () => {
  const step = await run(['replaced'])
  const [zero, began] = [{ time: 0, tenth: 9 }, 1_700_000_000_123]
  const rows = [
    { pos: 0, out: 'needle one\n', ...zero, began },
    { pos: 1, out: 'a line that ', time: 3, tenth: 1 },
    // What cannot be is left out, as in the console.
    { pos: 2, out: 'ends later: needle\nneedle\n', time: 5, tenth: 12, began: 'then' },
  ]
  writeFileSync(packed(step.id), gzipSync(JSON.stringify(rows)))
  const told = await search('needle')
  const at = await app.bench.build(1)
  expect(told.filter(({ type }) => type === 'found').at(-1)).toMatchObject({
    began,
    step: { started: at.stages[0]?.steps?.[0]?.started },
    hits: [
      { number: 1, ...zero },
      { number: 2, time: 3, tenth: 1, previous: zero },
      { number: 3, time: 5, previous: { time: 3, tenth: 1 } },
    ],
  })
  expect(JSON.stringify(told)).not.toContain('"tenth":12')
})

it('does not count steps that never ran as logs that are unavailable', async () => {
  const step = await run(['needle'])
  const { db } = app.bench
  const { step_id: _, ...row } = await db
    .selectFrom('steps')
    .selectAll()
    .where('step_id', '=', step.id)
    .executeTakeFirstOrThrow()
  expect(row.step_started).toBeGreaterThan(0)
  // As Drone's runners report it: a skipped step starts and stops in the moment when it is skipped.
  const statuses = ['skipped', 'pending', 'declined', 'blocked', 'waiting_on_dependencies'] as const
  for (const [index, status] of statuses.entries())
    await db
      .insertInto('steps')
      .values({ ...row, step_number: 10 + index, step_name: status, step_status: status })
      .execute()
  const messages = await search('needle')
  expect(foundIn(messages)).toEqual([[1, 'test', 1, [1]]])
  expect(messages).toContainEqual({ type: 'searched', build: 1, unread: 0 })
})

it('finds the output so far of a running step', async () => {
  const { step, end } = await begin()
  await app.bench.ci.runners.appendLog(step.id, [{ pos: 0, out: 'a needle\n', time: 0 }])
  expect(foundIn(await search('needle'))).toEqual([[1, 'test', 1, [1]]])
  await end()
})

it('numbers lines as the console does, in logs that a runner has laid out and cut', async () => {
  const step = await run(['replaced'])
  const rows = [
    { pos: 7, out: 'a nee', time: 0 },
    { pos: 8, out: 'dle\nsecond', time: 1 },
    { pos: 9, out: '', time: 1 },
    { pos: 10, out: ' needle\nthird needle', time: 4 },
  ]
  for (const text of [JSON.stringify(rows), JSON.stringify(rows, undefined, 2)]) {
    writeFileSync(packed(step.id), gzipSync(text))
    expect(foundIn(await search('needle'))).toEqual([[1, 'test', 3, [8, 9, 10]]])
  }
  // Entries without any line end are lines.
  writeFileSync(packed(step.id), gzipSync(JSON.stringify(rows.map((row) => ({ ...row, out: 'needle' })))))
  expect(foundIn(await search('needle'))).toEqual([[1, 'test', 4, [8, 9, 10, 11]]])
})

it('counts a damaged log, and continues', async () => {
  await run(['needle'])
  const broken = await run(['needle'])
  writeFileSync(packed(broken.id), 'no gzip')
  const messages = await search('needle')
  expect(foundIn(messages)).toEqual([[1, 'test', 1, [1]]])
  expect(messages).toContainEqual({ type: 'searched', build: 2, unread: 1 })
})

it('returns twenty hits of a step and counts all', async () => {
  await run(Array.from({ length: 5_000 }, (_, index) => `needle ${index}`))
  const [[, , count, lines]] = foundIn(await search('needle')) as [[number, string, number, number[]]]
  expect([count, lines]).toEqual([5_000, Array.from({ length: 20 }, (_, index) => index + 1)])
})

it('ends a pattern that takes too long, says so, and runs the next one; other requests do not wait @system', async () => {
  await run([`${'a'.repeat(40)}!`])
  const bad = search('(a+)+$', { pattern: 'true' })
  let turns = 0
  const watch = setInterval(() => {
    turns += 1
  }, 5)
  const messages = await bad
  clearInterval(watch)
  expect(messages.at(-1)).toEqual({ type: 'end', stopped: 'pattern' })
  // The pattern takes hours and is given two seconds of a processor: held by it the loop would not
  // have turned at all.
  expect(turns).toBeGreaterThan(20)
  expect(foundIn(await search('!'))).toHaveLength(1)
})

it('refuses what is no pattern, no text and too much of it, in words', async () => {
  await run(['x'])
  expect(await app.answer(path('(', { pattern: 'true' }), { as: 'rae' })).toEqual([
    400,
    { message: 'The pattern is not valid: a “(” has no “)”' },
  ])
  expect((await app.answer(path(''), { as: 'rae' }))[0]).toBe(400)
  expect((await app.answer(path('x'.repeat(501)), { as: 'rae' }))[0]).toBe(400)
  expect((await app.answer(path('x', { build: '99' }), { as: 'rae' }))[0]).toBe(404)
})

it('needs read access to the repository', async () => {
  await run(['needle'])
  expect((await app.answer(path('needle'), { as: 'otto' }))[0]).toBe(404)
  expect((await app.answer(path('needle')))[0]).toBe(401)
})

it('one search per person at a time; more are refused, and an aborted one makes room @system', async () => {
  await run([`${'a'.repeat(40)}!`])
  const gone = new AbortController()
  const ask = async () =>
    app.app.request(path('(a+)+$', { pattern: 'true' }), {
      headers: { Authorization: `Bearer ${tokenOf('rae')}` },
      signal: gone.signal,
    })
  const asked = [ask(), ask(), ask(), ask(), ask()]
  const refused = asked.map(async (one) => expect((await one).status).toBe(429))
  await Promise.any(refused)
  // Does not delay another search.
  expect(foundIn(await search('!', {}, { as: 'wes' }))).toHaveLength(1)
  gone.abort()
  for (const one of await Promise.allSettled(asked)) if (one.status === 'fulfilled') await one.value.body?.cancel()
  expect(foundIn(await search('!'))).toHaveLength(1)
})

it('reads a log of half a million lines without holding anybody up @system', async () => {
  const step = await run(['small'])
  const rows = Array.from({ length: 500_000 }, (_, pos) =>
    JSON.stringify({ pos, out: `line ${pos} of many that say little and are as long as others\n`, time: pos }),
  )
  writeFileSync(packed(step.id), gzipSync(`[${rows.join('\n,')}]`, { level: 1 }))
  expect(existsSync(packed(step.id))).toBe(true)
  const began = search('line 499999 of')
  let turns = 0
  let over = false
  const turn = () => {
    turns += 1
    if (!over) setImmediate(turn)
  }
  turn()
  expect(foundIn(await began)).toEqual([[1, 'test', 1, [500_000]]])
  // Hits are sent before the whole log is read.
  const all = await search('line')
  expect(foundIn(all).map(([, , count]) => count)).toEqual([500_000])
  const counts = all.flatMap((message) => (message.type === 'found' ? [message.count] : []))
  expect(counts[0]).toBeLessThan(20_000)
  over = true
  expect(turns).toBeGreaterThan(100)
})
