/** Which commits a user can build under a branch's name, and so with its secrets. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pipelines } from '../../testing/test-bench.ts'
import { createTestApp, type TestApp } from '../../testing/test-app.ts'

let app: TestApp
/**
 * By what they are: the second of main, one of a pull request, one of a branch, one that a tag
 * alone names.
 */
const shas = { old: '', main: '', pull: '', topic: '', tagged: '' }

beforeAll(async () => {
  app = await createTestApp()
  const { source } = app.bench
  const file = pipelines({ default: '' })
  const commit = (message: string) => source.commit({ '.drone.yml': file, [message]: message }, message)
  shas.old = commit('old')
  shas.main = commit('main')
  source.git('checkout', '-q', '-b', 'topic')
  shas.topic = commit('topic')
  source.git('checkout', '-q', '--detach')
  shas.pull = commit('pull')
  source.git('update-ref', 'refs/pull/7/head', shas.pull)
  shas.tagged = commit('tagged')
  source.git('tag', '-a', '-m', 'v1', 'v1')
  source.git('checkout', '-q', 'main')
})
afterAll(async () => {
  expect(app.failures).toEqual([])
  await app.close()
})

const start = async (query: Record<string, string>) => {
  const [status, body] = await app.answer(`/api/repos/acme/web/builds?${new URLSearchParams(query)}`, {
    method: 'POST',
    as: 'wes',
  })
  return { status, body: body as { message?: string; after?: string; ref?: string; event?: string } }
}

describe('a build by hand', () => {
  it('is of a commit that its branch holds', async () => {
    expect((await start({ branch: 'main', commit: shas.old })).body.after).toBe(shas.old)
    expect((await start({ commit: shas.main })).body.after).toBe(shas.main)
    expect((await start({ commit: shas.old.slice(0, 12) })).body.after).toBe(shas.old)
    expect((await start({ branch: 'topic', commit: shas.topic })).body.after).toBe(shas.topic)
    expect((await start({ branch: 'topic', commit: shas.old })).body.after).toBe(shas.old)
    expect((await start({ branch: 'refs/heads/topic', commit: shas.topic })).body.after).toBe(shas.topic)
    expect((await start({ branch: 'refs/tags/v1', commit: shas.tagged })).body.after).toBe(shas.tagged)
    expect((await start({ branch: 'refs/tags/v1' })).body.after).toBe(shas.tagged)
  })

  it('has no other commit, whatever the request names @system', async () => {
    const cases = [
      ['main', shas.pull],
      ['', shas.pull],
      ['', shas.topic],
      ['main', shas.tagged],
      ['main', 'refs/pull/7/head'],
      ['main', 'refs/tags/v1'],
      ['main', 'v1'],
      ['main', 'topic'],
      ['main', shas.pull.slice(0, 10)],
      ['topic', shas.pull],
      ['refs/tags/v1', 'refs/heads/other'],
    ] as const
    app.bench.source.git('branch', 'other', shas.old)
    app.bench.source.git('checkout', '-q', 'other')
    app.bench.source.commit({ other: 'other' }, 'other')
    app.bench.source.git('checkout', '-q', 'main')
    for (const [branch, commit] of cases) {
      const { status, body } = await start({ ...(branch && { branch }), commit })
      expect([branch, commit, status]).toEqual([branch, commit, 400])
      expect(body.message).toBe(`${commit} is not on ${branch || 'main'}; choose a branch that contains it`)
    }
  })

  it('is of no pull request’s head as if it were a branch', async () => {
    for (const branch of ['refs/pull/7/head', 'refs/stash', 'refs/', 'refs/pull/7/../../heads/main']) {
      const { status, body } = await start({ branch })
      expect([branch, status]).toEqual([branch, 400])
      expect(body.message).toBe(`${branch} is neither a branch nor a tag`)
      expect((await start({ branch, commit: shas.main })).status).toBe(400)
    }
  })

  it('of a branch or commit that is not there stays a 404', async () => {
    expect(await start({ branch: 'nope' })).toEqual({ status: 404, body: { message: 'Not Found' } })
    expect((await start({ branch: 'nope', commit: shas.main })).status).toBe(404)
    expect((await start({ commit: '0123456789012345678901234567890123456789' })).status).toBe(404)
  })

  it('ignores a repository that replaces one commit by another', async () => {
    const { source } = app.bench
    // git would show the pull request's commit as the parent of main from then on.
    source.git('replace', '--graft', shas.main, shas.pull)
    const { status } = await start({ branch: 'main', commit: shas.pull })
    source.git('replace', '-d', shas.main)
    expect(status).toBe(400)
  })
})

describe('a scheduled job', () => {
  const cron = (path: string, method: string, json: object = {}) =>
    app.answer(`/api/repos/acme/web/cron${path}`, { method, as: 'wes', json })

  it('cannot be created for a pull request, or changed to one', async () => {
    const job = { name: 'nightly', expr: '@daily', branch: 'refs/pull/7/head' }
    const refusal = [400, { message: 'Invalid Cronjob Branch' }]
    expect(await cron('', 'POST', job)).toEqual(refusal)
    expect((await cron('', 'POST', { ...job, branch: 'main' }))[0]).toBe(200)
    expect(await cron('/nightly', 'PATCH', { branch: 'refs/pull/7/head' })).toEqual(refusal)
    expect((await cron('/nightly', 'PATCH', { branch: 'refs/tags/v1' }))[0]).toBe(200)
  })

  it('that an older version made for one starts nothing', async () => {
    await app.bench.db.updateTable('cron').set({ cron_branch: 'refs/pull/7/head' }).execute()
    expect(await cron('/nightly', 'POST')).toEqual([400, { message: 'refs/pull/7/head is neither a branch nor a tag' }])
  })
})
