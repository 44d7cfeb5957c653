import * as schema from '@flightdeck/api/schema'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { thisPlatform } from '../machine/platform.ts'
import { expectAnswer, startLiveServer, type LiveCall, type LiveServer } from './live-server.ts'

// Real builds, on a machine that may be busy with other tests.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const { os, arch } = thisPlatform()
/** `WAIT=yes` keeps a build running until it is cancelled. */
const pipeline = `kind: pipeline
type: exec
name: test
platform: { os: ${os}, arch: ${arch} }
steps:
- name: greet
  environment:
    TOKEN: { from_secret: token }
  commands:
  - echo "hello $GREETING, the token is $TOKEN"
  - if [ "$WAIT" = yes ]; then sleep 600; fi
---
kind: pipeline
type: exec
name: report
platform: { os: ${os}, arch: ${arch} }
steps:
- name: tell
  commands: [ echo done ]
depends_on: [ test ]
`
const repo = '/api/repos/acme/web'
const builds = `${repo}/builds`

let live: LiveServer
beforeAll(async () => {
  live = await startLiveServer(pipeline)
  await live.call('POST', '/api/user/repos')
  await live.call('POST', repo)
  await start(builds)
})
afterAll(() => live.close())

const build = async (method: string, path: string, call?: LiveCall) =>
  schema.build.parse(await live.call(method, path, call))
/** Starts a build and waits for its end. */
async function start(path: string) {
  const { number } = await build('POST', path)
  await live.done(number)
  return build('GET', `${builds}/${number}`)
}
/** Commits; returns the number of the started build. */
async function push(message: string, files: Record<string, string> = {}): Promise<number> {
  const sha = live.origin.commit(files, message)
  const data = await live.events.until((text) => schema.buildEventMessage.parse(JSON.parse(text)).build.after === sha)
  return schema.buildEventMessage.parse(JSON.parse(data)).build.number
}
const log = async (number: number, stage: number, step: number): Promise<string> => {
  const lines = schema.log.parse(await live.call('GET', `${builds}/${number}/logs/${stage}/${step}`))
  return (lines ?? []).map(({ out }) => out).join('')
}

describe('the account', () => {
  it('is the one that signed in', async () => {
    const user = schema.user.parse(await live.call('GET', '/api/user'))
    expect([user.login, user.admin, user.last_login > 0]).toEqual(['root', true, true])
    await live.call('PATCH', '/api/user', { json: { email: 'root@example.com' } })
    expect(await live.call('GET', '/api/user')).toEqual({ ...user, email: 'root@example.com' })
  })

  it('keeps its token until it is rotated', async () => {
    const token = async (query = '') =>
      schema.userWithToken.parse(await live.call('POST', `/api/user/token${query}`)).token
    const first = await token()
    expect(await token()).toBe(first)
    expect(await token('?rotate=true')).not.toBe(first)
  })

  it('sees its repositories with the latest build, and the recent builds', async () => {
    const latest = await live.call('GET', '/api/user/repos?latest=true')
    expect(latest).toMatchObject([{ slug: 'acme/web', active: true, build: { event: expect.any(String) } }])
    const bare = await live.call('GET', '/api/user/repos')
    expect(bare).toMatchObject([{ slug: 'acme/web' }])
    expect(bare).not.toMatchObject([{ build: expect.anything() }])
    const recent = await live.call('GET', '/api/user/builds/recent')
    expect(recent).toContainEqual(expect.objectContaining({ build: expect.objectContaining({ number: 1 }) }))
    await live.call('GET', '/api/user/builds')
  })

  it('synchronises, and finds nothing new', async () => {
    expect(await live.call('POST', '/api/user/repos')).toMatchObject([{ slug: 'acme/web' }])
    const response = await live.request('POST', '/api/user/repos?async=true')
    expect([response.status, await response.text()]).toEqual([204, ''])
  })
})

describe('the repository', () => {
  it('answers with the rights of the caller', async () => {
    const found = await live.call('GET', repo)
    expect(found).toMatchObject({ slug: 'acme/web', permissions: { read: true } })
    await live.call('GET', `${repo}/`)
    await live.call('GET', '/api/repos?page=1&per_page=10')
  })

  it('takes settings', async () => {
    const changed = await live.call('PATCH', repo, { json: { auto_cancel_pushes: true, timeout: 30 } })
    expect(changed).toMatchObject({ auto_cancel_pushes: true, timeout: 30 })
    await live.call('PATCH', repo, { json: { auto_cancel_pushes: false, timeout: 60 } })
    await live.call('POST', `${repo}/chown`)
    await live.call('POST', `${repo}/repair`)
  })

  it('is disabled and enabled', async () => {
    expect(await live.call('DELETE', repo)).toMatchObject({ active: false })
    expect(await live.call('POST', repo)).toMatchObject({ active: true })
  })

  it('lists and drops collaborators', async () => {
    await live.call('POST', '/api/users', { json: { login: 'guest-worker' } })
    const path = `${repo}/collaborators/guest-worker`
    const response = await live.request('PUT', path, { write: true })
    expect(await response.json()).toEqual({ read: true, write: true, admin: false })
    expect(await live.call('GET', path)).toEqual({ read: true, write: true, admin: false })
    expect(await live.call('GET', `${repo}/collaborators`)).toContainEqual(
      expect.objectContaining({ login: 'guest-worker', write: true }),
    )
    await live.call('DELETE', path)
    await live.call('GET', path, { status: 404 })
    await live.call('DELETE', '/api/users/guest-worker')
  })

  it('signs and encrypts', async () => {
    await live.call('POST', `${repo}/sign`, { json: { data: pipeline } })
    await live.call('POST', `${repo}/encrypt`, { json: { data: 'x' } })
    await live.call('POST', `${repo}/encrypt/secret`, { json: { data: 'x' } })
  })
})

describe('a build', () => {
  it('ran both pipelines', async () => {
    const done = await build('GET', `${builds}/1`)
    expect([done.status, done.event, done.sender]).toEqual(['success', 'custom', 'root'])
    expect(done.stages?.map(({ name, status, steps }) => [name, status, steps?.map((step) => step.name)])).toEqual([
      ['test', 'success', ['clone', 'greet']],
      ['report', 'success', ['clone', 'tell']],
    ])
    expect(await log(1, 1, 2)).toContain('hello , the token is')
    expect(await log(1, 2, 2)).toContain('done')
  })

  it('is in the lists', async () => {
    expect(await live.call('GET', `${builds}?page=1&per_page=100`)).toContainEqual(
      expect.objectContaining({ number: 1 }),
    )
    expect(await live.call('GET', `${builds}?branch=nope`)).toEqual([])
    expect(await live.call('GET', `${builds}?page=999`)).toEqual([])
    await live.call('GET', `${builds}/latest?branch=main`)
    await live.call('GET', `${builds}/pulls`)
  })

  it('takes parameters, also when it is restarted @system', async () => {
    const first = await start(`${builds}?GREETING=world`)
    expect(first.params).toEqual({ GREETING: 'world' })
    const again = await start(`${builds}/${first.number}?GREETING=nobody&MORE=1`)
    expect([again.parent, again.params]).toEqual([first.number, { GREETING: 'world', MORE: '1' }])
    expect(await log(again.number, 1, 2)).toContain('hello world')
  })

  it('starts automatically after a commit, and is in the list of branches @system', async () => {
    const number = await push('Tell what it is <& why>')
    const { build: done } = await live.done(number)
    expect([done.event, done.trigger, done.status]).toEqual(['push', '@hook', 'success'])
    const branches = `${builds}/branches`
    expect(await live.call('GET', branches)).toContainEqual(expect.objectContaining({ number, target: 'main' }))
    await live.call('DELETE', `${branches}/main`)
    expect(await live.call('GET', branches)).toEqual([])
  })

  it('streams its log while it runs, and ends it when it is cancelled @system', async () => {
    const { number } = await build('POST', `${builds}?WAIT=yes`)
    await live.event(number, (message) => message.build.stages?.[0]?.steps?.[1]?.status === 'running')
    const lines = await live.stream(`/api/stream/acme/web/${number}/1/2`)
    await lines.until((text) => text.includes('the token is'))
    const late = await live.stream(`/api/stream/acme/web/${number}/1/2`)
    await late.until((text) => text === lines.messages[0])
    await late.leave()
    await live.call('GET', `${builds}/${number}/logs/1/2`, { status: 404 })
    await live.call('DELETE', `${builds}/${number}/logs/1/2`, { status: 404 })
    expect((await build('DELETE', `${builds}/${number}`)).status).toBe('killed')
    await live.done(number)
    await lines.end
    expect(lines.messages.at(-1)).toBe('eof')
    for (const text of lines.messages.slice(0, -1)) expectAnswer(schema.line, JSON.parse(text))
    expect(await log(number, 1, 2)).toContain('the token is')
    const closed = await live.stream(`/api/stream/acme/web/${number}/1/2`)
    await closed.end
    expect(closed.messages).toEqual(['eof'])
    // Finished builds stay unchanged.
    const over = await build('GET', `${builds}/${number}`)
    expect(await build('DELETE', `${builds}/${number}`)).toEqual(over)
  })

  it('is an error when the file cannot be read, and says why @system', async () => {
    const number = await push('Break it', { '.drone.yml': 'kind: [pipeline' })
    const broken = await build('GET', `${builds}/${number}`)
    await live.done(await push('Mend it', { '.drone.yml': pipeline }))
    expect([broken.status, (broken.error ?? '') === '']).toEqual(['error', false])
    const again = await build('POST', `${builds}/${number}`)
    expect([again.status, again.parent, again.trigger]).toEqual(['error', number, ''])
  })

  it('is not started when the message says so @system', async () => {
    live.origin.commit({}, 'Only words [ci skip]')
    const number = await push('More than words')
    expect(await live.call('GET', builds)).not.toContainEqual(
      expect.objectContaining({ message: expect.stringContaining('Only words') }),
    )
    await live.done(number)
  })

  it('is promoted and rolled back @system', async () => {
    const promoted = await start(`${builds}/1/promote?target=staging&GREETING=crew`)
    expect([promoted.event, promoted.deploy_to, promoted.parent]).toEqual(['promote', 'staging', 1])
    const back = await start(`${builds}/1/rollback?target=staging`)
    expect([back.event, back.status]).toEqual(['rollback', 'success'])
    const deployments = `${builds}/deployments`
    expect(await live.call('GET', deployments)).toMatchObject([{ number: back.number, deploy_to: 'staging' }])
    await live.call('DELETE', `${deployments}/staging`)
    expect(await live.call('GET', deployments)).toEqual([])
  })

  it('waits for approval when it is pushed to a protected repository @system', async () => {
    await live.call('PATCH', repo, { json: { protected: true } })
    const number = await push('Ask first')
    const blocked = await build('GET', `${builds}/${number}`)
    expect(blocked.stages?.map(({ status }) => status)).toEqual(['blocked', 'blocked'])
    await live.call('POST', `${builds}/${number}/approve/1`)
    await live.call('POST', `${builds}/${number}/approve/2`)
    expect((await live.done(number)).build.status).toBe('success')

    const refused = await push('Ask again')
    await live.call('POST', `${builds}/${refused}/decline/1`)
    expect((await live.done(refused)).build.status).toBe('declined')
    await live.call('POST', `${builds}/${refused}`, { status: 400 })
    await live.call('POST', `${builds}/${await push('And again')}/decline`)
    await live.call('PATCH', repo, { json: { protected: false } })
  })

  it('loses its log; a purge spares what is not older @system', async () => {
    const { number } = await start(builds)
    await live.call('DELETE', `${builds}/${number}/logs/1/1`)
    await live.call('GET', `${builds}/${number}/logs/1/1`, { status: 404 })
    await live.call('DELETE', `${builds}?before=1`)
    await build('GET', `${builds}/1`)
  })
})

describe('what belongs to a repository', () => {
  it('secrets: their values go to steps, and into no answer and no log', async () => {
    const secrets = `${repo}/secrets`
    await live.call('POST', secrets, { json: { name: 'token', data: 'first-value' } })
    expect(await live.call('GET', secrets)).toMatchObject([{ name: 'token' }])
    await live.call('PATCH', `${secrets}/token`, { json: { data: 's3cr3t-value', pull_request: true } })
    expect(await live.call('GET', `${secrets}/token`)).toMatchObject({ name: 'token', pull_request: true })
    const text = await log((await start(builds)).number, 1, 2)
    expect(text).toContain('the token is')
    expect(text).not.toContain('s3cr3t-value')
    expect(text).not.toContain('the token is \n')
    await live.call('DELETE', `${secrets}/token`)
    expect(await live.call('GET', secrets)).toEqual([])
  })

  it('cron jobs: made, changed, run now, dropped @system', async () => {
    const cron = `${repo}/cron`
    const json = { name: 'Every Night', expr: '0 0 3 * * *', branch: 'main' }
    const job = schema.cron.parse(await live.call('POST', cron, { json }))
    expect([job.name, job.next > 0]).toEqual(['every-night', true])
    await live.call('GET', `${cron}/every-night`)
    await live.call('PATCH', `${cron}/every-night`, { json: { disabled: true, target: 'night' } })
    expect(await live.call('GET', cron)).toMatchObject([{ disabled: true, target: 'night' }])
    const run = await start(`${cron}/every-night`)
    expect([run.event, run.cron]).toEqual(['cron', 'every-night'])
    await live.call('DELETE', `${cron}/every-night`)
    expect(await live.call('GET', cron)).toEqual([])
  })
})

describe('the users', () => {
  it('are made, changed and dropped', async () => {
    const robot = await live.call('POST', '/api/users', { json: { login: 'robot', machine: true } })
    expect(robot).toMatchObject({ login: 'robot', machine: true, token: expect.stringMatching(/^\w{32}$/) })
    expect(await live.call('GET', '/api/users')).toContainEqual(expect.objectContaining({ login: 'robot' }))
    await live.call('GET', '/api/users/ROBOT')
    expect(await live.call('PATCH', '/api/users/robot', { json: { admin: true } })).toMatchObject({ admin: true })
    await live.call('POST', '/api/users/robot/token/rotate')
    await live.call('GET', '/api/users/robot/repos')
    await live.call('DELETE', '/api/users/robot')
    await live.call('GET', '/api/users/robot', { status: 404 })
  })
})

describe('the system', () => {
  it('returns its version and its limits to all', async () => {
    expect(await live.call('GET', '/version')).toMatchObject({ version: '1.2.3' })
    await live.call('GET', '/varz')
    expect(await (await live.request('GET', '/healthz')).text()).toBe('OK')
  })

  it('shows the state of the branch as a badge', async () => {
    const badge = await live.request('GET', '/api/badges/acme/web/status.svg')
    expect([badge.status, badge.headers.get('content-type')]).toEqual([200, 'image/svg+xml'])
    const projects = await live.request('GET', '/api/badges/acme/web/cc.xml')
    expect(await projects.text()).toContain('name="acme/web"')
  })

  it('streams the builds of one repository @system', async () => {
    const frames = await live.stream('/api/stream/acme/web')
    const { number } = await build('POST', builds)
    await frames.until((text) => {
      const message = schema.buildEventMessage.parse(JSON.parse(text))
      expect(message.slug).toBe('acme/web')
      return message.build.number === number && message.build.status === 'success'
    })
    await frames.leave()
  })
})

describe('refusals', () => {
  it.each([
    ['GET', `${builds}/9999`, undefined, 404, 'sql: no rows in result set'],
    ['GET', `${builds}/x`, undefined, 400, 'strconv.ParseInt: parsing "x": invalid syntax'],
    ['GET', `${builds}/1/logs/1/x`, undefined, 400, 'strconv.Atoi: parsing "x": invalid syntax'],
    ['GET', '/api/repos/acme/nope', undefined, 404, 'Not Found'],
    ['POST', `${builds}/1/promote`, undefined, 400, 'Missing target environment'],
    ['POST', `${builds}/1/approve/1`, undefined, 400, 'Cannot approve a Pipeline with Status "success"'],
    [
      'PATCH',
      '/api/user',
      { email: 1 },
      400,
      'json: cannot unmarshal number into Go struct field User.email of type string',
    ],
    ['POST', `${repo}/secrets`, { name: 'a b', data: 'x' }, 400, 'Invalid Secret Name'],
    ['POST', `${repo}/secrets`, { name: 'a' }, 400, 'Invalid Secret Value'],
    ['POST', `${repo}/cron`, { name: 'a', expr: 'never', branch: 'main' }, 400, 'Invalid Cronjob Expression'],
    ['POST', '/api/users', { login: 'a/b' }, 400, 'Invalid character in username'],
    ['POST', '/api/users', { login: 'root' }, 500, 'UNIQUE constraint failed: users.user_login'],
  ])('%s %s with %j: %d %s', async (method, path, json, status, message) => {
    expect(await live.call(method, path, { json, status })).toEqual({ message })
  })

  it('after sign-out', async () => {
    const cookie = await live.signIn('root', 'a password of some length')
    const ask = async () => (await live.app.request('/api/user', { headers: { Cookie: cookie } })).status
    expect(await ask()).toBe(200)
    await live.app.request('/logout', { method: 'POST', headers: { Cookie: cookie } })
    expect(await ask()).toBe(401)
  })
})

describe('at the end', () => {
  it('every event was what the contract says', () => {
    expect(live.events.messages.length).toBeGreaterThan(0)
    for (const text of live.events.messages) expectAnswer(schema.buildEventMessage, JSON.parse(text))
  })

  it('nothing went wrong behind the scenes', () => {
    expect(live.problems).toEqual([])
  })
})
