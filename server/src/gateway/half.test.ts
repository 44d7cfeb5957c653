/** A server that breaks off in the middle of its answer. */
import { expect, it } from 'vitest'
import { runBehindGateway } from '../testing/gateway-stand.ts'

const stand = runBehindGateway()
const list = '/api/user/repos?latest=true'
const ann = { Cookie: '_session_=ann' }

it.each<[string, string, Record<string, string>]>([
  ['of an answer that is shared', list, ann],
  ['of one that is passed on', '/api/repos/acme/web/secrets', ann],
  ['for a guest', list, {}],
])('half %s is no answer, and the next one is whole', async (_what, path, headers) => {
  stand.answer = (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
    response.write('[{"id":1},', () => response.destroy())
  }
  const text = await stand.request(path, { headers }).then(
    async (response) => (response.ok ? response.text().catch(() => 'broken') : 'refused'),
    () => 'broken',
  )
  expect(text).toMatch(/^(broken|refused)$/)
  stand.answer = (_request, response) => void response.end('[]')
  expect(await (await stand.request(path, { headers })).json()).toEqual([])
})
