import * as schema from '@flightdeck/api/schema'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { thisPlatform } from '../machine/platform.ts'
import { startLiveServer, type LiveServer } from './live-server.ts'

// Real builds, on a machine that may be busy with other tests.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const { os, arch } = thisPlatform()
const pipeline = `kind: pipeline
type: exec
name: test
platform: { os: ${os}, arch: ${arch} }
steps:
- name: tell
  commands:
  - env | grep -E '^(DRONE|CI|COLOUR)' | sort
- name: only-releases
  commands: [ "echo release \${DRONE_TAG##v}" ]
  when: { ref: { include: [ 'refs/tags/v*' ], exclude: [ 'refs/tags/*-rc*' ] } }
---
kind: pipeline
type: exec
name: elsewhere
platform: { os: ${os}, arch: ${arch} }
steps: []
trigger: { branch: [ 'release/**' ] }
`
const repo = '/api/repos/acme/web'
const builds = `${repo}/builds`

let live: LiveServer
beforeAll(async () => {
  live = await startLiveServer(pipeline)
  await live.call('POST', '/api/user/repos')
  await live.call('POST', repo)
})
afterAll(async () => {
  await live.close()
  expect(live.problems).toEqual([])
})

/** The build that the watcher of refs starts for this ref. */
async function started(ref: string) {
  const data = await live.events.until((text) => schema.buildEventMessage.parse(JSON.parse(text)).build.ref === ref)
  return schema.buildEventMessage.parse(JSON.parse(data)).build
}
/** The variables that a step of the finished build had. */
async function variables(number: number): Promise<Record<string, string>> {
  const { build } = await live.done(number)
  expect(build.status).toBe('success')
  const lines = schema.log.parse(await live.call('GET', `${builds}/${number}/logs/1/2`)) ?? []
  const text = lines.map(({ out }) => out).join('')
  return Object.fromEntries([...text.matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name, value]) => [name, value]))
}

it('a tag is built with its version, and its commit has a page', async () => {
  live.origin.git('tag', 'v1.2.3-beta.1')
  const { number, link, after, stages } = await started('refs/tags/v1.2.3-beta.1')
  expect(stages?.map(({ name }) => name)).toEqual(['test'])
  expect(await variables(number)).toMatchObject({
    DRONE_BUILD_EVENT: 'tag',
    DRONE_BUILD_ACTION: 'create',
    DRONE_TAG: 'v1.2.3-beta.1',
    DRONE_SEMVER: '1.2.3-beta.1',
    DRONE_SEMVER_PRERELEASE: 'beta.1',
    DRONE_COMMIT_REF: 'refs/tags/v1.2.3-beta.1',
    CI_BUILD_EVENT: 'tag',
  })
  const done = schema.build.parse(await live.call('GET', `${builds}/${number}`))
  expect(done.stages?.[0]?.steps?.map(({ name }) => name)).toEqual(['clone', 'tell', 'only-releases'])
  const log = schema.log.parse(await live.call('GET', `${builds}/${number}/logs/1/3`)) ?? []
  expect(log.map(({ out }) => out).join('')).toContain('release 1.2.3-beta.1\n')

  const { pathname } = new URL(link)
  expect(pathname).toBe(`/link/acme/web/commit/${after}`)
  const page = await live.request('GET', pathname)
  expect(new URL(page.headers.get('location') ?? '', 'http://x').pathname).toBe(`/acme/web/commits/${after}`)
  const commit = schema.commit.parse(await live.call('GET', `/api/repos/acme/web/commits/${after}`))
  expect(commit.message).toContain('Build every commit')
})

it('a pull request waits for approval, then runs as one', async () => {
  const base = live.origin.git('rev-parse', 'HEAD')
  const head = live.origin.commit({ 'new.txt': 'new' }, 'Propose something')
  live.origin.git('update-ref', 'refs/heads/main', base)
  live.origin.git('update-ref', 'refs/pull/7/head', head)
  const { number, stages } = await started('refs/pull/7/head')
  expect(stages?.map(({ status }) => status)).toEqual(['blocked'])
  await live.call('POST', `${builds}/${number}/approve/1`)
  expect(await variables(number)).toMatchObject({
    DRONE_BUILD_EVENT: 'pull_request',
    DRONE_BUILD_ACTION: 'opened',
    DRONE_PULL_REQUEST: '7',
    DRONE_COMMIT: head,
    DRONE_COMMIT_BEFORE: base,
    DRONE_TARGET_BRANCH: 'main',
  })
  expect(await live.call('GET', `${builds}/pulls`)).toMatchObject([{ number }])
})

it('parameters, a debug restart and a promotion are variables @system', async () => {
  const custom = schema.build.parse(await live.call('POST', `${builds}?COLOUR=red&message=By hand`))
  expect(await variables(custom.number)).toMatchObject({ COLOUR: 'red', DRONE_COMMIT_MESSAGE: 'By hand' })
  const again = schema.build.parse(await live.call('POST', `${builds}/${custom.number}?debug=true&COLOUR=blue`))
  expect(await variables(again.number)).toMatchObject({
    COLOUR: 'red',
    DRONE_BUILD_DEBUG: 'true',
    DRONE_BUILD_PARENT: String(custom.number),
  })
  const promoted = schema.build.parse(
    await live.call('POST', `${builds}/${custom.number}/promote?target=production&COLOUR=blue`),
  )
  expect(await variables(promoted.number)).toMatchObject({
    COLOUR: 'blue',
    DRONE_BUILD_EVENT: 'promote',
    DRONE_DEPLOY_TO: 'production',
    CI_BUILD_TARGET: 'production',
  })
})
