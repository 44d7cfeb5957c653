import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { testRepository } from '../../testing/test-repository.ts'
import { cloneSource } from './clone-source.ts'
import { createGit, type Git } from './git.ts'

/** Links and pipes that appear in a repository while the server reads it. */
let folder: string
let git: Git
let repo: ReturnType<typeof testRepository>
let secret: ReturnType<typeof testRepository>
let sha: string
let theirs: string
/** Moves the clock, because a check is cached only if nothing has changed for a while. */
let later = 0
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'flightdeck-own-'))
  later = 0
  git = await createGit({ dataDir: join(folder, 'data'), own: [], now: () => Date.now() + later })
  repo = testRepository(join(folder, 'web'))
  sha = repo.commit({ a: '1' }, 'First')
  secret = testRepository(join(folder, 'secret'))
  theirs = secret.commit({ '.drone.yml': 'the secret\n' }, 'Secret')
})
afterEach(() => rmSync(folder, { recursive: true }))

const objects = () => join(repo.path, '.git/objects')
const pathOf = (id: string) => join(id.slice(0, 2), id.slice(2))
/**
 * Creates the object folders beforehand, so that only the folders' own times reveal a new object.
 */
function prepare(): void {
  for (const id of readdirSync(join(secret.path, '.git/objects'))) {
    if (/^[0-9a-f]{2}$/.test(id)) mkdirSync(join(objects(), id), { recursive: true })
  }
  mkdirSync(join(objects(), 'info'), { recursive: true })
}
async function readTwice(): Promise<void> {
  later = 5_000
  for (let time = 0; time < 2; time += 1) expect(await git.resolve(repo.path, 'main')).toBe(sha)
}
const listCalls = () => [
  () => git.resolve(repo.path, theirs),
  () => git.commit(repo.path, theirs),
  () => git.readFile(repo.path, theirs, '.drone.yml'),
  () => git.changes(repo.path, theirs),
  () => git.session(repo.path).commit(repo.path, theirs),
  () => git.session(repo.path).readFile(repo.path, theirs, '.drone.yml'),
  () => cloneSource(folder, repo.path),
]

test.each([['at once'], ['by a folder that takes the place of another'], ['as a graph of commits']])(
  'objects that are links to another repository’s objects are not read: %s',
  async (way) => {
    prepare()
    await readTwice()
    const ids = secret.git('rev-list', '--objects', '--no-object-names', 'main').split('\n')
    for (const id of ids) {
      const link = join(objects(), pathOf(id))
      const target = join(secret.path, '.git/objects', pathOf(id))
      if (way.startsWith('by a folder')) {
        const other = mkdtempSync(join(folder, 'other-'))
        symlinkSync(target, join(other, id.slice(2)))
        // Add another object with the same two first digits.
        const place = join(link, '..')
        for (const name of readdirSync(place)) renameSync(join(place, name), join(other, name))
        renameSync(other, place)
      } else symlinkSync(target, link)
    }
    if (way.startsWith('as a graph')) {
      for (const id of ids) rmSync(join(objects(), pathOf(id)))
      mkdirSync(join(objects(), 'info/commit-graphs'))
      symlinkSync(join(folder, 'elsewhere'), join(objects(), 'info/commit-graphs/commit-graph-chain'))
    } else expect(repo.git('cat-file', 'blob', `${theirs}:.drone.yml`)).toBe('the secret')
    for (const ask of listCalls()) await expect(ask()).rejects.toThrow('outside its own folder')
  },
)

test('an object that is a pipe blocks no call', async () => {
  prepare()
  await readTwice()
  execFileSync('mkfifo', [join(objects(), pathOf(theirs))])
  for (const ask of listCalls()) await expect(ask()).rejects.toThrow('is not a regular file')
})

test('a repository that receives pushes continuously can be read @system', async () => {
  await readTwice()
  for (let time = 0; time < 3; time += 1) {
    sha = repo.commit({ a: `${time}` }, 'Next')
    await readTwice()
  }
  repo.git('gc', '-q')
  await readTwice()
})

test('packed refs, or all refs, that become a link later are refused, and their text is not repeated @system', async () => {
  await readTwice()
  const words = join(folder, 'a-file-of-somebody-else')
  writeFileSync(words, 'its first line\n')
  symlinkSync(words, join(repo.path, '.git/packed-refs'))
  expect(() => repo.git('rev-parse', 'none')).toThrow('its first line')
  const said = await git.resolve(repo.path, 'none').catch(String)
  expect(said).toContain('its file packed-refs')
  expect(said).not.toContain('its first line')
  rmSync(join(repo.path, '.git/packed-refs'))
  await readTwice()
  renameSync(join(repo.path, '.git/refs'), join(folder, 'refs'))
  symlinkSync(join(folder, 'refs'), join(repo.path, '.git/refs'))
  await expect(git.resolve(repo.path, 'main')).rejects.toThrow('its refs')
})
