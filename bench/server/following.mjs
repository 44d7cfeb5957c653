// How soon builds are created when many repositories receive pushes at the same time.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { signIn, startServer } from '../lib/server.mjs'

const count = 200
const pipeline = `kind: pipeline\ntype: exec\nname: default\nplatform: { os: linux, arch: ${process.arch === 'x64' ? 'amd64' : process.arch} }\nsteps:\n- name: greet\n  commands: [echo hello]\n`

const git = (folder, ...words) =>
  execFileSync('git', ['-C', folder, '-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...words])
    .toString()
    .trim()

/** Creates bare repositories with two commits and a branch at the first one; returns the second. */
function makeRepositories(repos) {
  const template = join(repos, 'template')
  mkdirSync(template, { recursive: true })
  git(template, 'init', '-q', '-b', 'main')
  writeFileSync(join(template, '.drone.yml'), pipeline)
  git(template, 'add', '-A')
  git(template, 'commit', '-q', '-m', 'First')
  const first = git(template, 'rev-parse', 'HEAD')
  git(template, 'commit', '-q', '--allow-empty', '-m', 'Second')
  const second = git(template, 'rev-parse', 'HEAD')
  git(template, 'update-ref', 'refs/heads/main', first)
  git(template, 'config', 'core.bare', 'true')
  for (let number = 0; number < count; number += 1) {
    cpSync(join(template, '.git'), join(repos, `acme/r${number}.git`), { recursive: true })
  }
  rmSync(template, { recursive: true })
  return second
}

async function allBuilds(origin, headers) {
  for (;;) {
    const answer = await fetch(`${origin}/api/user/repos?latest=true`, { headers })
    const repos = await answer.json()
    if (repos.filter(({ build }) => build).length === count) return
    await delay(50)
  }
}

export const following = {
  name: 'following',
  size: 'small',
  runs: 3,
  rows: [['seconds', `${count} repositories pushed to at once: until all builds exist`, 's', 5, '21']],
  how: 'a server of its own; the commits exist, and all refs move within about 50 ms, as at the end of a push; the repository list is polled every 50 ms; meanwhile the builds run, two at a time',
  async once({ program }) {
    const folder = mkdtempSync(join(tmpdir(), 'flightdeck-following-'))
    const repos = join(folder, 'repos')
    const second = makeRepositories(repos)
    const server = await startServer(program, { data: join(folder, 'data'), repos })
    try {
      const headers = { cookie: await signIn(server.origin) }
      for (let number = 0; number < count; number += 1) {
        const answer = await fetch(`${server.origin}/api/repos/acme/r${number}`, { method: 'POST', headers })
        if (!answer.ok) throw new Error(`r${number}: ${answer.status}`)
      }
      // Waits for the first poll of each repository.
      await delay(4_000)
      const began = performance.now()
      for (let number = 0; number < count; number += 1) {
        const ref = join(repos, `acme/r${number}.git/refs/heads/main`)
        writeFileSync(`${ref}.lock`, `${second}\n`)
        renameSync(`${ref}.lock`, ref)
      }
      await allBuilds(server.origin, headers)
      return { seconds: (performance.now() - began) / 1000 }
    } finally {
      await server.stop()
      rmSync(folder, { recursive: true })
    }
  },
}
