/**
 * The search finds builds of any age by the words that people remember, and nothing that its user
 * cannot see.
 */
import type { Repo, SearchAnswer } from '@flightdeck/api'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { buildRow } from '../../testing/build-row.ts'
import { createTestApp, type Person, type TestApp } from '../../testing/test-app.ts'
import { fillIndex, findUnindexed } from '../../store/build-search/index-builds.ts'
import { createBuild, type NewBuild } from '../../store/builds.ts'
import { setPermissions } from '../../store/permissions.ts'
import { saveSetting } from '../../store/settings.ts'
import { updateRepo } from '../../store/repos.ts'

let app: TestApp
beforeEach(async () => {
  app = await createTestApp()
})
afterEach(async () => {
  expect(app.failures).toEqual([])
  await app.close()
})

const base: Partial<NewBuild> = {
  message: 'Begin',
  after: 'c0ffee0000000000000000000000000000000000',
  ref: 'refs/heads/main',
  source: 'main',
  target: 'main',
  author_login: 'octocat',
  author_name: 'The Octocat',
  author_email: 'octo@example.com',
  sender: 'octocat',
}
const add = (number: number, changes: Partial<NewBuild> = {}, repo: Repo = app.bench.repo) =>
  createBuild(app.bench.db, buildRow({ ...base, ...changes, repo_id: repo.id, number }))
const search = async (text: string, as: Person = 'rae'): Promise<SearchAnswer['builds']> => {
  const [status, body] = await app.answer(`/api/search?text=${encodeURIComponent(text)}`, { as })
  expect([text, status, body]).toEqual([text, 200, expect.anything()])
  return (body as SearchAnswer).builds
}
const found = async (text: string, as?: Person): Promise<string[]> =>
  (await search(text, as)).items.map(({ namespace, name, build }) => `${namespace}/${name}#${build.number}`)

it('finds a build by number, commit, title, message, tag, branch, author and target', async () => {
  await add(1, { message: 'Fix the parser\n\nIt lost Ärger and 日本語の文字.', title: 'Parser rescue' })
  await add(2, { after: 'deadbeef11112222333344445555666677778888' })
  await add(3, { event: 'tag', ref: 'refs/tags/v1.20.3', source: '', target: '' })
  await add(4, { ref: 'refs/heads/feature/log-search', source: 'feature/log-search', target: 'feature/log-search' })
  await add(5, { author_login: 'ada', author_name: 'Ada Lovelace', author_email: 'countess@example.org' })
  await add(6, { event: 'promote', deploy_to: 'staging-eu' })
  for (let number = 7; number < 60; number++) await add(number, { message: `Change number ${number}1` })
  const expected: [string, string[]][] = [
    ['2', ['acme/web#2']],
    ['#2', ['acme/web#2']],
    ['#02', ['acme/web#2']],
    ['web#2', ['acme/web#2']],
    ['acme/web 2', ['acme/web#2']],
    ['web #2', ['acme/web#2']],
    ['ACME/Web#2', ['acme/web#2']],
    ['other#2', []],
    ['deadbee', ['acme/web#2']],
    ['DEADBEEF11112222333344445555666677778888', ['acme/web#2']],
    ['resc', ['acme/web#1']],
    ['pars fix', ['acme/web#1']],
    ['arger', ['acme/web#1']],
    ['本語', ['acme/web#1']],
    ['v1.20.3', ['acme/web#3']],
    ['refs/tags/v1.20', ['acme/web#3']],
    ['log-sea', ['acme/web#4']],
    ['feature/log', ['acme/web#4']],
    ['ada', ['acme/web#5']],
    ['lovelace', ['acme/web#5']],
    ['countess', ['acme/web#5']],
    ['staging', ['acme/web#6']],
    ['nothing like it', []],
    ['!?"*', []],
    ['"parser" OR (', []],
    ['\u{E001}1', []],
  ]
  for (const [text, builds] of expected) expect([text, await found(text)]).toEqual([text, builds])
})

it('shows the build with the number before those with it in their text, and the newest first', async () => {
  await add(1, { message: 'Answer 42 and more' })
  await add(42)
  await add(43, { message: 'Answer 42 again' })
  expect(await found('42')).toEqual(['acme/web#42', 'acme/web#43', 'acme/web#1'])
})

it('answers twenty at most, and says that there are more @system', async () => {
  for (let number = 1; number <= 21; number++) await add(number)
  const { items, more } = await search('octocat')
  expect([items.length, items[0]?.build.number, more]).toEqual([20, 21, true])
  await app.bench.db.deleteFrom('builds').where('build_number', '=', 7).execute()
  expect((await search('octocat')).more).toBe(false)
  expect(await found('7')).toEqual([])
})

it('finds nothing of what its reader may not see @system', async () => {
  const other = await app.addRepo('secret', 'plans')
  await add(1, { message: 'Plan the launch' }, other)
  const people: Person[] = ['ann', 'wes', 'rae', 'otto', 'boss', 'robot']
  const who = async (text: string) => {
    const hits = await Promise.all(people.map(async (person) => (await found(text, person)).length > 0))
    return people.filter((_, index) => hits[index])
  }
  for (const text of ['launch', '1', '#1', 'plans#1', 'secret/plans 1'])
    expect([text, await who(text)]).toEqual([text, ['boss']])
  const otto = await app.bench.db
    .selectFrom('users')
    .select('user_id')
    .where('user_login', '=', 'otto')
    .executeTakeFirstOrThrow()
  const row = (read: boolean) =>
    setPermissions(app.bench.db, { userId: otto.user_id, repoId: other.id }, { read, write: false, admin: false }, 1)
  await row(true)
  expect(await who('launch')).toEqual(['otto', 'boss'])
  await row(false)
  expect(await who('launch')).toEqual(['boss'])
  await updateRepo(app.bench.db, { ...other, visibility: 'internal' })
  expect(await who('launch')).toEqual(people)
  expect((await app.answer('/api/search?text=launch'))[0]).toBe(401)
})

it('finds what one of many repositories holds, where the rest matches in vain @system', async () => {
  const mine: Repo[] = []
  for (let n = 0; n < 210; n++) {
    const repo = await app.addRepo('many', `r${n}`)
    await setPermissions(
      app.bench.db,
      { userId: app.bench.user.id, repoId: repo.id },
      { read: true, write: true, admin: true },
      1,
    )
    mine.push(repo)
  }
  await add(1, { message: 'Common words' }, mine[150])
  const other = await app.addRepo('secret', 'plans')
  for (let number = 1; number <= 60; number++) await add(number, { message: 'Common words' }, other)
  expect(await found('common', 'ann')).toEqual(['many/r150#1'])
})

it('takes every character of a query and of a commit for text @system', async () => {
  await add(1, { message: 'one"two three four', title: 'NEAR(five) * six:' })
  for (const text of ['one"two', 'three\0four', '"three\0', 'NEAR(five', '* six:'])
    expect([text, await found(text)]).toEqual([text, ['acme/web#1']])
  for (const text of ['\0', '(', 'x\0"', 'five OR x']) expect([text, await found(text)]).toEqual([text, []])
})

it('refuses nothing and too much', async () => {
  for (const query of ['', '?text=', '?text=%20', `?text=${'a'.repeat(201)}`])
    expect((await app.answer(`/api/search${query}`, { as: 'rae' }))[0]).toBe(400)
})

it('indexes builds of an older database in the background, and says so until then @system', async () => {
  const { db } = app.bench
  for (let number = 1; number <= 250; number++)
    await add(number, { message: number === 3 ? 'Ancient history' : 'Later' })
  await sql`insert into build_words (build_words) values ('delete-all')`.execute(db)
  const { id } = await add(251, { message: 'Brand new' })
  await saveSetting(db, 'unindexed_builds', String(id - 1))
  expect([await found('ancient'), await found('brand'), (await search('x')).indexing]).toEqual([
    [],
    ['acme/web#251'],
    true,
  ])
  const stopped = new AbortController()
  stopped.abort()
  await fillIndex(db, stopped.signal, () => {})
  expect(await found('ancient')).toEqual([])
  await fillIndex(db, new AbortController().signal, () => {})
  expect([await found('ancient'), await findUnindexed(db), (await search('x')).indexing]).toEqual([
    ['acme/web#3'],
    0,
    false,
  ])
  // New builds are merged into the index as before.
  const merging = sql`select k, v from build_words_config where k in ('automerge', 'crisismerge') order by k`
  expect((await merging.execute(db)).rows).toEqual([
    { k: 'automerge', v: 4 },
    { k: 'crisismerge', v: 16 },
  ])
})
