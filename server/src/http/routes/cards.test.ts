import { afterAll, beforeAll, expect, it } from 'vitest'
import { pipelines } from '../../testing/test-bench.ts'
import { createTestApp, type TestApp } from '../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
  app.bench.commit(pipelines({ default: '' }))
  await app.bench.startBuild()
  const stage = await app.bench.take(['a', 'b'])
  await app.bench.endStage(stage)
})
afterAll(async () => {
  expect(app.failures).toEqual([])
  await app.close()
})

const path = '/api/repos/acme/web/cards/1/1/1'
const card = { schema: 'https://example.com/card.json', data: { name: 'tests', list: [1, 'two', null] } }

/** In the order of the recording of the same calls. */
it('a card is created once, read with read access, and deleted', async () => {
  expect(await app.answer(path, { as: 'ann' })).toEqual([404, { message: 'sql: no rows in result set' }])
  expect(await app.answer(path, { as: 'wes', method: 'POST', json: card })).toEqual([404, { message: 'Not Found' }])
  const [status, id] = await app.answer(path, { as: 'ann', method: 'POST', json: card })
  expect([status, typeof id]).toEqual([200, 'number'])
  expect(await app.answer(path, { as: 'ann', method: 'POST', json: card })).toEqual([
    500,
    { message: 'UNIQUE constraint failed: cards.card_id' },
  ])
  expect(await app.answer(path, { as: 'rae' })).toEqual([200, card.data])
  expect((await app.bench.build(1)).stages[0]?.steps?.[0]?.schema).toBe(card.schema)
  expect(await app.answer(path, { as: 'ann', method: 'DELETE' })).toEqual([204, ''])
  expect(await app.answer(path, { as: 'ann', method: 'DELETE' })).toEqual([
    404,
    { message: 'sql: no rows in result set' },
  ])
})

it.each([
  ['/api/repos/acme/web/cards/1/1/99', 'GET', 404, 'sql: no rows in result set'],
  ['/api/repos/acme/web/cards/1/1/x', 'GET', 400, 'strconv.Atoi: parsing "x": invalid syntax'],
])('%s', async (address, method, status, message) => {
  expect(await app.answer(address, { as: 'ann', method })).toEqual([status, { message }])
})

it('refuses what is no card', async () => {
  const post = (body: string) => app.answer(path, { as: 'ann', method: 'POST', body })
  expect(await post('{')).toEqual([400, { message: 'unexpected EOF' }])
  for (const body of ['null', '{"data":1}', '{"schema":"javascript:alert(1)"}']) {
    expect(await post(body)).toEqual([400, { message: 'Invalid schema' }])
  }
})
