import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDone, type Build, type Line } from '@flightdeck/api'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { signIn, spawnServer, type ServerProcess } from '../../testing/server-process.ts'
import { testRepository } from '../../testing/test-repository.ts'

/**
 * The kinds of repositories in a developer's code folder. A real server builds each, from its
 * commit to its last step.
 */
vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 })
const file = (commands: string) =>
  `kind: pipeline\ntype: exec\nname: default\nsteps:\n- name: look\n  commands: [${commands}]\n`
const look = file('git rev-parse HEAD, git status --porcelain, cat content, git fsck --no-progress')

let folder: string
let server: ServerProcess
let ann: Awaited<ReturnType<typeof signIn>>
const shas: Record<string, string> = {}

const plain = (...args: string[]) => execFileSync('git', args, { stdio: 'pipe' }).toString().trim()

/** Two commits, so that a shallow clone omits one. */
function source(name: string, ...options: string[]) {
  const repository = testRepository(join(folder, 'sources', name), ...options)
  repository.commit({ content: 'old\n', '.drone.yml': look }, 'One')
  repository.commit({ content: `of ${name}\n` }, 'Two')
  return repository
}

const kinds: Record<string, (path: string) => void> = {
  shallow: (path) => plain('clone', '-q', '--depth=1', `file://${source('shallow').path}`, path),
  'shallow-packed': (path) => {
    const { path: from } = source('shallow-packed')
    plain('clone', '-q', '--bare', '--depth=1', `file://${from}`, path)
    plain('-C', path, 'gc', '-q')
  },
  sha256: (path) => plain('clone', '-q', source('sha256', '--object-format=sha256').path, path),
  'sha256-shallow': (path) => {
    plain('clone', '-q', '--depth=1', `file://${source('sha256-shallow', '--object-format=sha256').path}`, path)
  },
  // The `.git` file and its `commondir` point to a folder inside the repository's own folder.
  worktree: (path) => {
    const bare = join(path, '.bare')
    plain('clone', '-q', '--bare', source('worktree').path, bare)
    plain('-C', bare, 'worktree', 'add', '-q', '-b', 'side', join(path, 'side'))
    renameSync(join(path, 'side', '.git'), join(path, '.git'))
  },
  bare: (path) => plain('clone', '-q', '--bare', source('bare').path, path),
  // Like a submodule: a file `.git` names the real folder.
  submodule: (path) => {
    plain('clone', '-q', source('submodule').path, path)
    renameSync(join(path, '.git'), join(path, '.real'))
    writeFileSync(join(path, '.git'), 'gitdir: .real\n')
  },
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'flightdeck-kinds-'))
  const repos = join(folder, 'repos')
  mkdirSync(join(repos, 'code'), { recursive: true })
  for (const [name, make] of Object.entries(kinds)) {
    const path = join(repos, 'code', name)
    make(path)
    shas[name] = plain('-C', path, 'rev-parse', 'HEAD')
  }
  const data = join(folder, 'data')
  server = spawnServer(['--port', '0', '--data', data, '--repos', repos])
  ann = await signIn(await server.ready, data)
  for (const name of Object.keys(kinds)) {
    await ann.json(`/api/repos/code/${name}`, 'POST')
    await ann.json(`/api/repos/code/${name}/builds`, 'POST')
  }
})
afterAll(async () => {
  server.kill('SIGTERM')
  await server.ended
  rmSync(folder, { recursive: true })
})

test.each(Object.keys(kinds))('%s: a build has the files and a valid repository', async (name) => {
  const build = () => ann.json<Build>(`/api/repos/code/${name}/builds/1`)
  await expect.poll(async () => isDone((await build()).status), { timeout: 60_000 }).toBe(true)
  const log = async (step: number) => {
    const answer = await ann.call(`/api/repos/code/${name}/builds/1/logs/1/${step}`)
    return answer.ok ? ((await answer.json()) as Line[]).map(({ out }) => out).join('') : ''
  }
  const [clone, told] = [await log(1), await log(2)]
  expect([(await build()).status, (await build()).after, clone]).toEqual(['success', shas[name], clone])
  expect(told).toContain(`${shas[name]}\n`)
  expect(told).toContain(`of ${name}\n`)
  expect(clone).toMatch(/ Two\n/)
})
