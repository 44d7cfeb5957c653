import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createOrgSecret, createSecret } from '../../store/secrets.ts'
import { createTestApp, type TestApp } from '../../testing/test-app.ts'
import { configOf, exchangesOf, type Exchange } from './exchanges.ts'
import { Player } from './replay.ts'

let app: TestApp
let player: Player
beforeEach(async () => {
  app = await createTestApp()
  player = new Player(app)
})
afterEach(async () => {
  expect(app.failures).toEqual([])
  await app.close()
})

/** In order of the responses; polls and watches were pending for a while. */
const inTime = (file: string): Exchange[] =>
  exchangesOf(file).toSorted((a, b) => a.at + (isHeld(a) ? a.ms : 0) - (b.at + (isHeld(b) ? b.ms : 0)))
const isHeld = ({ path }: Exchange) => path === '/rpc/v2/stage' || path.endsWith('/watch')

/** The poll that received this stage: here runners get stages first come, first served. */
async function poll(exchange: Exchange): Promise<void> {
  const response = await player.send(exchange)
  await player.judge(exchange, response)
}

describe('the exec runner, as it was recorded', () => {
  it.each(['start', 'success', 'failure', 'runner-lint', 'private'])('%s', async (file) => {
    if (file === 'private') {
      const { db, repo } = app.bench
      await createSecret(db, repo.id, { name: 'key', data: 'a' })
      await createSecret(db, repo.id, { name: 'password', data: 'b', pull_request: true })
      await createOrgSecret(db, 'acme', { name: 'shared', data: 'c', pull_request_push: true })
    }
    const sha = app.bench.commit(configOf(file))
    const polls = exchangesOf(file).filter((one) => one.path === '/rpc/v2/stage').length
    for (let build = 0; build < polls; build++) await app.bench.push(sha)
    for (const exchange of inTime(file)) {
      if (exchange.status === 0) continue
      if (exchange.path === '/rpc/v2/stage') await poll(exchange)
      else await player.play(withNetrc(exchange))
    }
  })

  it('stages: three at once, and those that wait for them @system', async () => {
    await app.bench.push(app.bench.commit(configOf('stages')))
    const { stages } = await app.bench.build(1)
    for (const exchange of inTime('stages')) {
      if (exchange.status === 0) continue
      if (exchange.path !== '/rpc/v2/stage') await player.play(withNetrc(exchange))
      else {
        // The order of the three is random in both servers.
        const response = await player.send(exchange)
        expect(response.status).toBe(200)
        const { name, id, build_id: buildId } = exchange.answer as { name: string; id: number; build_id: number }
        const own = stages.find((stage) => stage.name === name) ?? expect.fail(name)
        player.learn({ id, build_id: buildId, name }, { ...own, steps: undefined })
      }
    }
    expect(await app.bench.statuses(1)).toMatchObject({ '': 'success', ship: 'success' })
  })

  it('cancel: the watch ends, the last lines come, the last report is refused @system', async () => {
    await app.bench.push(app.bench.commit(configOf('cancel')))
    const recorded = inTime('cancel')
    const watch = recorded.find(({ path }) => path.endsWith('/watch')) ?? expect.fail('no watch')
    let watching: Promise<Response> | undefined
    for (const exchange of recorded) {
      if (exchange === watch) {
        await app.bench.ci.cancel(app.bench.repo, 1, app.bench.user)
        await player.judge(watch, (await watching) ?? expect.fail('not watched'))
      } else await player.play(withNetrc(exchange))
      if (exchange.method === 'PUT' && exchange.path.includes('/stage/')) watching ??= player.send(watch)
    }
    expect(await app.bench.statuses(1)).toMatchObject({ '': 'killed' })
  })
})

/** Here every build clones with credentials, public or not (`drone.md`, "cloning"). */
function withNetrc(exchange: Exchange): Exchange {
  const { answer } = exchange
  if (exchange.method !== 'GET' || typeof answer !== 'object' || answer === null || !('netrc' in answer))
    return exchange
  return { ...exchange, answer: { ...answer, netrc: { machine: '', login: '', password: '' } } }
}

it('every call with unusual input @system', async () => {
  const config = configOf('by-hand')
  const sha = app.bench.commit(config)
  await createOrgSecret(app.bench.db, 'acme', { name: 'shared', data: 'c', pull_request_push: true })
  await app.bench.push(sha)
  const recorded = exchangesOf('by-hand')
  const watch = recorded.find(({ why }) => why === 'watch, released by a cancel') ?? expect.fail('no watch')
  let watching: Promise<Response> | undefined
  for (const exchange of recorded) {
    if (exchange.why === 'poll of a runner without os and arch') await app.bench.push(sha)
    if (exchange.why === 'a full log that is any text is stored as it is') watching = player.send(watch)
    // Here the end of a build is reported immediately (`drone.md`, "watch of a finished build").
    if (exchange.why?.startsWith('poll with nothing')) {
      // Other tests count waiting runners; here the runner disconnects.
      await player.judge(exchange, await player.send(exchange, AbortSignal.timeout(50)))
    } else if (exchange.why?.startsWith('watch of a build that is done'))
      await player.play({ ...exchange, status: 200 })
    else if (exchange === watch) {
      await app.bench.ci.cancel(app.bench.repo, 1, app.bench.user)
      await player.judge(watch, (await watching) ?? expect.fail('not watched'))
    } else await player.play(withNetrc(exchange))
  }
  expect(await app.bench.statuses(1)).toMatchObject({ '': 'killed' })
  expect(await app.bench.statuses(2)).toMatchObject({ '': 'error' })
})
