/**
 * Kernel objects (keys, shared memory, semaphores, queues) do not pass data from the server to a
 * step, or from one stage to the next. Real servers run a step that creates all of them, then one
 * that searches for them. The steps use Perl for system calls.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { chmodSync, chownSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { isDone, type Build, type Line } from '@flightdeck/api'
import { afterEach, expect, test, vi } from 'vitest'
import { canEnter } from '../machine/account.ts'
import { serverBundle } from '../testing/bundles.ts'
import { signIn } from '../testing/server-process.ts'
import { testRepository } from '../testing/test-repository.ts'

vi.setConfig({ testTimeout: 120_000 })
const isRoot = process.geteuid?.() === 0
const polling = { timeout: 90_000, interval: 100 }
/** System call numbers: add_key, keyctl, mq_open. */
const numbers = { x64: [248, 250, 240], arm64: [217, 219, 180] }[process.arch as string]

/** Adds a key to a keyring: -3 is the session's keyring, -4 the account's. */
const addKey = (name: string, keyring: number) =>
  `syscall(${numbers?.[0]}, my $t = 'user', my $n = '${name}', my $v = 'x', 1, ${keyring}) > 0 or print "cannot add ${name}: $!\\n";`
const findKey = (name: string) =>
  [-3, -4, -5]
    .map(
      (keyring) =>
        `{ my ($t, $n) = ('user', '${name}'); print "LEAK key ${name} in ${keyring}\\n" if syscall(${numbers?.[1]}, 10, ${keyring}, $t, $n, 0) > 0; }`,
    )
    .join('\n')

/** The keys contain this process's id, so that objects of an earlier run are not counted. */
const keys = [0, 1, 2].map((index) => process.pid * 4 + index)
const queue = `flightdeck-left-${process.pid}`

const leaving = `
${addKey('of-a-session', -3)}
${addKey('of-an-account', -4)}
my $m = shmget(${keys[0]}, 4096, 01666); my $s = semget(${keys[1]}, 1, 01666); my $q = msgget(${keys[2]}, 01666);
my $name = '${queue}'; syscall(${numbers?.[2]}, $name, 0102, 0666, 0);
print 'left ', (grep { defined } $m, $s, $q) + 0, " objects\\n";
`
const looking = `
${findKey('of-the-server')}
${findKey('of-a-session')}
${findKey('of-an-account')}
for my $kind (qw(shm sem msg)) {
  open(my $list, '<', "/proc/sysvipc/$kind"); my $head = <$list>;
  while (<$list>) { print "LEAK $kind $_" if /^\\s*(${keys.join('|')})\\s/; }
}
my $name = '${queue}'; print "LEAK queue\\n" if syscall(${numbers?.[2]}, $name, 0, 0, 0) >= 0;
print "looked\\n";
`

let folder: string
let server: ChildProcess | undefined
afterEach(async () => {
  if (server && server.exitCode === null) {
    const ended = once(server, 'exit')
    server.kill('SIGTERM')
    await ended
  }
  rmSync(folder, { recursive: true, force: true })
})

/** Starts the server from a session keyring that contains a key. */
async function start(words: readonly string[], uid: number | undefined): Promise<string> {
  const joined = `syscall(${numbers?.[1]}, 1, 0); ${addKey('of-the-server', -3)} exec { $ARGV[0] } @ARGV;`
  server = spawn('/usr/bin/perl', ['-e', joined, process.execPath, serverBundle, ...words], {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], FLIGHTDECK_DRAIN_TIMEOUT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(uid !== undefined && { uid, gid: uid }),
  })
  let said = ''
  for (const stream of [server.stdout, server.stderr]) stream?.on('data', (data: Buffer) => (said += data.toString()))
  return vi.waitFor(() => /is ready: (\S+)/.exec(said)?.[1] ?? expect.fail(said), { timeout: 60_000, interval: 50 })
}

const modes = [
  { name: 'sandboxed, as root', isolation: 'sandbox', needsRoot: true },
  { name: 'separate accounts', isolation: 'accounts', needsRoot: true },
  { name: 'sandboxed, as an ordinary user', isolation: 'sandbox', uid: 424_243 },
]

test.for(modes)('$name: a step finds no object of the server or of an earlier stage', async (mode, { skip }) => {
  folder = mkdtempSync(join(tmpdir(), 'flightdeck-kernel-'))
  chmodSync(folder, 0o755)
  skip(numbers === undefined, 'the numbers of system calls are not known here')
  skip(mode.needsRoot === true && !isRoot, 'only root can do this')
  const uid = isRoot ? mode.uid : undefined
  const checkout = dirname(serverBundle)
  skip(
    uid !== undefined && !(await canEnter(checkout, { name: '', uid, gid: uid })),
    'an ordinary user cannot read this',
  )
  const [data, repos] = [join(folder, 'data'), join(folder, 'repos')]
  const origin = testRepository(join(repos, 'acme/web'))
  const pipeline = (name: string, more = '') =>
    `---\nkind: pipeline\ntype: exec\nname: ${name}\n${more}steps: [{name: one, commands: ["perl ${name}.pl"]}]\n`
  const file = pipeline('leave') + pipeline('look', 'depends_on: [leave]\n')
  origin.commit({ '.drone.yml': file, 'leave.pl': leaving, 'look.pl': looking }, 'Leave, then look')
  if (uid !== undefined) {
    for (const entry of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
      chownSync(join(folder, entry), uid, uid)
    chownSync(folder, uid, uid)
  }
  const address = await start(
    ['--port', '0', '--data', data, '--repos', repos, '--isolation', mode.isolation, '--capacity', '1'],
    uid,
  ).catch((error: unknown) => {
    if (String(error).includes('on this machine')) return null
    throw error
  })
  if (address === null) return skip('this machine gives no such protection')
  const admin = await signIn(address, data, 'admin', readFileSync(join(data, 'admin-password'), 'utf8').trim())
  const repo = '/api/repos/acme/web'
  await admin.json(repo, 'POST')
  const { number } = await admin.json<Build>(`${repo}/builds`, 'POST')
  const build = () => admin.json<Build>(`${repo}/builds/${number}`)
  await vi.waitFor(async () => expect(isDone((await build()).status)).toBe(true), polling)
  const told = async (stage: number) =>
    (await admin.json<Line[]>(`${repo}/builds/${number}/logs/${stage}/2`)).map(({ out }) => out).join('')
  expect(await told(1)).toContain('left 3 objects')
  const found = await told(2)
  expect(found.split('\n').filter((line) => line.startsWith('LEAK'))).toEqual([])
  expect(found).toContain('looked')
})
