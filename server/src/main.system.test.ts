import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync, chmodSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import type { Build, Line, Repo } from '@flightdeck/api'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { testRepository } from './testing/test-repository.ts'
import { findProtection } from './machine/protection.ts'
import { isAlive, signIn, spawnServer, type ServerProcess } from './testing/server-process.ts'
import { findSleepProcesses } from './testing/sleep-processes.ts'

/** For conditions that come within a second on an idle machine. */
const polling = { timeout: 30_000 }
vi.setConfig({ testTimeout: 60_000 })

let folder: string
let data: string
let running: ServerProcess[]

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'flightdeck-main-'))
  // Steps run as another account where the tests run as root.
  chmodSync(folder, 0o755)
  data = join(folder, 'data')
  running = []
})
afterEach(async () => {
  for (const server of running) {
    server.kill('SIGTERM')
    await server.ended
  }
  rmSync(folder, { recursive: true, force: true })
})

const start = (...words: string[]) => startWith({}, ...words)
function startWith(environment: Record<string, string>, ...words: string[]): ServerProcess {
  const server = spawnServer(['--port', '0', '--data', data, ...words], environment)
  running.push(server)
  return server
}
async function refused(words: string[], environment = {}) {
  const { code, stderr, stdout } = await spawnServer(words, environment).ended
  expect(stdout).toBe('')
  return [code, stderr.trim()]
}

describe('starting', () => {
  it('prints its address, and the first time where the administrator’s password is', async () => {
    const server = start()
    const address = await server.ready
    expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    expect(statSync(data).mode & 0o777).toBe(0o700)
    expect(statSync(join(data, 'admin-password')).mode & 0o777).toBe(0o600)
    const admin = await signIn(address, data)
    expect(await admin.json('/api/user/repos')).toMatchObject([{ slug: 'sample/hello', active: true }])
    server.kill('SIGINT')
    const first = await server.ended
    expect([first.code, first.stderr]).toEqual([0, ''])
    expect(first.stdout).toContain(`sign in   admin, with the password in ${join(data, 'admin-password')}`)

    const second = start()
    await second.ready
    second.kill('SIGTERM')
    expect((await second.ended).stdout).not.toContain('sign in')
  })

  it('ends with what to do next, in two lines', async () => {
    const said = async (...words: string[]) => {
      const server = start(...words)
      const address = await server.ready
      server.kill('SIGTERM')
      return (await server.ended).stdout.replaceAll(address, 'URL').trimEnd().split('\n').slice(-2)
    }
    expect(await said()).toEqual([
      '  next      open URL/sample/hello and press "New Build", or commit to it: each new commit is built within five seconds',
      '            your own repositories: restart with "npm start -- --repos FOLDER", with each one at FOLDER/{namespace}/{name}',
    ])
    const repos = join(folder, 'repos')
    mkdirSync(repos)
    data = join(folder, 'other')
    expect(await said('--repos', repos)).toEqual([
      `  next      put a Git repository (bare or with a work tree) at ${repos}/{namespace}/{name}`,
      '            sign in at URL, press Sync, open the repository and activate it',
    ])
    testRepository(join(repos, 'space/rocket')).commit({ a: '1' }, 'One')
    expect(await said('--repos', repos)).toEqual([
      '  next      open URL/space/rocket and press "Activate Repository": its page then offers the first build',
      '            from then on each new commit is built within five seconds',
    ])
    testRepository(join(repos, 'apollo/empty'))
    testRepository(join(repos, 'apollo/text')).commit({ a: '1' }, 'One')
    testRepository(join(repos, 'space/shuttle')).commit({ '.drone.yml': 'kind: pipeline' }, 'One')
    const [next] = await said('--repos', repos)
    expect(next).toContain('open URL/space/shuttle (or another of the 4) and press "Activate Repository"')
  })

  it('does not start with a Docker that is not there, and leaves no trace of it', async () => {
    const socket = join(folder, 'docker.sock')
    const words = ['--port', '0', '--data', data, '--docker', '--docker-socket', socket]
    expect(await refused(words)).toEqual([1, expect.stringContaining(`Docker not found: ${socket} does not exist`)])
    const server = start()
    await server.ready
    expect(server.errors()).toBe('')
  })

  it('takes the administrator that it is given, then and later', async () => {
    const first = startWith({ FLIGHTDECK_ADMIN: 'ann:one' })
    await first.ready
    first.kill('SIGTERM')
    await first.ended
    const server = startWith({ FLIGHTDECK_ADMIN: 'ann:two' })
    const address = await server.ready
    const target = async (password: string) => {
      const body = new URLSearchParams({ username: 'ann', password })
      const response = await fetch(`${address}/login`, { method: 'POST', body, redirect: 'manual' })
      return response.headers.get('location')
    }
    expect([await target('one'), await target('two')]).toEqual(['/login/error?message=Unauthorized', '/'])
    expect(existsSync(join(data, 'admin-password'))).toBe(false)
  })

  it('shows its password in no process list, and to none of its child processes', async () => {
    const file = join(folder, 'password')
    writeFileSync(file, 'in-the-file\n', { mode: 0o600 })
    const words = ['--port', '0', '--data', data, '--admin', 'ann']
    expect(await refused([...words, '--admin', 'ann:on-the-line'])).toEqual([
      2,
      expect.stringMatching(/--admin-password-file FILE.*FLIGHTDECK_ADMIN=LOGIN:PASSWORD/),
    ])
    const repos = join(folder, 'repos')
    const steps =
      'kind: pipeline\nsteps:\n- name: look\n  commands: [env | grep -c -e FLIGHTDECK_ADMIN -e SECRETS_KEY || true]\n'
    testRepository(join(repos, 'acme/web')).commit(
      { '.drone.yml': steps.replace('steps', 'type: exec\nname: a\nsteps') },
      'First',
    )
    const environment = { FLIGHTDECK_SECRETS_KEY: 'ab'.repeat(32), FLIGHTDECK_ADMIN: 'bob:in-the-environment' }
    const server = startWith(environment, '--repos', repos, '--admin', 'ann', '--admin-password-file', file)
    const ann = await signIn(await server.ready, data, 'ann', 'in-the-file')
    expect(readFileSync(`/proc/${server.pid}/cmdline`, 'utf8')).not.toContain('in-the-file')
    await ann.json('/api/repos/acme/web', 'POST')
    await ann.json('/api/repos/acme/web/builds', 'POST')
    await expect
      .poll(async () => (await ann.json<Build>('/api/repos/acme/web/builds/1')).status, polling)
      .toBe('success')
    expect((await ann.json<Line[]>('/api/repos/acme/web/builds/1/logs/1/2')).at(-1)?.out).toBe('0\n')
    server.kill('SIGTERM')
    expect((await server.ended).stdout).toMatch(/^  steps     (sandboxed|separate accounts|not protected)/m)
  })

  it('ends sessions and tokens of the administrator’s old password, and none at a plain restart', async () => {
    const after = async (password: string, known?: { Cookie: string; token: string; named: string }) => {
      const server = startWith({ FLIGHTDECK_ADMIN: `ann:${password}` })
      const address = await server.ready
      const whoIs = async (headers: Record<string, string>) => (await fetch(`${address}/api/user`, { headers })).status
      const signIn = async () => {
        const body = new URLSearchParams({ username: 'ann', password })
        const { headers } = await fetch(`${address}/login`, { method: 'POST', body, redirect: 'manual' })
        const Cookie = headers.get('set-cookie')?.split(';')[0] ?? ''
        const answer = await fetch(`${address}/api/user/token`, { method: 'POST', headers: { Cookie } })
        const token = JSON.stringify({ name: 'script' })
        const made = await fetch(`${address}/api/user/tokens`, { method: 'POST', headers: { Cookie }, body: token })
        const valueOf = async (response: Response) => ((await response.json()) as { token: string }).token
        return { Cookie, token: await valueOf(answer), named: await valueOf(made) }
      }
      const { Cookie, token, named } = known ?? (await signIn())
      const statuses = [await whoIs({ Cookie })]
      for (const one of [token, named]) statuses.push(await whoIs({ Authorization: `Bearer ${one}` }))
      server.kill('SIGTERM')
      await server.ended
      return { statuses, Cookie, token, named }
    }
    const first = await after('one')
    expect((await after('one', first)).statuses).toEqual([200, 200, 200])
    expect((await after('two', first)).statuses).toEqual([401, 401, 401])
  })

  it('shows help and version', async () => {
    const help = await spawnServer(['--help']).ended
    expect([help.code, help.stderr]).toEqual([0, ''])
    expect(help.stdout).toContain('FLIGHTDECK_PUBLIC_URL')
    expect((await spawnServer(['--version']).ended).stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
  })
})

describe('not starting', () => {
  it.each([
    [['--nope'], 'Unknown option --nope. --help lists the options.'],
    [
      ['--server', 'drone.example.com'],
      '--server must be an address such as https://ci.example.com, not "drone.example.com"',
    ],
    [['--port', 'x'], '--port must be a whole number from 0 to 65535, not "x"'],
  ])('because of %j', async (words, message) => {
    expect(await refused(words)).toEqual([2, message])
  })

  it('because of the environment', async () => {
    expect(await refused([], { FLIGHTDECK_CAPACITY: '0' })).toEqual([
      2,
      'FLIGHTDECK_CAPACITY must be a whole number from 1 to 1000, not "0"',
    ])
  })

  it('because the port is taken', async () => {
    const { port } = new URL(await start().ready)
    const words = ['--port', port, '--data', join(folder, 'other')]
    expect(await refused(words)).toEqual([
      1,
      `Port ${port} on 127.0.0.1 is already in use. Stop the program that uses it, or choose another port with --port`,
    ])
  })

  it('because another server has the folder, and never because of one that died', async () => {
    const first = start()
    await first.ready
    expect(await refused(['--port', '0', '--data', data])).toEqual([
      1,
      `The data folder ${data} is in use by the server with process id ${first.pid}. Stop it, or use another folder with --data`,
    ])
    first.kill('SIGKILL')
    await first.ended
    await start().ready
  })

  it('because there are no repositories', async () => {
    const repos = join(folder, 'none')
    expect(await refused(['--port', '0', '--data', data, '--repos', repos])).toEqual([
      2,
      `The repositories folder ${repos} does not exist (--repos)`,
    ])
    writeFileSync(join(folder, 'file'), '')
    expect((await refused(['--data', data, '--repos', join(folder, 'file')]))[1]).toContain('is not a folder')
  })

  it('because the key of the secrets is another one', async () => {
    const first = start()
    const admin = await signIn(await first.ready, data)
    await admin.json('/api/user/token', 'POST')
    first.kill('SIGTERM')
    await first.ended
    const environment = { FLIGHTDECK_SECRETS_KEY: 'ab'.repeat(32) }
    const [code, message] = await refused(['--port', '0', '--data', data], environment)
    expect([code, message]).toEqual([1, expect.stringContaining('The secrets key is not the one')])
  })

  it('because the data folder cannot be one, or was made by a newer version', async () => {
    writeFileSync(join(folder, 'file'), '')
    expect((await refused(['--port', '0', '--data', join(folder, 'file')]))[1]).toContain('cannot be written')
    mkdirSync(data)
    const db = new DatabaseSync(join(data, 'flightdeck.db'))
    db.exec('pragma user_version = 9999')
    db.close()
    const [code, message] = await refused(['--port', '0', '--data', data])
    expect([code, message]).toEqual([1, expect.stringContaining('created by a newer version of Flightdeck')])
  })

  it.each([
    ['something else', () => 'this is no database. '.repeat(500), 'file is not a database'],
    // The header is good, the pages behind it are not.
    [
      'half overwritten',
      (good: Buffer) => Buffer.concat([good.subarray(0, 200), Buffer.alloc(good.length - 200, 7)]),
      '',
    ],
    ['cut off', (good: Buffer) => good.subarray(0, 5_000), ''],
  ])('because the database is damaged: %s', async (_how, damage, words) => {
    const first = start()
    await first.ready
    first.kill('SIGTERM')
    await first.ended
    const file = join(data, 'flightdeck.db')
    writeFileSync(file, damage(readFileSync(file)))
    const [code, message] = await refused(['--port', '0', '--data', data])
    expect(code).toBe(1)
    expect(message).toMatch(/^The database \S+flightdeck\.db is damaged \([^\n]*\); restore it from a backup[^\n]*$/)
    expect(message).toContain(words)
  })

  it('because the key file is damaged, or the folder cannot be used', async () => {
    mkdirSync(data)
    writeFileSync(join(data, 'secrets-key'), 'abc')
    expect(await refused(['--port', '0', '--data', data])).toEqual([
      1,
      `${join(data, 'secrets-key')} is damaged: it must hold 64 hexadecimal digits`,
    ])
    mkdirSync(join(folder, 'other', 'server.pid'), { recursive: true })
    const [code, message] = await refused(['--port', '0', '--data', join(folder, 'other')])
    expect([code, message]).toEqual([1, expect.stringMatching(/^\S+server\.pid cannot be used: [^\n]+$/)])
  })

  // A disk of our own: only root can have one.
  const disk = join(tmpdir(), `flightdeck-disk-${process.pid}`)
  const mounts = process.geteuid?.() === 0 && spawnSync('mount', ['--version']).status === 0
  it.skipIf(!mounts).each([24, 200, 400])('because the disk is full: %d kB of room', async (room) => {
    mkdirSync(disk, { recursive: true })
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${room}k`, 'tmpfs', disk])
    try {
      // A container may be root and have no right to mount.
      if (mounted.status !== 0) return
      const [code, message] = await refused(['--port', '0', '--data', join(disk, 'data')])
      expect(code).toBe(1)
      expect(message).toContain(disk)
      expect(message).not.toMatch(/\n/)
      spawnSync('mount', ['-o', 'remount,size=20m', disk])
      // What was half made is no hindrance once there is room.
      const later = spawnServer(['--port', '0', '--data', join(disk, 'data')])
      running.push(later)
      await later.ready
      later.kill('SIGTERM')
      await later.ended
    } finally {
      spawnSync('umount', [disk])
      rmSync(disk, { recursive: true, force: true })
    }
  })

  it('because the account of the steps does not exist', async () => {
    const [code, message] = await refused(['--port', '0', '--data', data, '--run-as', 'no-such-account'])
    expect([code, message]).toEqual([1, expect.stringContaining('no-such-account')])
  })
})

describe('a step that prints more than --log-limit', () => {
  it('continues, and its log ends with a line that says why', async () => {
    const repos = join(folder, 'repos')
    const pipeline =
      'kind: pipeline\ntype: exec\nname: default\nsteps:\n- name: print\n  commands:\n  - seq 1 100000\n  - seq 1 3\n'
    testRepository(join(repos, 'acme/web')).commit({ '.drone.yml': pipeline }, 'First')
    const server = start('--repos', repos, '--log-limit', '1')
    const admin = await signIn(await server.ready, data)
    await admin.json('/api/repos/acme/web', 'POST')
    await admin.json('/api/repos/acme/web/builds', 'POST')
    const build = () => admin.json<Build>('/api/repos/acme/web/builds/1')
    await expect.poll(async () => (await build()).status, polling).toBe('success')
    const response = await admin.call('/api/repos/acme/web/builds/1/logs/1/2')
    const text = await response.text()
    // The limit, and the line that says so.
    expect(text.length).toBeGreaterThan(1024 * 1024 - 100)
    expect(text.length).toBeLessThan(1024 * 1024 + 200)
    const lines = JSON.parse(text) as Line[]
    expect(lines.length).toBeGreaterThan(10_000)
    expect(lines.at(-1)?.out).toBe(
      '\n[the log of this step ends here: it has reached its limit of 1 MB (--log-limit)]\n',
    )
  })
})

const nap = `1000.${process.pid}`
/**
 * Prints numbered lines forever, and leaves a child process that has removed everything that
 * identifies it.
 */
const endless = (strip: string) => `kind: pipeline
type: exec
name: default
steps:
- name: count
  commands:
  - ${strip} setsid sleep ${nap} &
  - sleep ${nap} &
  - i=0; while true; do i=$((i+1)); echo "line $i"; sleep 0.01; done
`

/** The two of `endless`. */
const sleepProcesses = () => findSleepProcesses(nap)

describe('a build that is interrupted', () => {
  let address: string

  async function begin(): Promise<{ server: ServerProcess; pids: number[] }> {
    const repos = join(folder, 'repos')
    // Where steps run as ourselves and nothing shuts them in, only those that keep their mark are
    // found.
    const { isolation } = await findProtection({ dataDir: join(folder, 'trial') })
    const strip = isolation === 'none' ? '' : 'env -i'
    testRepository(join(repos, 'acme/web')).commit({ '.drone.yml': endless(strip) }, 'First')
    const server = start('--repos', repos, '--capacity', '1')
    address = await server.ready
    const admin = await signIn(address, data)
    await admin.json('/api/repos/acme/web', 'POST')
    await admin.json('/api/repos/acme/web/builds', 'POST')
    await expect.poll(() => sleepProcesses().length, polling).toBe(2)
    return { server, pids: sleepProcesses() }
  }
  /** What a reader has seen of the log when `enough` lines have come. */
  async function follow(enough: number): Promise<Line[]> {
    const admin = await signIn(address, data)
    const response = await admin.call('/api/stream/acme/web/1/1/2')
    const reader = response.body?.getReader()
    let text = ''
    const seen = () =>
      text
        .slice(0, text.lastIndexOf('\n') + 1)
        .split('\n')
        .filter((line) => line.startsWith('data: {'))
        .map((line) => JSON.parse(line.slice(6)) as Line)
    while (seen().length < enough) text += new TextDecoder().decode((await reader?.read())?.value)
    await reader?.cancel().catch(() => {})
    return seen()
  }
  async function next() {
    const server = start('--repos', join(folder, 'repos'), '--capacity', '1')
    address = await server.ready
    return signIn(address, data)
  }

  it.each(['SIGTERM', 'SIGHUP'] as const)(
    'by %s leaves no process, and is an ended build at the next start',
    async (signal) => {
      const { server, pids } = await begin()
      server.kill(signal)
      expect(await server.ended).toMatchObject({ code: 0, stderr: '' })
      expect(pids.map(isAlive)).toEqual([false, false])
      const admin = await next()
      const build = await admin.json<Build>('/api/repos/acme/web/builds/1')
      expect(build).toMatchObject({ status: 'error', error: 'the server was restarted' })
      expect(build.stages).toMatchObject([{ error: 'the server was restarted' }])
    },
  )

  it('by a cancel leaves no process', async () => {
    const { pids } = await begin()
    const admin = await signIn(address, data)
    expect(await admin.json<Build>('/api/repos/acme/web/builds/1', 'DELETE')).toMatchObject({ status: 'killed' })
    await expect.poll(() => pids.map(isAlive), polling).toEqual([false, false])
  })

  it('by the death of the server keeps what was seen, ends its orphans and can be restarted', async () => {
    const { server, pids } = await begin()
    const seen = await follow(100)
    server.kill('SIGKILL')
    await server.ended
    const admin = await next()
    expect(pids.map(isAlive)).toEqual([false, false])
    expect(await admin.json<Build>('/api/repos/acme/web/builds/1')).toMatchObject({
      status: 'error',
      error: 'the server was restarted',
    })
    const saved = await admin.json<Line[]>('/api/repos/acme/web/builds/1/logs/1/2')
    expect(saved.slice(0, seen.length)).toEqual(seen)
    const counted = saved.flatMap(({ out }) => /^line (\d+)\n$/.exec(out)?.[1] ?? [])
    expect(counted).toEqual(counted.map((_, index) => String(index + 1)))
    expect(await admin.json<Build>('/api/repos/acme/web/builds/1', 'POST')).toMatchObject({ number: 2, parent: 1 })
    await expect
      .poll(async () => (await admin.json<Build>('/api/repos/acme/web/builds/2')).status, polling)
      .toBe('running')
  })

  it('starts automatically for a commit', async () => {
    const source = testRepository(join(folder, 'repos', 'acme/tool'))
    source.commit({ a: '1' }, 'First')
    const server = start('--repos', join(folder, 'repos'))
    address = await server.ready
    const admin = await signIn(address, data)
    expect(await admin.json<Repo>('/api/repos/acme/tool', 'POST')).toMatchObject({ active: true })
    const steps = 'kind: pipeline\ntype: exec\nname: default\nsteps:\n- name: hello\n  commands: [echo hello]\n'
    source.commit({ '.drone.yml': steps }, 'Build it')
    await expect
      .poll(async () => (await admin.json<Build[]>('/api/repos/acme/tool/builds'))[0], polling)
      .toMatchObject({ event: 'push', status: 'success', message: expect.stringContaining('Build it') as string })
    expect(await admin.json<Line[]>('/api/repos/acme/tool/builds/1/logs/1/2')).toEqual(
      expect.arrayContaining([expect.objectContaining({ out: 'hello\n' })]),
    )
  })
})

describe('the log of the server', () => {
  it('has one JSON object for each entry, and those of the level that was asked for', async () => {
    const server = start('--log-format', 'json', '--log-level', 'debug')
    const address = await server.ready
    await fetch(`${address}/api/user`)
    const entries = () =>
      server
        .errors()
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as { level: string; message: string })
    await expect
      .poll(() => entries().filter(({ level }) => level === 'debug'), polling)
      .toContainEqual(expect.objectContaining({ message: expect.stringMatching(/^GET \/api\/user 401 \d+ ms$/) }))
    server.kill('SIGTERM')
    await server.ended
  })
})
