import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pipelines } from '../testing/test-bench.ts'
import { createTestApp, type Person, type TestApp } from '../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
  app.bench.commit(pipelines({ default: '' }))
})
afterAll(() => app.close())

const picture = async (query = '', slug = 'acme/web') => {
  const response = await app.request(`/api/badges/${slug}/status.svg${query}`)
  return { response, text: await response.text() }
}
const summary = (text: string) => [/width="(\d+)"/.exec(text)?.[1], />(\w+)<\/text><\/g>/.exec(text)?.[1]]
const document = (as?: 'ann') => app.answer('/api/badges/acme/web/cc.xml', as && { as })

describe('badges', () => {
  it('say that there are no builds', async () => {
    for (const { text } of [await picture(), await picture('', 'acme/nope')])
      expect(summary(text)).toEqual(['75', 'none'])
    expect(await document('ann')).toEqual([404, ''])
    expect(await document()).toEqual([401, { message: 'Unauthorized' }])
  })

  it('show the status of the branch, to all who may see it', async () => {
    await app.changeRepo({ visibility: 'public' })
    await app.bench.startBuild()
    const { response, text } = await picture('?branch=main')
    expect([...response.headers]).toEqual(
      expect.arrayContaining([
        ['content-type', 'image/svg+xml'],
        ['access-control-allow-origin', '*'],
      ]),
    )
    expect(response.headers.get('cache-control')).toContain('no-store')
    expect(summary(text)).toEqual(['87', 'started'])
    expect(summary((await picture('?branch=other')).text)).toEqual(['75', 'none'])
    const stage = await app.bench.take()
    await app.bench.endStage(stage)
    const done = await picture('?ref=refs/heads/main')
    expect(summary(done.text)).toEqual(['91', 'success'])
    // The picture that the reference server draws, to the byte.
    expect(createHash('md5').update(done.text).digest('hex')).toBe('bc3ef85e184eea88bfc0de05dc70805d')
  })

  it('answer for a hidden repository as for a missing one', async () => {
    /** All that a stranger gets, save the time and the number of the request. */
    const told = async (slug: string, as?: Person, query = '') => {
      const response = await app.request(`/api/badges/${slug}/status.svg${query}`, as && { as })
      const headers = [...response.headers].filter(([name]) => name !== 'last-modified' && name !== 'x-request-id')
      return { status: response.status, headers, text: await response.text() }
    }
    const word = async (as?: Person, query?: string) => summary((await told('acme/web', as, query)).text)[1]
    await app.changeRepo({ visibility: 'private' })
    for (const query of [
      '',
      '?branch=main',
      '?ref=refs/heads/main',
      '?branch=ma*',
      '?event=custom',
      '?stage=default',
    ]) {
      expect(await told('acme/web', undefined, query)).toEqual(await told('acme/nope', undefined, query))
      expect(await told('acme/web', 'otto', query)).toEqual(await told('acme/nope', 'otto', query))
      expect([await word('rae', query), await word('boss', query)]).toEqual(['success', 'success'])
    }
    await app.changeRepo({ visibility: 'internal' })
    expect([await word(), await word('otto')]).toEqual(['none', 'success'])
    await app.changeRepo({ visibility: 'private' })
  })

  it('can be made public by administrators of the repository, and nothing else becomes public', async () => {
    const open = (as: Person) =>
      app.answer('/api/repos/acme/web', { as, method: 'PATCH', json: { public_badge: true } })
    expect(await app.repo()).toMatchObject({ public_badge: false })
    expect((await open('wes'))[0]).toBe(404)
    expect(summary((await picture()).text)[1]).toBe('none')
    expect(await open('ann')).toMatchObject([200, { public_badge: true }])
    expect(summary((await picture()).text)[1]).toBe('success')
    expect(await document()).toEqual([401, { message: 'Unauthorized' }])
    expect((await app.answer('/api/repos/acme/web'))[0]).toBe(401)
  })

  it('take patterns from readers only: a public badge does not list branches', async () => {
    expect((await app.repo()).public_badge).toBe(true)
    const word = async (query: string, as?: Person) => {
      const response = await app.request(`/api/badges/acme/web/status.svg${query}`, as && { as })
      return summary(await response.text())[1]
    }
    for (const query of ['?branch=m*', '?ref=refs/heads/ma*', '?event=custom&branch=*', '?branch=*&stage=default']) {
      expect([query, await word(query), await word(query, 'otto')]).toEqual([query, 'none', 'none'])
      expect([query, await word(query, 'rae')]).toEqual([query, 'success'])
    }
    expect(await word('?branch=main&stage=default')).toBe('success')
  })

  it('exist as a document for tray programs', async () => {
    expect(await document('ann')).toEqual([
      200,
      '<Projects><Project name="acme/web" activity="Sleeping" lastBuildStatus="Success" lastBuildLabel="1" lastBuildTime="2023-11-14T22:13:20Z" webUrl="http://ci.example.com/acme/web/1"></Project></Projects>',
    ])
    await app.bench.startBuild()
    expect((await document('ann'))[1]).toContain(
      'activity="Building" lastBuildStatus="Unknown" lastBuildLabel="Unknown" lastBuildTime=""',
    )
  })

  it('show the status of a stage, an event or a branch pattern', async () => {
    const word = async (query: string) => {
      const response = await app.request(`/api/badges/acme/web/status.svg${query}`, { as: 'rae' })
      return summary(await response.text())[1]
    }
    const sha = app.bench.commit(pipelines({ default: '', second: '' }))
    await app.bench.push(sha, { ref: 'refs/heads/release/1.0', source: 'release/1.0', target: 'release/1.0' })
    // The build before is still in the queue.
    const stages = [await app.bench.take(), await app.bench.take(), await app.bench.take()]
    for (const stage of stages) await app.bench.endStage(stage, stage.name === 'second' ? 'failure' : 'success')
    expect(await word('?branch=release/*')).toBe('failure')
    expect(await word('?ref=refs/heads/rel*se/*')).toBe('failure')
    expect(await word('?branch=release/?.0')).toBe('none')
    expect(await word('?branch=[a-z]*')).toBe('none')
    expect(await word('?branch=release/*&stage=default')).toBe('success')
    expect(await word('?branch=release/*&stage=second')).toBe('failure')
    expect(await word('?branch=release/*&stage=none')).toBe('none')
    expect(await word('?event=push')).toBe('failure')
    expect(await word('?event=push&branch=main')).toBe('none')
    expect(await word('?event=custom&branch=ma*')).toBe('success')
    expect(await word('?event=tag')).toBe('none')
    expect(await word(`?branch=${'*a'.repeat(50)}`)).toBe('none')
  })
})
