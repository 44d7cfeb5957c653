/** The sources of a failed step, from real repositories through the routes. */
import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SourceAuthors, SourceFile, StepChanges } from '@flightdeck/api'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createTestApp, type Person, type TestApp } from '../../testing/test-app.ts'
import { pipelines } from '../../testing/test-bench.ts'

let app: TestApp
beforeEach(async () => {
  app = await createTestApp()
})
afterEach(async () => {
  expect(app.failures).toEqual([])
  await app.close()
})

const base = '/api/repos/acme/web/builds'
const get = (path: string, caller: { as?: Person } = { as: 'rae' }) => app.answer(`${base}/${path}`, caller)
const changes = async (number: number) => (await get(`${number}/changes/1/2`))[1] as StepChanges
const query = (path: string, line: number | string = 1) => `path=${encodeURIComponent(path)}&line=${line}`
const source = async (number: number, path: string, line?: number) =>
  (await get(`${number}/source?${query(path, line)}`))[1] as SourceFile
const authors = async (number: number, path: string, line?: number) =>
  (await get(`${number}/authors/1/2?${query(path, line)}`))[1] as SourceAuthors

/** A commit, and its build whose step `test` ends with this status. */
async function run(
  files: Record<string, string>,
  status: 'success' | 'failure',
  { branch = 'main', message = 'change', config = pipelines({ default: '' }) } = {},
): Promise<string> {
  const { bench } = app
  const sha = bench.source.commit({ '.drone.yml': config, ...files }, message)
  await build(sha, status, branch)
  return sha
}
async function build(sha: string, status: 'success' | 'failure', branch = 'main'): Promise<void> {
  const { bench } = app
  await bench.push(sha, { ref: `refs/heads/${branch}`, target: branch })
  const stage = await bench.take(['clone', 'test'])
  const [clone, test] = stage.steps
  if (!clone || !test) expect.fail('no steps')
  await bench.endStep(await bench.runStep(clone))
  await bench.endStep(await bench.runStep(test), status)
  await bench.endStage({ ...stage, steps: [] }, status)
}

describe('what changed', () => {
  it('starts at the last success of the step on the branch', async () => {
    const green = await run({ a: '1' }, 'success')
    const red = await run({ a: '2' }, 'failure', { message: 'Break it' })
    const worse = await run({ b: '2' }, 'failure', { message: 'Break more' })
    expect(await changes(2)).toEqual({
      since: { build: 1, stage: 1, step: 2, ref: 'refs/heads/main', commit: green },
      commits: [{ sha: red, title: 'Break it', author: 'Ada', time: expect.any(Number), files: ['a'], total: 1 }],
      file: { path: '.drone.yml', same: true },
    })
    const told = await changes(3)
    expect(told.commits?.map(({ sha }) => sha)).toEqual([worse, red])
    expect(await get('1/changes/1/2')).toEqual([200, null])
    expect((await get('3/changes/1/9'))[0]).toBe(404)
    // The same commit, restarted: nothing changed.
    await build(green, 'failure')
    expect(await changes(4)).toMatchObject({ since: { build: 1 }, commits: [] })
  })

  it('starts at the default branch if the step never passed on its own branch @system', async () => {
    await run({ a: '1' }, 'success')
    app.bench.source.git('checkout', '-q', '-b', 'side')
    const config = pipelines({ default: '' }).replace('echo default', 'echo other')
    const red = await run({ a: '2' }, 'failure', { branch: 'side', config })
    const told = await changes(2)
    expect(told).toMatchObject({ since: { build: 1, ref: 'refs/heads/main' }, commits: [{ sha: red }] })
    const line = config.split('\n').findIndex((text) => text.includes('echo other')) + 1
    expect(told.file).toEqual({ path: '.drone.yml', same: false, line })
  })

  it('has no commits if the successful one is gone @system', async () => {
    await run({ a: '1' }, 'success')
    const { git } = app.bench.source
    git('checkout', '-q', '--orphan', 'anew')
    const red = await run({ a: '2' }, 'failure')
    const told = await changes(2)
    expect(told).toMatchObject({ commits: [{ sha: red }], without: 1 })
    git('branch', '-D', 'main')
    git('reflog', 'expire', '--expire=now', '--all')
    git('gc', '-q', '--prune=now')
    const later = await changes(2)
    expect(later.since.build).toBe(1)
    expect(later).not.toHaveProperty('commits')
  })
})

describe('a file that a log names', () => {
  const text = Array.from({ length: 200 }, (_, n) => `line ${n + 1}\n`).join('')

  it('is shown as it is at the commit, with the lines around @system', async () => {
    const sha = await run({ 'src/a.ts': text, 'web/src/b.ts': 'b\n' }, 'success')
    app.bench.source.commit({ 'src/a.ts': 'other\n' }, 'Later')
    const shown = await source(1, 'src/a.ts', 100)
    expect(shown).toMatchObject({ kind: 'text', path: 'src/a.ts', commit: sha, from: 60, total: 200 })
    expect(shown.kind === 'text' && [shown.lines[0], shown.lines[40], shown.lines.length]).toEqual([
      'line 60',
      'line 100',
      81,
    ])
    expect(await source(1, '/drone/src/src/a.ts', 3)).toMatchObject({ path: 'src/a.ts', from: 1 })
    expect(await source(1, 'src/a.ts', 9_999)).toMatchObject({ from: 160 })
    // From within a folder, as tools print it.
    expect(await source(1, 'src/b.ts')).toMatchObject({ path: 'web/src/b.ts', lines: ['b'], total: 1 })
    expect((await get(`1/source?${query('src/a.ts', 'x')}`))[1]).toMatchObject({ from: 1 })
  })

  it('may be one of several, or none @system', async () => {
    await run({ 'one/a_test.go': '1', 'two/a_test.go': '2' }, 'success')
    expect(await source(1, 'a_test.go', 3)).toMatchObject({
      kind: 'several',
      paths: ['one/a_test.go', 'two/a_test.go'],
    })
    const none = [404, { message: 'This path is not in the commit' }]
    for (const path of [
      '',
      'gone',
      '../../etc/passwd',
      '/etc/passwd',
      '.git/config',
      'a\0b',
      'x'.repeat(2_000),
      '--help',
    ])
      expect(await get(`1/source?${query(path)}`)).toEqual(none)
    expect((await get('1/source'))[0]).toBe(404)
    expect((await get('9/source?path=a'))[0]).toBe(404)
  })

  it('is shown only where it is text of the repository itself @system', async () => {
    const { path } = app.bench.source
    symlinkSync('/etc/passwd', join(path, 'link'))
    writeFileSync(join(path, 'binary'), Buffer.from([1, 0, 2]))
    await run({ 'folder/x': '1', wide: `${'é'.repeat(5_000)}\r\nnext`, large: 'x\n'.repeat(1_500_000) }, 'success')
    const kinds = await Promise.all(['link', 'binary', 'folder', 'large'].map(async (name) => source(1, name)))
    expect(kinds.map(({ kind }) => kind)).toEqual(['link', 'binary', 'folder', 'large'])
    for (const one of kinds) expect(one).not.toHaveProperty('lines')
    expect(await source(1, 'wide')).toMatchObject({ total: 2, lines: [`${'é'.repeat(1_000)}…`, 'next'] })
  })

  it('returns who changed its lines last, and whether since the last success @system', async () => {
    await run({ a: 'one\ntwo\nthree\n' }, 'success', { message: 'Begin' })
    const red = await run({ a: 'one\nTWO\nthree\n' }, 'failure', { message: 'Shout' })
    const told = await authors(2, 'a', 2)
    expect(told).toMatchObject({ path: 'a', since: { build: 1 }, from: 1 })
    const by = told.lines.map((place) => told.commits[place])
    expect(by.map((one) => [one?.title, one?.after])).toEqual([
      ['Begin', false],
      ['Shout', true],
      ['Begin', false],
    ])
    expect(by[1]?.sha).toBe(red)
    // Without a successful run of the step nothing is known to be new.
    const first = await authors(1, 'a', 2)
    expect(first).not.toHaveProperty('since')
    expect(first.commits[0]).not.toHaveProperty('after')
    expect((await get(`2/authors/1/2?${query('gone')}`))[0]).toBe(404)
  })
})

it('needs read access to the repository @system', async () => {
  await run({ a: '1' }, 'success')
  await run({ a: '2' }, 'failure')
  const all = ['2/changes/1/2', '2/source?path=a&line=1', '2/authors/1/2?path=a&line=1']
  const statuses = async (caller: { as?: Person }) => Promise.all(all.map(async (path) => (await get(path, caller))[0]))
  expect(await statuses({ as: 'rae' })).toEqual([200, 200, 200])
  expect(await statuses({ as: 'otto' })).toEqual([404, 404, 404])
  expect(await statuses({})).toEqual([401, 401, 401])
  await app.changeRepo({ visibility: 'public' })
  expect(await statuses({})).toEqual([200, 200, 200])
})
