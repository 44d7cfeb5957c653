/**
 * Gogs has no address of its API that answers without an account: its git shows whether it requires
 * sign-in.
 */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createDriver } from './index.ts'

const repository = { id: 7, name: 'open', owner: { id: 1, username: 'team' }, private: false, default_branch: 'main' }

/** What git answers to a person without an account. */
let gitStatus = 200
let asked: string[] = []
let server: Server
let url: string
beforeEach(async () => {
  asked = []
  server = createServer((request, response) => {
    const path = request.url ?? ''
    const isGit = path.includes('.git/')
    asked.push(`${path} ${request.headers.authorization ?? 'without an account'}`)
    response.writeHead(isGit ? gitStatus : 200, { 'content-type': isGit ? 'text/plain' : 'application/json' })
    response.end(isGit ? '' : JSON.stringify(path.endsWith('/user/repos') ? [repository] : repository))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/git`
})
afterEach(() => server.close())

it.each([
  [200, 'public'],
  [401, 'internal'],
  // Nothing is known: the narrower visibility.
  [404, 'internal'],
  [500, 'internal'],
])('a public repository of a Gogs whose git answers %i without an account is %s', async (status, visibility) => {
  gitStatus = status
  const driver = await createDriver({ kind: 'gogs', url })
  const token = { access: 'a' }
  expect(await driver.repositoryByName(token, { namespace: 'team', name: 'open' })).toMatchObject({ visibility })
  expect(await driver.repositoryById(token, '7')).toMatchObject({ visibility })
  for await (const page of driver.repositories(token)) expect(page.repositories).toMatchObject([{ visibility }])
  const probe = '/git/team/open.git/info/refs?service=git-upload-pack without an account'
  expect(asked.filter((one) => one.includes('.git/'))).toEqual([probe])
})
