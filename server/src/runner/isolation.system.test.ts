import { spawn, type ChildProcess } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { isDone, type Build, type Line } from '@flightdeck/api'
import { afterAll, afterEach, expect, test, vi, type TestContext } from 'vitest'
import { serverBundle } from '../testing/bundles.ts'
import { isolationModes, isRoot, unusedAccount, type IsolationMode } from '../testing/isolation-modes.ts'
import { isAlive, signIn, spawnServer, type ServerProcess } from '../testing/server-process.ts'
import { findSleepProcesses } from '../testing/sleep-processes.ts'
import { testRepository } from '../testing/test-repository.ts'
import { canEnter } from '../machine/account.ts'

/**
 * Real steps of a real server: a step cannot reach what belongs to another stage or to the server.
 */
vi.setConfig({ testTimeout: 90_000 })
const polling = { timeout: 60_000 }
const password = 'pass-word-of-ann'
const nap = (number: number) => `${number}.${process.pid}`

interface Own {
  data: string
  repos: string
  passwordFile: string
  victim: string
  server: number
  victimPid: number
  starter: number
  spawner: number
  nap: string
}
type Skip = TestContext['skip']

let folder: string
let server: ServerProcess | undefined
/**
 * Like npm and the shell of `npm start`: runs as the server's account, with the variables that the
 * server removes from its own environment.
 */
let starter: ChildProcess | undefined
afterEach(async () => {
  server?.kill('SIGTERM')
  await server?.ended
  server = undefined
  starter?.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})
afterAll(() => expect(findSleepProcesses(nap(2000))).toEqual([]))

const pipeline = (command: string, environment = '') =>
  `kind: pipeline\ntype: exec\nname: default\nsteps:\n- name: one\n  commands: [${JSON.stringify(command)}]\n${environment}`

/** A script for a step. Each line that it prints is something that it must not be able to read. */
const readScript = (own: Own) => `
try() { name=$1; shift; if out=$("$@" 2>/dev/null | head -c 200 | tr '\\0\\n' '  ') && [ -n "$out" ]; then echo "LEAK $name: $out"; fi; }
can() { name=$1; shift; if "$@" 2>/dev/null; then echo "LEAK $name"; fi; }
for file in flightdeck.db secrets-key admin-password process-mark git/config server.pid; do
  try "file $file" cat "${own.data}/$file"
done
try data ls -A "${own.data}"
try passwordfile cat "${own.passwordFile}"
try repository cat "${own.victim}/secret.txt"
try repositories ls -A "${own.repos}"
for pid in ${own.server} ${own.victimPid} ${own.starter} ${own.spawner}; do
  for thing in environ mem maps stack auxv syscall; do try "$thing of $pid" cat /proc/$pid/$thing; done
  for thing in fd cwd/. root/.; do try "$thing of $pid" ls -A /proc/$pid/$thing; done
  can "signal to $pid" kill -0 $pid
done
# Whatever the numbers are from here.
for file in /proc/[0-9]*/environ; do
  if grep -qa -e 'victims-own' -e '${password}' "$file" 2>/dev/null; then echo "LEAK variables in $file"; fi
done
find / -xdev -name 'victims-*' 2>/dev/null | while read -r path; do
  if cat "$path" >/dev/null 2>&1 || (: >> "$path") 2>/dev/null; then echo "LEAK $path"; fi
done
find /proc/[0-9]*/root/ /proc/[0-9]*/cwd/ -maxdepth 3 -name 'victims-*' 2>/dev/null | while read -r path; do echo "LEAK $path"; done
echo attacked as $(id -u)
`

/** Attempts that would disturb the machine if they worked. */
const disturbScript = (own: Own) => `
for pid in ${own.server} ${own.victimPid} ${own.spawner}; do
  can "stop of $pid" kill -STOP $pid
  can "trace of $pid" gdb -batch -nx -ex 'call (int)getpid()' -p $pid -ex 'quit 1'
done
for path in /usr /etc /bin /lib /dev / "${own.data}" "${own.repos}"; do
  can "write into $path" sh -c ': > "$0/flightdeck-was-here"' "$path"
done
for name in sda vda mem kmsg kvm fuse; do try "device $name" head -c 1 /dev/$name; done
try "docker's socket" ls /var/run/docker.sock
grep -q '^NoNewPrivs:.1' /proc/self/status || echo 'LEAK rights can be gained'
grep -q '^CapEff:.0*$' /proc/self/status || echo 'LEAK rights'
for fd in /proc/self/fd/*; do case $(readlink "$fd") in *pipe*|/dev/null|/proc/*|*attack.sh|'') ;; *) echo "LEAK descriptor $(readlink "$fd")" ;; esac; done
(trap '' TERM HUP; setsid sh -c 'trap "" TERM; env -i setsid sleep ${own.nap} & env -i sh -c "trap \\"\\" TERM; sleep ${own.nap}; true" &' &)
sleep 0.3
grep -q '^Max processes *8192 ' /proc/self/limits || echo "LEAK $(grep '^Max processes' /proc/self/limits)"
# A fork bomb, with a lower limit for the sake of this machine: it stops when no process is left.
(ulimit -p 300 2>/dev/null || ulimit -u 300; trap '' TERM; while sleep ${own.nap} & do count=$((count + 1)); [ $count -lt 2000 ] || { echo 'LEAK processes without limit'; break; }; done) 2>/dev/null
echo disturbed
`

/**
 * Finds the process that starts the server's steps. Access to its channel or open files would let a
 * step run commands as the server's account.
 */
function spawnerOf(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean)
  const found = children.find((child) => readFileSync(`/proc/${child}/cmdline`, 'utf8').includes('spawner'))
  if (found === undefined) throw new Error('the server has no spawner')
  return Number(found)
}

/** Runs a step that attacks another running step; returns its output. */
async function attack({ args, needsRoot, uid }: IsolationMode, skip: Skip, script: (own: Own) => string) {
  folder = mkdtempSync(join(tmpdir(), 'flightdeck-isolation-'))
  chmodSync(folder, 0o755)
  skip(needsRoot === true && !isRoot, 'only root can do this')
  const checkout = dirname(serverBundle)
  const isOpen = uid === undefined || (await canEnter(checkout, { name: '', uid, gid: uid }))
  skip(!isOpen, 'an ordinary user cannot read this checkout')
  const place = (name: string) => join(folder, name)
  const [data, repos, passwordFile] = [place('data'), place('repos'), place('the-password')]
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 })
  const victim = testRepository(join(repos, 'acme/victim'))
  const keep = ['$HOME', '$TMPDIR', '.'].map((path, index) => `echo victims-own > "${path}/victims-${index}"`)
  const runs = [...keep, `exec sleep ${nap(2000)}`].join(' && ')
  victim.commit(
    { 'secret.txt': 'victims-own\n', '.drone.yml': pipeline(runs, '  environment: { TOKEN: victims-own }\n') },
    'First',
  )
  const attacker = testRepository(join(repos, 'acme/attacker'))
  attacker.commit({ '.drone.yml': pipeline('sh attack.sh') }, 'First')
  mkdirSync(data, { mode: 0o700 })
  // Other accounts can read world-readable files; a sandbox hides those as well.
  if (args.includes('accounts')) chmodSync(repos, 0o700)
  if (uid !== undefined) chownAll(folder, uid)
  const flags = { port: '0', data, repos, 'admin-password-file': passwordFile, capacity: '2' }
  const secret = { FLIGHTDECK_ADMIN: `ann:${password}` }
  starter = spawn('/bin/sleep', [nap(4000)], {
    env: secret,
    stdio: 'ignore',
    ...(uid !== undefined && { uid, gid: uid }),
  })
  server = spawnServer(
    [...Object.entries(flags).flatMap(([name, value]) => [`--${name}`, value]), ...args],
    secret,
    uid,
  )
  const address = await server.ready.catch(() => null)
  if (address === null) {
    const { code, stderr } = await server.ended
    expect([code, stderr]).toEqual([2, expect.stringContaining('on this machine')])
    return skip(stderr)
  }
  const ann = await signIn(address, data, 'ann', password)
  const build = (slug: string) => ann.json<Build>(`/api/repos/${slug}/builds/1`)
  for (const slug of ['acme/victim', 'acme/attacker']) await ann.json(`/api/repos/${slug}`, 'POST')
  await ann.json('/api/repos/acme/victim/builds', 'POST')
  await expect.poll(() => findSleepProcesses(nap(2000)).length, polling).toBe(1)
  const [victimPid = 0] = findSleepProcesses(nap(2000))
  const own: Own = {
    data,
    repos,
    passwordFile,
    victim: victim.path,
    server: server.pid,
    victimPid,
    starter: starter.pid ?? 0,
    spawner: spawnerOf(server.pid),
    nap: nap(3000),
  }
  writeFileSync(join(attacker.path, 'attack.sh'), script(own))
  for (const command of [
    ['add', '-A'],
    ['commit', '-q', '-m', 'Attack'],
  ])
    attacker.git('-c', 'safe.directory=*', ...command)
  // The commit starts a build automatically.
  await expect
    .poll(async () => isDone((await build('acme/attacker').catch(() => ({ status: 'pending' }))).status), polling)
    .toBe(true)
  const lines = await ann.json<Line[]>('/api/repos/acme/attacker/builds/1/logs/1/2')
  const told = lines.map(({ out }) => out).join('')
  const leaks = told.split('\n').filter((line) => line.startsWith('LEAK'))
  return { told, leaks, own, victimBuild: () => build('acme/victim') }
}

test.for(isolationModes)('$name: a step cannot reach another step or the server', async (mode, { skip }) => {
  const both = (own: Own) => `${readScript(own)}${disturbScript(own)}`
  const { told, leaks, own, victimBuild } = await attack(mode, skip, both)
  expect(leaks).toEqual([])
  expect(told).toContain(`attacked as ${mode.uid ?? ''}`)
  expect(told).toContain('disturbed')
  expect(findSleepProcesses(nap(3000))).toEqual([])

  // The other step still runs. It ends with the server.
  expect((await victimBuild()).status).toBe('running')
  expect(isAlive(own.victimPid)).toBe(true)
  server?.kill('SIGTERM')
  await server?.ended
  expect(isAlive(own.victimPid)).toBe(false)
  expect(existsSync('/usr/flightdeck-was-here')).toBe(false)
})

/** Proves that the attacks are real: they succeed without protection. */
test('the same attacks succeed without isolation', async ({ skip }) => {
  const mode: IsolationMode = { name: 'none', args: ['--isolation', 'none'], ...(isRoot && { uid: unusedAccount }) }
  const { told, leaks, own } = await attack(mode, skip, readScript)
  expect(told).toContain(`attacked as ${mode.uid ?? ''}`)
  const of = (pid: number) => ['environ', 'maps', 'auxv', 'fd', 'cwd/.', 'root/.'].map((thing) => `${thing} of ${pid}`)
  const expected = [
    ...['flightdeck.db', 'secrets-key', 'process-mark', 'git/config', 'server.pid'].map((name) => `file ${name}`),
    'data',
    'passwordfile',
    'repository',
    'repositories',
    ...[own.server, own.victimPid, own.starter, own.spawner].flatMap((pid) => [...of(pid), `signal to ${pid}`]),
    ...[own.server, own.victimPid, own.starter].map((pid) => `variables in /proc/${pid}/environ`),
  ]
  expect(expected.filter((name) => !leaks.some((leak) => leak.startsWith(`LEAK ${name}`)))).toEqual([])
  for (const index of [0, 1, 2]) {
    const isFound = (from: string) =>
      leaks.some((leak) => leak.startsWith(`LEAK ${from}`) && leak.endsWith(`victims-${index}`))
    expect([index, isFound(own.data)]).toEqual([index, true])
  }
  expect(leaks).toContainEqual(expect.stringMatching(/^LEAK \/proc\/\d+\/cwd\/victims-2$/))
})

function chownAll(path: string, uid: number): void {
  for (const entry of readdirSync(path, { recursive: true, encoding: 'utf8' })) chownSync(join(path, entry), uid, uid)
  chownSync(path, uid, uid)
}
