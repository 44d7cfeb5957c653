import { gunzipSync } from 'node:zlib'
import type { Stage, Step } from '@flightdeck/api'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { pipelines } from '../../testing/test-bench.ts'
import { createTestApp, type Person, type TestApp } from '../../testing/test-app.ts'

let app: TestApp
let stage: Stage & { steps: Step[] }
let step: Step
beforeEach(async () => {
  app = await createTestApp({ pingMs: 600_000 })
  app.bench.commit(pipelines({ default: '' }))
})
afterEach(async () => {
  expect(app.failures).toEqual([])
  await app.close()
})

async function begin(): Promise<void> {
  await app.bench.startBuild()
  stage = await app.bench.take(['clone', 'test'])
  step = await app.bench.runStep(stage.steps[0] ?? expect.fail('no step'))
}
const append = (...out: string[]) =>
  app.bench.ci.runners.appendLog(
    step.id,
    out.map((text, pos) => ({ pos, out: text, time: pos })),
  )

/** Reads a stream as a browser does, in pieces of any size. */
async function open(path: string, as?: Person) {
  const response = await app.request(path, as && { as })
  const reader = response.body?.getReader() ?? expect.fail('no body')
  const decoder = new TextDecoder()
  let text = ''
  const read = async (): Promise<boolean> => {
    const { done, value } = await reader.read()
    if (!done) text += decoder.decode(value, { stream: true })
    return !done
  }
  return {
    response,
    async until(end: string): Promise<string> {
      while (!text.includes(end)) if (!(await read())) throw new Error(`the stream ended: ${text}`)
      return text
    },
    async toEnd(): Promise<string> {
      while (await read());
      return text
    },
    events: () =>
      text
        .split('\n')
        .filter((line) => line.startsWith('data: {'))
        .map((line) => JSON.parse(line.slice(6)) as { slug: string; build: { number: number; status: string } }),
    cancel: () => reader.cancel(),
  }
}

describe('log streams', () => {
  const path = '/api/stream/acme/web/1/1/1'

  it('send old lines, then new lines, then the end (docs/api §4.5)', async () => {
    await begin()
    await append('+ npm test\n', '<b>\u001b[32mok\u001b[0m\n')
    const stream = await open(path, 'rae')
    expect(stream.response.headers.get('content-type')).toBe('text/event-stream')
    expect(stream.response.headers.get('cache-control')).toContain('no-cache')
    expect(stream.response.headers.get('x-accel-buffering')).toBe('no')
    await stream.until('"pos":1')
    await app.bench.ci.runners.appendLog(step.id, [{ pos: 2, out: 'late\n', time: 2 }])
    await stream.until('late')
    await app.bench.endStep(step)
    expect(await stream.toEnd()).toBe(
      ': ping\n\n' +
        'data: {"pos":0,"out":"+ npm test\\n","time":0}\n\n\n' +
        'data: {"pos":1,"out":"\\u003cb\\u003e\\u001b[32mok\\u001b[0m\\n","time":1}\n\n\n' +
        'data: {"pos":2,"out":"late\\n","time":2}\n\n\n' +
        'event: error\ndata: eof\n\n',
    )
  })

  it('end at once where nothing is live', async () => {
    await begin()
    const ended = ': ping\n\nevent: error\ndata: eof\n\n'
    expect(await (await open('/api/stream/acme/web/1/1/2', 'ann')).toEnd()).toBe(ended)
    await app.bench.endStep(step)
    await expect.poll(() => app.bench.isSaved(step), { timeout: 10_000 }).toBe(true)
    expect(await (await open(path, 'ann')).toEnd()).toBe(ended)
  })

  it('are cut when the right to read is taken away', async () => {
    await begin()
    await append('before\n')
    const stream = await open(path, 'rae')
    await stream.until('before')
    await app.answer('/api/repos/acme/web/collaborators/rae', { as: 'ann', method: 'DELETE' })
    app.bench.clock.now += 10
    await app.bench.ci.runners.appendLog(step.id, [{ pos: 1, out: 'after\n', time: 1 }])
    expect(await stream.toEnd()).not.toMatch(/after|eof/)
  })

  it('leave no reader behind', async () => {
    await begin()
    const stream = await open(path, 'ann')
    await stream.until('ping')
    await stream.cancel()
    await append('more\n')
  })

  it.each([
    ['x/1/1', 400, 'strconv.ParseInt: parsing "x": invalid syntax'],
    ['1/x/1', 400, 'strconv.Atoi: parsing "x": invalid syntax'],
    ['1/1/x', 400, 'strconv.Atoi: parsing "x": invalid syntax'],
    ['99/1/1', 404, 'sql: no rows in result set'],
    ['1/1/1', 404, 'sql: no rows in result set'],
  ])('refuse %s', async (rest, status, message) => {
    expect(await app.answer(`/api/stream/acme/web/${rest}`, { as: 'ann' })).toEqual([status, { message }])
  })
})

describe('saved logs', () => {
  const path = '/api/repos/acme/web/builds/1/logs/1/1'
  const lines = [{ pos: 0, out: 'a <b> & c\n', time: 0 }]

  it('are sent as stored, compressed if the client accepts it @system', async () => {
    await begin()
    expect(await app.answer(path, { as: 'rae' })).toEqual([404, { message: 'sql: no rows in result set' }])
    await append('a <b> & c\n')
    await app.bench.endStep(step)
    await expect.poll(() => app.bench.isSaved(step), { timeout: 10_000 }).toBe(true)
    expect(await app.answer(path, { as: 'rae' })).toEqual([200, lines])
    const packed = await app.request(path, { as: 'rae', headers: { 'Accept-Encoding': 'gzip' } })
    expect(packed.headers.get('content-encoding')).toBe('gzip')
    expect(JSON.parse(gunzipSync(Buffer.from(await packed.arrayBuffer())).toString())).toEqual(lines)
  })

  it('of a cancelled step are available as soon as the runner has sent its last lines @system', async () => {
    await begin()
    await append('a <b> & c\n')
    await app.answer('/api/repos/acme/web/builds/1', { as: 'ann', method: 'DELETE' })
    const answer = app.answer(path, { as: 'rae' })
    await app.bench.ci.runners.appendLog(step.id, [{ pos: 1, out: 'last words\n', time: 1 }])
    await app.bench.endStep(step).catch(() => {})
    expect(await answer).toEqual([200, [...lines, { pos: 1, out: 'last words\n', time: 1 }]])
  })

  it('can be deleted once they exist', async () => {
    await begin()
    await append('x\n')
    const remove = () => app.answer(path, { as: 'ann', method: 'DELETE' })
    expect(await remove()).toEqual([404, { message: 'sql: no rows in result set' }])
    await app.bench.endStep(step)
    await expect.poll(() => app.bench.isSaved(step), { timeout: 10_000 }).toBe(true)
    expect(await remove()).toEqual([204, ''])
    expect(await remove()).toEqual([204, ''])
    expect((await app.answer(path, { as: 'ann' }))[0]).toBe(404)
  })
})

describe('build streams', () => {
  it('send every change to those who may see it', async () => {
    const repo = await open('/api/stream/acme/web', 'rae')
    const all = await open('/api/stream', 'ann')
    await begin()
    expect(await all.until('"status":"running"')).toMatch(/^: ping\n\ndata: \{.*\}\n\n/)
    await repo.until('"status":"running"')
    for (const stream of [all, repo]) {
      expect(stream.events()[0]).toMatchObject({ slug: 'acme/web', build: { number: 1, status: 'pending' } })
      expect(stream.events()[0]).not.toHaveProperty('permissions')
      await stream.cancel()
    }
  })

  it('show a private repository to members only, and later what the reader may see by then', async () => {
    const people = {
      guest: await open('/api/stream'),
      otto: await open('/api/stream', 'otto'),
      boss: await open('/api/stream', 'boss'),
    }
    // Checks run in order: when the newest subscriber has an event, all subscribers have been
    // checked.
    const last = await open('/api/stream', 'ann')
    const build = async (number: number) => {
      await app.bench.startBuild()
      await last.until(`"number":${number},`)
    }
    await build(1)
    await app.changeRepo({ visibility: 'internal' })
    app.bench.clock.now += 10
    await build(2)
    await app.changeRepo({ visibility: 'public' })
    app.bench.clock.now += 10
    await build(3)
    const numbers = async (name: keyof typeof people) => {
      await people[name].until('"number":3,')
      return [...new Set(people[name].events().map(({ build }) => build.number))]
    }
    expect(await numbers('guest')).toEqual([3])
    expect(await numbers('otto')).toEqual([2, 3])
    expect(await numbers('boss')).toEqual([2, 3])
    for (const stream of [...Object.values(people), last]) await stream.cancel()
  })

  it('are cut by a query that fails, and nothing else is @system', async () => {
    const stray: unknown[] = []
    const note = (error: unknown) => stray.push(error)
    process.on('unhandledRejection', note)
    const own = await createTestApp()
    const reader = (await own.request('/api/stream', { as: 'ann' })).body?.getReader()
    await reader?.read()
    own.bench.commit(pipelines({ a: '' }))
    // A question about rights finds no table.
    await sql`alter table perms rename to gone`.execute(own.bench.db)
    await own.bench.startBuild()
    await own.bench.startBuild()
    expect(await reader?.read()).toEqual({ done: true, value: undefined })
    await new Promise((resolve) => setImmediate(resolve))
    process.off('unhandledRejection', note)
    expect(stray).toEqual([])
    expect(own.failures).toEqual([expect.objectContaining({ message: 'no such table: perms' })])
    // The bench's own is left.
    expect(own.bench.ci.events.subscribers()).toBe(1)
    await own.close()
  })

  it('ping when nothing happens @system', async () => {
    const quick = await createTestApp({ pingMs: 5 })
    const response = await quick.request('/api/stream')
    const reader = response.body?.getReader()
    let text = ''
    while (text.split(': ping\n\n').length < 4) text += new TextDecoder().decode((await reader?.read())?.value)
    // The first bytes are Drone's alone; later pings can be seen by an `EventSource`, too.
    expect(text).toMatch(/^: ping\n\n: ping\n\nevent: ping\ndata: ping\n\n/)
    expect(text.replaceAll(/: ping\n\n|event: ping\ndata: ping\n\n/g, '')).toBe('')
    await reader?.cancel()
    await quick.close()
  })

  it('refuse before they begin', async () => {
    expect(await app.answer('/api/stream/acme/nope', { as: 'ann' })).toEqual([404, { message: 'Not Found' }])
    expect(await app.answer('/api/stream/acme/web')).toEqual([401, { message: 'Unauthorized' }])
  })
})
