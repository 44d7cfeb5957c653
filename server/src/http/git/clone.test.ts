import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testRepository } from '../../testing/test-repository.ts'
import { pipelines } from '../../testing/test-bench.ts'
import { listen, type Listener } from '../../listener/listener.ts'
import { createTestApp, rpcSecret, type TestApp } from '../../testing/test-app.ts'

const run = promisify(execFile)

let app: TestApp
let listener: Listener
let login: string
let password: string
let sha: string
let hidden: string
let clones = 0

const rpc = async <T>(method: string, path: string): Promise<T> => {
  const response = await app.request(`/rpc/v2${path}`, { method, headers: { 'X-Drone-Token': rpcSecret } })
  return (await response.json()) as T
}
/** A runner takes the oldest stage and gets its clone credentials. */
async function take() {
  const headers = { 'X-Drone-Token': rpcSecret }
  const body = JSON.stringify({ kind: 'pipeline', type: 'exec' })
  const polled = await app.request('/rpc/v2/stage', { method: 'POST', headers, body })
  const stage = (await polled.json()) as { id: number; build_id: number }
  await rpc('POST', `/stage/${stage.id}?machine=far`)
  const details = await rpc<{ netrc: { machine: string; login: string; password: string } }>(
    'GET',
    `/stage/${stage.id}`,
  )
  return { stage, netrc: details.netrc }
}

beforeAll(async () => {
  app = await createTestApp()
  const { bench } = app
  const other = testRepository(join(bench.dir, 'repos', 'acme', 'other'))
  hidden = other.commit({ 'secret.txt': 'of another repository' }, 'hidden')
  await bench.ci.sync(bench.user)
  bench.commit(pipelines({ default: '' }), 'first')
  bench.source.git('config', 'http.receivepack', 'true')
  for (let i = 0; i < 60; i++) bench.source.git('branch', `many/branch-${i}`)
  sha = bench.commit(pipelines({ default: '' }), 'second')
  listener = await listen('127.0.0.1', 0)
  listener.serve(app.app.fetch)
  await bench.push(sha)
  ;({ login, password } = (await take()).netrc)
})
afterAll(async () => {
  await listener.close()
  // What git cannot read is for the operator, too.
  const faults = app.failures.filter((failure) => !String(failure).startsWith('Error: git exited with 128: fatal: '))
  expect(faults).toEqual([])
  await app.close()
})

const address = (path = 'acme/web.git', user = login, word = password) => {
  const url = new URL(`${listener.url}/${path}`)
  url.username = user
  url.password = word
  return url.href
}
const git = (...args: string[]) =>
  run('git', args, { env: { ...process.env, GIT_TERMINAL_PROMPT: '0', HOME: app.bench.dir }, timeout: 20_000 })
const target = () => join(app.bench.dir, `clone-${clones++}`)
const ask = (path: string, init: RequestInit = {}, user = login, word = password) =>
  fetch(`${listener.url}/${path}`, {
    ...init,
    headers: { Authorization: `Basic ${Buffer.from(`${user}:${word}`).toString('base64')}`, ...init.headers },
  })

describe('git, with the netrc of a build that runs', () => {
  it.each(['', 'hello', '0009want', 'zzzz', '0032want 0000000000000000000000000000000000000000'])(
    'refuses a request that does not follow its protocol: %j',
    async (body) => {
      const headers = { 'Content-Type': 'application/x-git-upload-pack-request' }
      const before = app.failures.length
      const response = await ask('acme/web.git/git-upload-pack', { method: 'POST', headers, body })
      expect([response.status, await response.text()]).toEqual([400, expect.stringContaining('protocol')])
      expect(app.failures).toHaveLength(before)
    },
  )

  it.each(['version=2', 'version=0'])('clones its repository (protocol %s)', async (version) => {
    const folder = target()
    await git('-c', `protocol.version=${version.at(-1)}`, 'clone', '-q', address(), folder)
    expect((await git('-C', folder, 'rev-parse', 'HEAD')).stdout.trim()).toBe(sha)
    expect((await git('-C', folder, 'branch', '-r')).stdout.split('\n').length).toBeGreaterThan(60)
  })

  describe('Git LFS', () => {
    const path = 'acme/web.git/info/lfs/objects'
    const batch = (operation: string, oids: string[], word = password) =>
      ask(
        `${path}/batch`,
        { method: 'POST', body: JSON.stringify({ operation, objects: oids.map((oid) => ({ oid, size: 5 })) }) },
        login,
        word,
      )
    function store(content: string): { oid: string; file: string } {
      const oid = createHash('sha256').update(content).digest('hex')
      const folder = join(app.bench.source.path, '.git/lfs/objects', oid.slice(0, 2), oid.slice(2, 4))
      mkdirSync(folder, { recursive: true })
      writeFileSync(join(folder, oid), content)
      return { oid, file: join(folder, oid) }
    }

    it('serves the objects in the folder of the repository', async () => {
      const { oid } = store('large')
      const missing = 'f'.repeat(64)
      const response = await batch('download', [oid, missing])
      expect(response.headers.get('content-type')).toBe('application/vnd.git-lfs+json')
      const href = `${listener.url}/${path}/${oid}`
      expect(await response.json()).toEqual({
        transfer: 'basic',
        objects: [
          { oid, size: 5, actions: { download: { href } } },
          { oid: missing, size: 5, error: { code: 404, message: expect.any(String) } },
        ],
      })
      expect(await (await ask(`${path}/${oid}`)).text()).toBe('large')
      expect((await ask(`${path}/${missing}`)).status).toBe(404)
    })

    it('follows no links, and requires the credential', async () => {
      const { oid, file } = store('of another folder')
      const elsewhere = join(app.bench.dir, 'elsewhere')
      renameSync(file, elsewhere)
      symlinkSync(elsewhere, file)
      expect((await ask(`${path}/${oid}`)).status).toBe(404)
      rmSync(file)
      rmSync(dirname(file), { recursive: true })
      mkdirSync(join(app.bench.dir, 'folder'), { recursive: true })
      renameSync(elsewhere, join(app.bench.dir, 'folder', oid))
      symlinkSync(join(app.bench.dir, 'folder'), dirname(file))
      expect((await ask(`${path}/${oid}`)).status).toBe(404)
      expect((await batch('download', [oid], 'wrong')).status).toBe(401)
      expect((await ask(`${path}/${oid}`, {}, login, 'wrong')).status).toBe(401)
    })

    it('refuses uploads, locks and requests that are not of its protocol', async () => {
      const upload = await batch('upload', ['a'.repeat(64)])
      expect([upload.status, await upload.json()]).toEqual([501, { message: expect.stringContaining('git lfs push') }])
      expect((await batch('download', ['../../config'])).status).toBe(422)
      for (const body of ['', '{}', '[]', 'null', '{"objects":[null]}'])
        expect([body, (await ask(`${path}/batch`, { method: 'POST', body })).status]).toEqual([body, 422])
      expect((await ask('acme/web.git/info/lfs/locks/verify', { method: 'POST', body: '{}' })).status).toBe(404)
    })
  })

  it.each(['blob:none', 'blob:limit=1', 'tree:0'])('clones a part of its repository (%s)', async (filter) => {
    const folder = target()
    const { stderr } = await git('clone', '-q', `--filter=${filter}`, '--no-checkout', address(), folder)
    expect(stderr).toBe('')
    const { stdout } = await git('-C', folder, 'rev-list', '--objects', '--all', '--missing=print')
    expect(stdout).toMatch(/^\?[0-9a-f]{40}$/m)
    await git('-C', folder, 'checkout', '-q', 'main')
  })

  it('refuses filters that take git long', async () => {
    for (const filter of ['tree:5', 'sparse:oid=main:.drone.yml'])
      await expect(git('clone', '-q', '--no-checkout', `--filter=${filter}`, address(), target())).rejects.toThrow()
  })

  it('fetches the commit of the build, shallow, as Drone’s clone step does', async () => {
    const folder = target()
    await git('init', '-q', folder)
    await git('-C', folder, 'fetch', '-q', '--depth=1', address(), sha)
    expect((await git('-C', folder, 'rev-list', '--count', 'FETCH_HEAD')).stdout.trim()).toBe('1')
  })

  it('finds the credentials in a file, by the name of the machine', async () => {
    const folder = target()
    writeFileSync(join(app.bench.dir, '.netrc'), `machine 127.0.0.1 login ${login} password ${password}\n`)
    await git('clone', '-q', `${listener.url}/acme/web.git`, folder)
    expect(existsSync(join(folder, '.drone.yml'))).toBe(true)
    writeFileSync(join(app.bench.dir, '.netrc'), '')
  })

  it('sends wishes that it has packed @system', async () => {
    const folder = target()
    await git('clone', '-q', address(), folder)
    for (let i = 0; i < 40; i++) app.bench.source.git('branch', `more/${i}`)
    app.bench.commit(pipelines({ default: '' }), 'third')
    await git('-C', folder, 'fetch', '-q')
    expect((await git('-C', folder, 'branch', '-r')).stdout).toContain('origin/more/39')
  })

  it('gets a pull request merged into its target by the facts that official runners are given @system', async () => {
    const { source } = app.bench
    source.git('checkout', '-q', '--detach')
    const head = source.commit({ 'head.txt': 'head' }, 'Head')
    source.git('checkout', '-q', 'main')
    source.commit({ 'base.txt': 'base' }, 'Base')
    source.git('update-ref', 'refs/pull/7/head', head)
    const folder = target()
    // What Drone's runners run for `DRONE_COMMIT_BRANCH`, `DRONE_COMMIT_REF` and
    // `DRONE_COMMIT_SHA`.
    await git('init', '-q', folder)
    for (const words of [
      ['remote', 'add', 'origin', address()],
      ['fetch', '-q', 'origin', '+refs/heads/main:'],
      ['checkout', '-q', 'main'],
      ['fetch', '-q', 'origin', 'refs/pull/7/head:'],
      ['merge', '-q', '--no-edit', head],
    ]) {
      await git('-C', folder, ...words)
    }
    expect(['head.txt', 'base.txt'].map((name) => existsSync(join(folder, name)))).toEqual([true, true])
  })

  it('cannot write', async () => {
    const folder = target()
    await git('clone', '-q', address(), folder)
    await git('-C', folder, 'commit', '-q', '--allow-empty', '-m', 'mine')
    const before = app.bench.source.git('rev-parse', 'main')
    await expect(git('-C', folder, 'push', address(), 'HEAD:refs/heads/mine')).rejects.toThrow(/403/)
    for (const [path, method] of [
      ['acme/web.git/info/refs?service=git-receive-pack', 'GET'],
      ['acme/web.git/git-receive-pack', 'POST'],
    ] as const) {
      expect((await ask(path, { method })).status).toBe(403)
    }
    expect(app.bench.source.git('rev-parse', 'main')).toBe(before)
    expect(app.bench.source.git('branch', '--list', 'mine')).toBe('')
  })

  it('cannot read another repository, whatever it requests', async () => {
    await expect(git('clone', '-q', address('acme/other.git'), target())).rejects.toThrow(/not found|404/)
    await expect(git('clone', '-q', address('acme/nobody.git'), target())).rejects.toThrow(/not found|404/)
    const folder = target()
    await git('init', '-q', folder)
    await expect(git('-C', folder, 'fetch', '-q', address(), hidden)).rejects.toThrow(/not our ref/)
    for (const path of [
      'acme/..%2facme%2fother.git/info/refs?service=git-upload-pack',
      '..%2fother/web.git/info/refs?service=git-upload-pack',
      'acme/%2e%2e%2f%2e%2e%2fetc.git/info/refs?service=git-upload-pack',
      'acme/web%00.git/info/refs?service=git-upload-pack',
      'ACME/WEB.git/info/refs?service=git-upload-pack',
    ]) {
      expect([path, (await ask(path)).status]).toEqual([path, 404])
    }
  })

  it.each([
    'HEAD',
    'config',
    'description',
    'info/refs',
    'info/refs?service=git-upload-archive',
    'objects/info/packs',
    'objects/info/alternates',
    'hooks/pre-receive',
    'git-upload-archive',
    'git-upload-pack',
  ])('gets no file and no other service: %s', async (path) => {
    const response = await ask(`acme/web.git/${path}`)
    expect(response.status).toBe(403)
    expect(await response.text()).toBe('Only git’s smart HTTP protocol is supported\n')
  })

  it('hears what is wrong with a body', async () => {
    const post = (body: BodyInit, headers: Record<string, string> = {}) =>
      ask('acme/web.git/git-upload-pack', {
        method: 'POST',
        body,
        headers: { 'Content-Type': 'application/x-git-upload-pack-request', ...headers },
      })
    expect((await post('x', { 'Content-Type': 'text/plain' })).status).toBe(415)
    expect((await post('x', { 'Content-Encoding': 'br' })).status).toBe(415)
    expect((await post('no packed bytes', { 'Content-Encoding': 'gzip' })).status).toBeGreaterThanOrEqual(400)
    expect((await post('zzzz')).status).toBeGreaterThanOrEqual(400)
  })
})

describe('without it', () => {
  it.each([
    ['nothing', '', ''],
    ['no password', 'LOGIN', ''],
    ['another password', 'LOGIN', 'x'.repeat(43)],
    ['another build', 'build-999', 'PASSWORD'],
    ['the secret of the runners', 'LOGIN', rpcSecret],
    ['a name that is none', '../etc', 'PASSWORD'],
  ])('%s: 401, for what is there and what is not', async (_why, user, word) => {
    for (const repository of ['acme/web.git', 'acme/other.git', 'acme/nobody.git']) {
      const path = `${repository}/info/refs?service=git-upload-pack`
      const response = await ask(path, {}, user.replace('LOGIN', login), word.replace('PASSWORD', password))
      expect([response.status, response.headers.get('www-authenticate')]).toEqual([
        401,
        'Basic realm="Flightdeck", charset="UTF-8"',
      ])
    }
  })

  it('a build that is over has nothing more to clone, and a running one of the same repository its own', async () => {
    const { bench } = app
    const { number } = (await bench.push(sha)) ?? expect.fail('no build')
    const { netrc } = await take()
    const path = 'acme/web.git/info/refs?service=git-upload-pack'
    expect(netrc.password).not.toBe(password)
    expect((await ask(path, {}, netrc.login, netrc.password)).status).toBe(200)
    expect((await ask(path, {}, netrc.login, password)).status).toBe(401)
    await bench.ci.cancel(bench.repo, number, bench.user)
    expect((await ask(path, {}, netrc.login, netrc.password)).status).toBe(401)
    expect((await ask(path)).status).toBe(200)
  })
})

it('nothing that the repository’s configuration names is run @system', async () => {
  const { bench } = app
  const ran = join(bench.dir, 'ran')
  const program = join(bench.dir, 'program')
  writeFileSync(program, `#!/bin/sh\necho "$0 $@" >> ${ran}\nexec "$@"\n`)
  chmodSync(program, 0o755)
  const hooks = join(bench.source.path, '.git', 'hooks')
  mkdirSync(hooks, { recursive: true })
  for (const hook of ['post-upload-pack', 'pre-upload-pack', 'post-checkout', 'reference-transaction']) {
    writeFileSync(join(hooks, hook), readFileSync(program))
    chmodSync(join(hooks, hook), 0o755)
  }
  const settings = [
    ['uploadpack.packObjectsHook', program],
    ['core.hooksPath', hooks],
    ['core.fsmonitor', program],
    ['core.sshCommand', program],
    ['core.alternateRefsCommand', program],
    ['core.gitProxy', program],
    ['remote.origin.url', `ext::${program}`],
    ['remote.origin.uploadpack', program],
    ['remote.origin.promisor', 'true'],
    ['extensions.partialClone', 'origin'],
    ['protocol.ext.allow', 'always'],
    ['alias.upload-pack', `!${program}`],
  ] as const
  for (const [name, value] of settings) bench.source.git('config', name, value)
  await git('clone', '-q', address(), target())
  expect(existsSync(ran)).toBe(false)
  for (const [name] of settings) bench.source.git('config', '--unset', name)
})

/** Hidden refs first, then what git cannot read at all and would repeat. */
it.each([
  ['hides', '[transfer]\n\thideRefs = refs/heads\n[uploadpack]\n\thideRefs = HEAD\n'],
  ['breaks', 'the words of [some other file\n'],
  ['asks for a newer git', '[core]\n\trepositoryFormatVersion = 99\n[extensions]\n\tobjectFormat = sha1\n'],
])('nor does a configuration matter that %s', async (_what, text) => {
  const file = join(app.bench.source.path, '.git', 'config')
  const before = readFileSync(file)
  writeFileSync(file, text)
  try {
    // To git itself it does.
    const plainly = await git('ls-remote', '--heads', app.bench.source.path).catch(() => ({ stdout: '' }))
    expect(plainly.stdout).toBe('')
    expect((await git('ls-remote', '--heads', address())).stdout).toContain('refs/heads/main')
  } finally {
    writeFileSync(file, before)
  }
})
