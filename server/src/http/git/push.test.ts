import { execFile, execFileSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { listen, type Listener } from '../../listener/listener.ts'
import { updateRepoInternals } from '../../store/repos.ts'
import type { CreatedAccessToken } from '@flightdeck/api'
import { setPermissions } from '../../store/permissions.ts'
import { findUserByLogin } from '../../store/users.ts'
import { createTestApp, rpcSecret, tokenOf, type Person, type TestApp } from '../../testing/test-app.ts'
import { pipelines } from '../../testing/test-bench.ts'

const run = promisify(execFile)

let app: TestApp
let listener: Listener
let work: string
let count = 0
let shared: string

const environment = () => ({
  PATH: process.env['PATH'],
  HOME: app.bench.dir,
  GIT_TERMINAL_PROMPT: '0',
  GIT_AUTHOR_NAME: 'S',
  GIT_AUTHOR_EMAIL: 's@example.com',
  GIT_COMMITTER_NAME: 'S',
  GIT_COMMITTER_EMAIL: 's@example.com',
})
const git = async (...args: string[]) => {
  const { stdout, stderr } = await run('git', args, { cwd: work, env: environment(), timeout: 20_000 })
  return stdout + stderr
}
/** What git says as it fails. */
const failure = (...args: string[]) =>
  git(...args).then(
    (text) => `no failure: ${text}`,
    (error: { stderr: string }) => error.stderr,
  )
const address = (person: Person = 'wes', path = 'acme/web.git') => {
  const url = new URL(`${listener.url}/${path}`)
  url.username = person
  url.password = tokenOf(person)
  return url.href
}
/** A commit that no other test has. */
async function commit(): Promise<string> {
  writeFileSync(join(work, `file-${count++}.txt`), `${count}\n`)
  await git('add', '.')
  await git('commit', '-q', '-m', `Commit ${count}`)
  return (await git('rev-parse', 'HEAD')).trim()
}
const packetOf = (text: string) => `${(text.length + 4).toString(16).padStart(4, '0')}${text}`
const refOf = (name: string) => app.bench.source.git('for-each-ref', '--format=%(objectname)', name)

beforeAll(async () => {
  app = await createTestApp()
  app.bench.commit(pipelines({ default: '' }), 'first')
  listener = await listen('127.0.0.1', 0)
  listener.serve(app.app.fetch)
  shared = join(app.bench.dir, 'work')
  work = app.bench.dir
  await git('clone', '-q', address(), shared)
  work = shared
})
beforeEach(async () => {
  work = shared
  await git('checkout', '-q', '-B', 'work', 'origin/main')
})
afterAll(async () => {
  await listener.close()
  expect(app.failures).toEqual([])
  await app.close()
})

describe('a person who may write', () => {
  it.each(['version=2', 'version=0'])('pushes a branch and a tag, and deletes them (protocol %s)', async (version) => {
    const protocol = `protocol.version=${version.at(-1)}`
    const sha = await commit()
    await git('tag', '-f', '-a', 'v1.0', '-m', 'One')
    await git('-c', protocol, 'push', '-q', address(), 'HEAD:refs/heads/feature/x', 'v1.0')
    expect(refOf('refs/heads/feature/x')).toBe(sha)
    expect(refOf('refs/tags/v1.0')).toBe((await git('rev-parse', 'v1.0')).trim())
    expect(app.bench.source.git('fsck', '--connectivity-only')).not.toContain('missing')
    await git('-c', protocol, 'push', '-q', address(), ':feature/x', ':v1.0')
    expect([refOf('refs/heads/feature/x'), refOf('refs/tags/v1.0')]).toEqual(['', ''])
  })

  it('pushes much at once: a pack of megabytes, and from a shallow clone @system', async () => {
    writeFileSync(
      join(work, 'large.bin'),
      Buffer.alloc(3_000_000, 'x').map((_, at) => (at * 2_654_435_761) >>> 13),
    )
    for (let at = 0; at < 150; at++) writeFileSync(join(work, `many-${at}.txt`), `${at}\n`)
    const sha = await commit()
    await git('push', '-q', address(), 'HEAD:large')
    expect(refOf('refs/heads/large')).toBe(sha)
    work = join(app.bench.dir, 'shallow')
    await run('git', ['clone', '-q', '--depth=1', '--branch', 'large', address(), work], { env: environment() })
    const next = await commit()
    await git('push', '-q', address(), 'HEAD:shallow')
    expect(refOf('refs/heads/shallow')).toBe(next)
  })

  it('is refused what is not a fast-forward, unless it forces @system', async () => {
    await commit()
    await git('push', '-q', address(), 'HEAD:rewound')
    await git('reset', '-q', '--hard', 'origin/main')
    const other = await commit()
    expect(await failure('push', address(), 'HEAD:rewound')).toMatch(/rejected/)
    await git('push', '-q', '-f', address(), 'HEAD:rewound')
    expect(refOf('refs/heads/rewound')).toBe(other)
  })

  it('is refused a branch that is checked out, with the others of that push @system', async () => {
    const before = refOf('refs/heads/main')
    await commit()
    const said = await failure('push', address(), 'HEAD:main', 'HEAD:beside')
    expect(said).toMatch(/main \(branch is checked out in the folder of the repository; push another branch\)/)
    expect(said).toMatch(/beside \(another ref of this push is refused\)/)
    expect([refOf('refs/heads/main'), refOf('refs/heads/beside')]).toEqual([before, ''])
  })

  it('is refused a branch of a linked work tree', async () => {
    const linked = join(app.bench.dir, 'linked')
    app.bench.source.git('worktree', 'add', '-q', '-b', 'linked', linked)
    await commit()
    expect(await failure('push', address(), 'HEAD:linked')).toMatch(/checked out/)
    app.bench.source.git('worktree', 'remove', '--force', linked)
  })

  it('pushes to the default branch of a bare repository, also of one in a folder named .git', async () => {
    const bare = join(app.bench.dir, 'bare', '.git')
    app.bench.source.git('clone', '-q', '--bare', app.bench.source.path, bare)
    const repo = await app.repo()
    await updateRepoInternals(app.bench.db, repo.id, { path: bare })
    try {
      const sha = await commit()
      await git('push', '-q', address(), 'HEAD:main')
      expect(app.bench.source.git('--git-dir', bare, 'rev-parse', 'main').trim()).toBe(sha)
    } finally {
      await updateRepoInternals(app.bench.db, repo.id, { path: app.bench.source.path })
    }
  })

  it.each(['refs/pull/7/head', 'refs/notes/x', 'refs/remotes/origin/x', 'refs/x'])('is refused %s', async (ref) => {
    await commit()
    expect(await failure('push', address(), `HEAD:${ref}`)).toMatch(/only branches and tags can be pushed/)
    expect(refOf(ref)).toBe('')
  })

  it('is refused where the repository checks pushes by a hook, which does not run @system', async () => {
    const hooks = join(app.bench.source.path, '.git', 'hooks')
    mkdirSync(hooks, { recursive: true })
    const ran = join(app.bench.dir, 'hook-ran')
    for (const name of ['pre-receive', 'update', 'reference-transaction', 'proc-receive']) {
      const file = join(hooks, name)
      writeFileSync(file, `#!/bin/sh\ntouch ${ran}\n`)
      chmodSync(file, 0o755)
      await commit()
      expect(await failure('push', address(), 'HEAD:hooked')).toContain(`The repository has a hook ${name}`)
      rmSync(file)
    }
    expect([existsSync(ran), refOf('refs/heads/hooked')]).toEqual([false, ''])
  })

  it('runs nothing that the repository names, whose stricter rules hold @system', async () => {
    const { source, dir } = app.bench
    const ran = join(dir, 'ran')
    const program = join(dir, 'program')
    writeFileSync(program, `#!/bin/sh\necho "$0 $@" >> ${ran}\nexit 1\n`)
    chmodSync(program, 0o755)
    const hooks = join(dir, 'hooks-of-theirs')
    mkdirSync(hooks)
    for (const name of ['post-receive', 'post-update', 'pre-auto-gc', 'push-to-checkout', 'update']) {
      writeFileSync(join(hooks, name), `#!/bin/sh\necho ${name} >> ${ran}\n`)
      chmodSync(join(hooks, name), 0o755)
    }
    const settings = [
      ['core.hooksPath', hooks],
      ['core.fsmonitor', program],
      ['core.alternateRefsCommand', program],
      ['gpg.program', program],
      ['receive.autogc', 'true'],
      ['receive.procReceiveRefs', 'refs/heads'],
      ['receive.certNonceSeed', 'x'],
      ['gc.auto', '1'],
      ['receive.denyNonFastForwards', 'true'],
    ] as const
    for (const [name, value] of settings) source.git('config', name, value)
    await commit()
    await git('push', '-q', address(), 'HEAD:strict')
    const before = refOf('refs/heads/strict')
    await git('reset', '-q', '--hard', 'origin/main')
    await commit()
    expect(await failure('push', '-f', address(), 'HEAD:strict')).toMatch(/denying non-fast-forward/)
    source.git('config', 'receive.denyDeletes', 'true')
    expect(await failure('push', address(), ':strict')).toMatch(/deletion/)
    expect([existsSync(ran), refOf('refs/heads/strict')]).toEqual([false, before])
    for (const [name] of [...settings, ['receive.denyDeletes']]) source.git('config', '--unset', name ?? '')
  })

  it('is refused a ref behind a link', async () => {
    const heads = join(app.bench.source.path, '.git/refs/heads')
    const elsewhere = join(app.bench.dir, 'elsewhere')
    mkdirSync(elsewhere)
    symlinkSync(elsewhere, join(heads, 'out'))
    await commit()
    const said = await failure('push', address(), 'HEAD:out/x', 'HEAD:beside')
    rmSync(join(heads, 'out'))
    expect(said).toMatch(/out\/x \(refs\/heads\/out is a symbolic ref, and Flightdeck does not push to it\)/)
    expect(said).toMatch(/beside \(another ref of this push is refused\)/)
    expect([readdirSync(elsewhere), refOf('refs/heads/beside')]).toEqual([[], ''])
  })
})

/** As git reads them: any letter case, a section on the same line, a comment after it. */
it.each([
  '[receive] denyDeletes\n',
  '[Receive]\n\tdenydeletes = "yes" # kept\n',
  '[receive] DenyDeletes=1;\n',
  '[receive]\ndenyDeletes = true\n[x]\ndenyDeletes = false\n',
])('a stricter rule holds, written as %j @system', async (text) => {
  const file = join(app.bench.source.path, '.git', 'config')
  const before = readFileSync(file)
  await commit()
  await git('push', '-q', '-f', address(), 'HEAD:kept')
  appendFileSync(file, text)
  try {
    expect(await failure('push', address(), ':kept')).toMatch(/deletion/)
  } finally {
    writeFileSync(file, before)
  }
})

describe('a named token', () => {
  const create = async (json: { name: string; expires?: number }) => {
    const answer = await app.answer('/api/user/tokens', { as: 'wes', method: 'POST', json })
    return answer[1] as CreatedAccessToken
  }
  const addressWith = (token: string) => address().replace(tokenOf('wes'), token)

  it('pushes until it is revoked', async () => {
    const { token, id } = await create({ name: 'push' })
    const sha = await commit()
    await git('push', '-q', addressWith(token), 'HEAD:named')
    expect(refOf('refs/heads/named')).toBe(sha)
    await app.request(`/api/user/tokens/${id}`, { as: 'wes', method: 'DELETE' })
    await commit()
    expect(await failure('push', addressWith(token), 'HEAD:named')).toMatch(/Authentication failed/)
    expect(refOf('refs/heads/named')).toBe(sha)
  })

  it('pushes until it expires', async () => {
    const { clock } = app.bench
    const { token } = await create({ name: 'short', expires: clock.now + 60 })
    expect(await git('ls-remote', addressWith(token), 'refs/heads/main')).toContain('refs/heads/main')
    clock.now += 61
    await commit()
    expect(await failure('push', addressWith(token), 'HEAD:expired')).toMatch(/Authentication failed/)
    expect(refOf('refs/heads/expired')).toBe('')
  })
})

describe('a right that ends while the push arrives', () => {
  const zero = '0'.repeat(40)
  const command = (text: string) => `${packetOf(`${text}\0report-status\n`)}0000`
  const takeAway = async () => {
    const { id } = await app.repo()
    const { id: userId } = (await findUserByLogin(app.bench.db, 'wes')) ?? { id: 0 }
    const change = (write: boolean) =>
      setPermissions(app.bench.db, { userId, repoId: id }, { read: true, write, admin: false }, 1)
    await change(false)
    return () => change(true)
  }

  it('changes no ref', async () => {
    const sha = await commit()
    const pack = execFileSync('git', ['pack-objects', '--revs', '--stdout', '-q'], { cwd: work, input: `${sha}\n` })
    const begun = vi.spyOn(app.dependencies.rpc.pushes, 'receive')
    let giveBack = async () => {}
    const response = await post(
      (async function* () {
        yield Buffer.from(command(`${zero} ${sha} refs/heads/late`))
        await vi.waitFor(() => expect(begun).toHaveBeenCalled())
        yield pack.subarray(0, 50)
        giveBack = await takeAway()
        yield pack.subarray(50)
      })(),
    )
    begun.mockRestore()
    await giveBack()
    expect([response.status, await response.text()]).toEqual([
      403,
      'wes has read access to acme/web, but no write access\n',
    ])
    expect(refOf('refs/heads/late')).toBe('')
  })

  it('deletes no ref', async () => {
    const sha = await commit()
    await git('push', '-q', address(), 'HEAD:stays')
    const begun = vi.spyOn(app.dependencies.rpc.pushes, 'receive')
    let giveBack = async () => {}
    const text = command(`${sha} ${zero} refs/heads/stays`)
    const response = await post(
      (async function* () {
        yield Buffer.from(text.slice(0, 20))
        await vi.waitFor(() => expect(begun).toHaveBeenCalled())
        giveBack = await takeAway()
        yield Buffer.from(text.slice(20))
      })(),
    )
    begun.mockRestore()
    await giveBack()
    expect(response.status).toBe(403)
    expect(refOf('refs/heads/stays')).toBe(sha)
  })
})

describe('others', () => {
  it('a reader reads and does not write', async () => {
    expect(await git('ls-remote', address('rae'), 'refs/heads/main')).toContain('refs/heads/main')
    await commit()
    expect(await failure('push', address('rae'), 'HEAD:mine')).toMatch(
      /remote: rae has read access to acme\/web, but no write access/,
    )
    expect(refOf('refs/heads/mine')).toBe('')
  })

  it('hear nothing of what they may not read', async () => {
    for (const path of ['acme/web.git', 'acme/none.git'])
      expect(await failure('ls-remote', address('otto', path))).toMatch(/not found/)
    const wrong = address().replace(tokenOf('wes'), 'x'.repeat(32))
    expect(await failure('ls-remote', wrong)).toMatch(/Authentication failed/)
  })

  it('a build is told whose credential it needs @system', async () => {
    const sha = app.bench.commit(pipelines({ default: '' }), 'built')
    await app.bench.push(sha)
    const headers = { 'X-Drone-Token': rpcSecret }
    const body = JSON.stringify({ kind: 'pipeline', type: 'exec' })
    const polled = await app.request('/rpc/v2/stage', { method: 'POST', headers, body })
    const { id } = (await polled.json()) as { id: number }
    await app.request(`/rpc/v2/stage/${id}?machine=far`, { method: 'POST', headers })
    const details = await app.request(`/rpc/v2/stage/${id}`, { headers })
    const { netrc } = (await details.json()) as { netrc: { login: string; password: string } }
    const url = new URL(`${listener.url}/acme/web.git`)
    url.username = netrc.login
    url.password = netrc.password
    await commit()
    expect(await failure('push', url.href, 'HEAD:mine')).toMatch(
      /remote: Build credentials are read-only\. To push, use the login and token of a user with write access to acme\/web/,
    )
    expect(refOf('refs/heads/mine')).toBe('')
  })
})

const pushHeaders = () => ({
  Authorization: `Basic ${Buffer.from(`wes:${tokenOf('wes')}`).toString('base64')}`,
  'Content-Type': 'application/x-git-receive-pack-request',
})
const post = (body: BodyInit | AsyncIterable<Uint8Array>, headers: Record<string, string> = {}) =>
  fetch(`${listener.url}/acme/web.git/git-receive-pack`, {
    method: 'POST',
    body: body as BodyInit,
    ...(typeof body === 'object' && Symbol.asyncIterator in body && { duplex: 'half' as const }),
    headers: { ...pushHeaders(), ...headers },
  })

/**
 * The status of a push on a connection of its own: the server may close one whose body it refused
 * before the end, half a second later.
 */
const statusAlone = (body: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const agent = new Agent({ keepAlive: true })
    const headers = { ...pushHeaders(), 'Content-Length': body.length }
    const call = request(`${listener.url}/acme/web.git/git-receive-pack`, { method: 'POST', agent, headers })
    call.once('error', reject)
    call.once('response', (response) => {
      resolve(response.statusCode)
      agent.destroy()
    })
    call.end(body)
  })

it('a body that is not git’s is refused', async () => {
  expect((await post('zzzz')).status).toBe(400)
  expect((await post('00')).status).toBe(400)
  expect((await post('0003')).status).toBe(400)
  expect((await post('0016push-cert x=\0 caps')).status).toBe(400)
  expect(await statusAlone(`ffff${'x'.repeat(65_531)}`.repeat(20))).toBe(413)
  expect((await post('x', { 'Content-Type': 'text/plain' })).status).toBe(415)
})

it('a push that names too many refs is told so in git’s report, and stores none', async () => {
  const sha = await commit()
  // git's own client takes minutes to send so many.
  const commands = Array.from({ length: 11_000 }, (_, at) =>
    packetOf(`${'0'.repeat(40)} ${sha} refs/tags/many-${at}${at === 0 ? '\0report-status' : ''}`),
  )
  const response = await post(`${commands.join('')}0000`)
  expect([response.status, await response.text()]).toEqual([
    200,
    `${packetOf('unpack the push names too many refs (more than 1 MiB, about 10,000): push fewer at a time\n')}0000`,
  ])
  expect(refOf('refs/tags/many-0')).toBe('')
})

describe('a name that git’s own client does not send', () => {
  const zero = '0'.repeat(40)
  const ask = async (ref: string) => {
    const body = `${packetOf(`${zero} ${'1'.repeat(40)} ${ref}\0report-status\n`)}0000`
    const response = await post(body)
    return [response.status, await response.text()] as const
  }

  it.each([
    ['of 60 KB', `refs/heads${'/a'.repeat(30_000)}`],
    ['that leaves the folder', 'refs/heads/../../../../link'],
    ['with a sign that no name has', 'refs/heads/a:b'],
    ['with a space', 'refs/heads/a b'],
  ])('is refused: one %s', async (_title, ref) => {
    symlinkSync('/etc', join(app.bench.source.path, 'link'))
    try {
      const [status, text] = await ask(ref)
      expect([status, text.slice(-40)]).toEqual([200, expect.stringMatching(/not a valid branch or tag name\n0000$/)])
    } finally {
      rmSync(join(app.bench.source.path, 'link'))
    }
  })

  it('is refused without an answer that could hold it', async () => {
    const ref = `refs/heads/${Buffer.alloc(50_000, 0xff).toString('latin1')}`
    const text = `${zero} ${'1'.repeat(40)} ${ref}\0report-status\n`
    const body = Buffer.from(`${packetOf(text)}0000`, 'latin1')
    expect((await post(body)).status).toBe(400)
  })
})

// Only root can give a repository to another account.
it.skipIf(process.geteuid?.() !== 0)('as root, what is pushed belongs to the owner of the folder @system', async () => {
  const { source } = app.bench
  execFileSync('chown', ['-R', '424243:424243', source.path])
  chmodSync(app.bench.dir, 0o755)
  try {
    await commit()
    await git('push', '-q', address(), 'HEAD:owned')
    const owners = execFileSync('find', [join(source.path, '.git'), '-printf', '%U\n'], { encoding: 'utf8' })
    expect([...new Set(owners.trim().split('\n'))]).toEqual(['424243'])
    expect(execFileSync('ls', [join(source.path, '.git/refs/heads')], { encoding: 'utf8' })).toContain('owned')
  } finally {
    execFileSync('chown', ['-R', '0:0', source.path])
  }
})
