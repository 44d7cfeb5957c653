import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { isDone, type Build, type Line } from '@flightdeck/api'
import { afterEach, expect, test, vi } from 'vitest'
import { serverBundle } from '../testing/bundles.ts'
import { signIn, spawnServer, type ServerProcess } from '../testing/server-process.ts'
import { testRepository } from '../testing/test-repository.ts'
import { canEnter } from '../machine/account.ts'

/** What ordinary pipelines do also works in a sandboxed step. */
vi.setConfig({ testTimeout: 90_000 })
const isRoot = process.geteuid?.() === 0
/** No account of the machine has this id, as in many containers. */
const stranger = 424_243

/** Prints what does not work. */
const script = `
works() { name=$1; shift; if ! said=$("$@" 2>&1); then echo "BROKEN $name: $said"; fi; }
works id id
works whoami whoami
works locale locale
works mktemp sh -c 'test -f "$(mktemp)" && test -d "$(mktemp -d)"'
works 'process substitution' bash -c 'diff <(echo a) <(echo a) && echo x | tee >(cat >/dev/null)'
works 'a here-document' sh -c 'test "$(cat <<WORD
hi
WORD
)" = hi'
works 'a job in the background' sh -c '(sleep 0.1; echo done > job) & wait; test -s job'
works kill sh -c 'sleep 100 & kill $!; wait $!; test $? = 143'
works ps ps aux
works outputs sh -c 'echo a > /dev/stdout; echo b > /dev/stderr; echo c > /dev/fd/1'
works 'no terminal' sh -c '! (: > /dev/tty)'
works df df . /tmp
works 'a large file' sh -c 'head -c 200000000 /dev/zero > /tmp/large && rm /tmp/large'
works 'temporary folders' sh -c 'echo > /var/tmp/a && echo > /dev/shm/a && mv /tmp/a ./moved'
works home sh -c 'cd ~ && echo > mine'
works 'git status' sh -c 'test -z "$(git status --porcelain --untracked-files=no)"'
works 'git commit' git commit -q --allow-empty -m more
works 'its own account, to node' node -e 'require("os").userInfo()'
works threads node -e 'new (require("worker_threads").Worker)("", { eval: true })'
works 'npm ci' sh -c 'mkdir -p /tmp/n/part && cd /tmp/n && echo "{\\"name\\":\\"part\\",\\"version\\":\\"1.0.0\\"}" > part/package.json &&
  npm pack ./part && echo "{\\"dependencies\\":{\\"part\\":\\"file:part-1.0.0.tgz\\"}}" > package.json &&
  npm install --package-lock-only --offline && npm ci --offline && test -f node_modules/part/package.json'
command -v script >/dev/null && works 'a terminal of its own' script -qec 'echo hi' /dev/null
[ -x /usr/bin/python3 ] && works python python3 -c 'import multiprocessing; multiprocessing.Lock()'
[ "$(command -v shimmed)" = "" ] || echo "BROKEN shims: $(command -v shimmed)"
echo tried everything
`

let folder: string
let server: ServerProcess | undefined
afterEach(async () => {
  server?.kill('SIGTERM')
  await server?.ended
  server = undefined
  rmSync(folder, { recursive: true, force: true })
})

test.for([
  { name: 'root', needsRoot: true },
  { name: 'an ordinary user', uid: isRoot ? stranger : undefined },
])('of a server that $name started', async ({ needsRoot, uid }, { skip }) => {
  folder = mkdtempSync(join(tmpdir(), 'flightdeck-ordinary-'))
  chmodSync(folder, 0o755)
  skip(needsRoot === true && !isRoot, 'only root can do this')
  const checkout = dirname(serverBundle)
  const isOpen = uid === undefined || (await canEnter(checkout, { name: '', uid, gid: uid }))
  skip(!isOpen, 'an ordinary user cannot read this checkout')
  const [data, repos, tools] = [join(folder, 'data'), join(folder, 'repos'), join(folder, 'manager/shims')]
  // Shims like those of pyenv: they need the files beside them, and come before the system's
  // programs in PATH.
  mkdirSync(tools, { recursive: true })
  for (const name of ['python3', 'shimmed']) {
    writeFileSync(join(tools, name), `#!/bin/sh\nexec ${folder}/manager/libexec/${name} "$@"\n`, { mode: 0o755 })
  }
  mkdirSync(data)
  const source = testRepository(join(repos, 'acme/web'))
  const commands = '  commands: [sh -u try.sh]\n'
  source.commit(
    { 'try.sh': script, '.drone.yml': `kind: pipeline\ntype: exec\nname: a\nsteps:\n- name: try\n${commands}` },
    'First',
  )
  if (uid !== undefined) {
    for (const entry of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
      chownSync(join(folder, entry), uid, uid)
    chownSync(folder, uid, uid)
  }
  const PATH = [tools, process.env['PATH']].join(delimiter)
  const words = ['--port', '0', '--data', data, '--repos', repos, '--isolation', 'sandbox']
  server = spawnServer(words, { PATH }, uid)
  const address = await server.ready.catch(() => null)
  if (address === null) return skip((await server.ended).stderr)
  const ann = await signIn(address, data)
  await ann.json('/api/repos/acme/web', 'POST')
  await ann.json('/api/repos/acme/web/builds', 'POST')
  const build = () => ann.json<Build>('/api/repos/acme/web/builds/1')
  await expect.poll(async () => isDone((await build()).status), { timeout: 60_000 }).toBe(true)
  const lines = await ann.json<Line[]>('/api/repos/acme/web/builds/1/logs/1/2')
  const told = lines.map(({ out }) => out).join('')
  expect(told.slice(Math.max(0, told.indexOf('BROKEN')))).not.toContain('BROKEN')
  expect(told).toContain('tried everything')
})
