/**
 * The clone step is isolated like other steps: git reads untrusted pushes, so it runs as the
 * stage's account and within limits. A real server clones an endless tree, and the test inspects
 * the running git.
 */
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { execFileSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { isDone, type Build, type Line } from '@flightdeck/api'
import { afterEach, expect, test, vi } from 'vitest'
import { canEnter } from '../machine/account.ts'
import { serverBundle } from '../testing/bundles.ts'
import { isolationModes, isRoot, type IsolationMode } from '../testing/isolation-modes.ts'
import { signIn, spawnServer, type ServerProcess } from '../testing/server-process.ts'
import { testRepository } from '../testing/test-repository.ts'
import { cloneMemory } from './clone.ts'

vi.setConfig({ testTimeout: 120_000 })
const polling = { timeout: 60_000, interval: 20 }

const modes: IsolationMode[] = [
  ...isolationModes,
  { name: 'one account', args: ['--isolation', 'none', '--run-as', 'nobody'], needsRoot: true },
]

let folder: string
let server: ServerProcess | undefined
afterEach(async () => {
  server?.kill('SIGTERM')
  await server?.ended
  server = undefined
  rmSync(folder, { recursive: true, force: true })
})

/** A commit with 10^10 files, made of eleven small objects. */
function endlessTree(origin: ReturnType<typeof testRepository>, pipeline: string): string {
  const write = (args: string[], input: string) =>
    execFileSync('git', ['-C', origin.path, ...args], { input, encoding: 'utf8' }).trim()
  let row = `100644 blob ${write(['hash-object', '-w', '--stdin'], 'x')}`
  for (let level = 0; level < 10; level += 1) {
    const rows = Array.from({ length: 10 }, (_, index) => `${row}\tf${index}`)
    row = `040000 tree ${write(['mktree'], rows.join('\n'))}`
  }
  const file = write(['hash-object', '-w', '--stdin'], pipeline)
  const tree = write(['mktree'], `100644 blob ${file}\t.drone.yml\n${row}\tbomb`)
  return origin.git('commit-tree', '-p', 'HEAD', '-m', 'Bomb', tree)
}

interface Seen {
  uids: string[]
  memory: string
  privileges: string
  rank: string
}

/** Finds the git process that writes this commit's work tree. */
function findReset(sha: string): Seen | undefined {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      if (readFileSync(`/proc/${pid}/cmdline`, 'utf8') !== `git\0reset\0--hard\0${sha}\0`) continue
      const status = readFileSync(`/proc/${pid}/status`, 'utf8')
      const limits = readFileSync(`/proc/${pid}/limits`, 'utf8')
      return {
        uids: (/^Uid:\s+(.*)$/m.exec(status)?.[1] ?? '').split('\t'),
        memory: /^Max data size\s+(\S+)/m.exec(limits)?.[1] ?? '',
        privileges: /^NoNewPrivs:\s+(\d)/m.exec(status)?.[1] ?? '',
        rank: readFileSync(`/proc/${pid}/oom_score_adj`, 'utf8').trim(),
      }
    } catch {
      // The process has ended.
    }
  }
  return undefined
}

test.for(modes)('$name: git clones as the stage, with limited memory', async ({ args, needsRoot, uid }, { skip }) => {
  if (needsRoot && !isRoot) return skip('only root gives steps another account')
  folder = mkdtempSync(join(tmpdir(), 'flightdeck-clone-'))
  chmodSync(folder, 0o755)
  const checkout = dirname(serverBundle)
  if (uid !== undefined && !(await canEnter(checkout, { name: '', uid, gid: uid }))) return skip('a closed checkout')
  expect(existsSync(serverBundle)).toBe(true)
  const data = join(folder, 'data')
  const repos = join(folder, 'repos')
  const origin = testRepository(join(repos, 'acme/web'))
  const steps = (command: string) =>
    `kind: pipeline\ntype: exec\nname: default\nsteps: [{name: one, commands: [${JSON.stringify(command)}]}]\n`
  origin.commit({ '.drone.yml': steps('id -u; ls -ln README; git status --short; > made'), README: 'x' }, 'First')
  const bomb = endlessTree(origin, steps('true'))
  // Only the server's account can read the repository.
  chmodSync(repos, 0o700)
  if (uid !== undefined) execFileSync('chown', ['-R', `${uid}:${uid}`, folder])
  server = spawnServer(['--port', '0', '--data', data, '--repos', repos, ...args], {}, uid)
  const address = await server.ready.catch(() => null)
  if (address === null) return skip((await server.ended).stderr)
  const ann = await signIn(address, data)
  await ann.json('/api/repos/acme/web', 'POST')
  const load = (number: number) => ann.json<Build>(`/api/repos/acme/web/builds/${number}`)
  const ended = (number: number) =>
    vi.waitFor(async () => {
      const build = await load(number)
      expect(isDone(build.status)).toBe(true)
      return build
    }, polling)
  const readLog = async (number: number, step: number) =>
    (await ann.json<Line[]>(`/api/repos/acme/web/builds/${number}/logs/1/${step}`)).map(({ out }) => out).join('')
  const first = await ended((await ann.json<Build>('/api/repos/acme/web/builds', 'POST')).number)
  expect([first.status, await readLog(first.number, 1)]).toEqual(['success', expect.stringContaining('HEAD is now at')])
  const log = await readLog(first.number, 2)
  const account = /^(\d+)$/m.exec(log)?.[1] ?? ''
  expect(log).toMatch(new RegExp(` ${account} ${account} .* README`))

  // Replaces the ref file atomically, as git does.
  const ref = join(origin.path, '.git/refs/heads/main')
  writeFileSync(`${ref}.lock`, `${bomb}\n`)
  renameSync(`${ref}.lock`, ref)
  const find = async () =>
    (await ann.json<Build[]>('/api/repos/acme/web/builds')).find(({ after }) => after === bomb) ?? expect.fail('none')
  const { number } = await vi.waitFor(find, polling)
  const seen = await vi.waitFor(() => findReset(bomb) ?? expect.fail('git is not there'), polling)
  await ann.json(`/api/repos/acme/web/builds/${number}`, 'DELETE')
  const isOwn = (id: string) =>
    args.includes('accounts') || (isRoot && !uid && !args.includes('none'))
      ? id !== '0' && id !== account
      : id === account
  expect(seen).toEqual({
    uids: seen.uids,
    memory: String(cloneMemory() * 1024),
    privileges: '1',
    rank: '500',
  })
  expect(seen.uids.filter((id) => !isOwn(id))).toEqual([])
  expect((await ended(number)).status).toBe('killed')
  await vi.waitFor(() => expect(findReset(bomb)).toBeUndefined(), polling)
})
