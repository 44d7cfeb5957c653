/** Bodies that no client needs to send and that would be slow to parse: refused before parsing. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pipelines } from '../testing/test-bench.ts'
import { createTestApp, rpcSecret, type TestApp } from '../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(async () => {
  expect(app.failures).toEqual([])
  await app.close()
})

const many = (count: number, item: string) => Array.from({ length: count }, () => item).join()
const json = (body: string) => ({ body, headers: { 'Content-Type': 'application/json' } })
const form = (body: string) => ({ body, headers: { 'Content-Type': 'application/x-www-form-urlencoded' } })
const parts = (count: number) => ({
  body: `${'--x\r\nContent-Disposition: form-data; name="a"\r\n\r\nb\r\n'.repeat(count)}--x--\r\n`,
  headers: { 'Content-Type': 'multipart/form-data; boundary=x' },
})

test.each([
  ['JSON of many values', json(`{"x":[${many(50_000, '{}')}]}`)],
  ['JSON of many keys', json(`{${many(50_000, '"a":1')}}`)],
  ['JSON of many levels', json(`${'['.repeat(50_000)}${']'.repeat(50_000)}`)],
])('%s', async (_what, call) => {
  const answer = await app.answer('/api/repos/acme/web', { as: 'ann', method: 'PATCH', ...call })
  expect(answer).toEqual([413, { message: 'the request is too large: it holds too many values' }])
})

test.each([
  ['a form of many fields', form('a=1&'.repeat(50_000))],
  ['a form of many parts', parts(5_000)],
])('%s', async (_what, call) => {
  const answer = await app.answer('/api/repos/acme/web/builds', { as: 'ann', method: 'POST', ...call })
  expect(answer).toEqual([413, { message: 'The request is too large: it holds too many fields' }])
})

test.each([
  ['/login', form(`username=ann&password=${'x'.repeat(20_000)}`)],
  ['/api/repos/acme/web', form(`access_token=${'x'.repeat(20_000)}`)],
  ['/api/invitation', json(JSON.stringify({ invitation: 'x'.repeat(20_000) }))],
])('more than 16 kB of who is not signed in, to %s', async (path, call) => {
  const { status } = await app.request(path, { method: 'POST', ...call })
  expect(status).toBe(413)
})

test('what is long without being much is taken', async () => {
  const text = '# [{",:&\r\n--\n'.repeat(50_000)
  const long = { as: 'ann', method: 'PATCH', json: { timeout: 5, unknown: text } } as const
  expect((await app.answer('/api/repos/acme/web', long))[0]).toBe(200)
  const patch = { as: 'ann', method: 'PATCH', ...json(`{"timeout":5,"unknown":[${many(2_000, '{"a":[]}')}]}`) } as const
  expect((await app.answer('/api/repos/acme/web', patch))[0]).toBe(200)
})

test('a runner’s lines are read in parts, and all or none of a batch are taken @system', async () => {
  const { bench } = app
  await bench.push(bench.commit(pipelines({ default: '' })))
  const rpc = (path: string, body: string, method = 'POST') =>
    app.request(`/rpc/v2${path}`, { method, body, headers: { 'X-Drone-Token': rpcSecret } })
  const found = (await (await rpc('/stage', '{"kind":"pipeline","type":"exec"}')).json()) as { id: number }
  const taken = (await (await rpc(`/stage/${found.id}?machine=far`, '')).json()) as object
  const report = { ...taken, status: 'running', started: 1, steps: [{ number: 1, name: 'a', status: 'pending' }] }
  const { steps } = (await (await rpc(`/stage/${found.id}`, JSON.stringify(report), 'PUT')).json()) as {
    steps: { id: number }[]
  }
  const [step] = steps
  if (!step) throw new Error('no step')
  const begun = (await (
    await rpc(`/step/${step.id}`, JSON.stringify({ ...step, status: 'running' }), 'PUT')
  ).json()) as object
  const batch = async (body: string) => {
    const answer = await rpc(`/step/${step.id}/logs/batch`, body)
    return [answer.status, await answer.text()]
  }
  const lines = Array.from({ length: 20_000 }, (_, pos) => ({ pos, out: `line ${pos} "é,]}\\\n`, time: 1 }))
  const whole = JSON.stringify(lines)

  expect((await batch(`${whole.slice(0, -1)},]`))[0]).toBe(500)
  expect((await batch(`${whole.slice(0, -1)},{"pos":"x"}]`))[0]).toBe(500)
  expect(await batch(`${whole.slice(0, -1)},{"pos":-1}]`)).toEqual([400, expect.stringContaining('Invalid line')])
  expect((await batch(whole.slice(0, -1)))[0]).toBe(500)
  for (const body of ['['.repeat(100_000), `[{"x":[${many(50_000, '[]')}]}]`]) {
    expect(await batch(body)).toEqual([413, expect.stringContaining('too many values')])
  }
  const card = `{"schema":"https://example.com","data":${'['.repeat(50_000)}${']'.repeat(50_000)}}`
  expect((await rpc(`/step/${step.id}/card`, card)).status).toBe(413)
  expect((await batch('null'))[0]).toBe(200)
  expect((await batch(whole))[0]).toBe(200)
  await rpc(`/step/${step.id}`, JSON.stringify({ ...begun, status: 'success', stopped: 2 }), 'PUT')
  const [status, log] = await app.answer('/api/repos/acme/web/builds/1/logs/1/1', { as: 'ann' })
  expect([status, log]).toEqual([200, lines])
})
