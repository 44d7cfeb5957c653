import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDone, type Build, type Line } from '@flightdeck/api'
import { afterEach, beforeEach, describe, expect, test, vi, type TestContext } from 'vitest'
import { serverBundle } from '../testing/bundles.ts'
import { signIn, spawnServer, type ServerProcess } from '../testing/server-process.ts'
import { testRepository } from '../testing/test-repository.ts'

/** What a step can do with its own repository on a real server. */
vi.setConfig({ testTimeout: 90_000 })
const isRoot = process.geteuid?.() === 0
const stranger = 424_244

const modes = [
  { name: 'sandboxed', words: ['--isolation', 'sandbox'] },
  { name: 'sandboxed, as an ordinary user', words: ['--isolation', 'sandbox'], uid: isRoot ? stranger : undefined },
  {
    name: 'as root of a user namespace with one id',
    words: [],
    uid: isRoot ? stranger : undefined,
    wrapper: ['unshare', '--user', '--map-root-user'],
  },
  { name: 'separate accounts', words: ['--isolation', 'accounts'], needsRoot: true },
  { name: 'not protected', words: ['--isolation', 'none'] },
  { name: 'behind another address', words: ['--public-url', 'https://ci.example.invalid'] },
]

let folder: string
let server: ServerProcess | undefined
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'flightdeck-own-'))
  chmodSync(folder, 0o755)
})
afterEach(async () => {
  server?.kill('SIGTERM')
  await server?.ended
  server = undefined
  rmSync(folder, { recursive: true, force: true })
})

const pipeline = (commands: string[], more = '', step = '') =>
  `kind: pipeline\ntype: exec\nname: a\n${more}steps:\n- name: try\n${step}  commands: ${JSON.stringify(commands)}\n`

interface World {
  web: ReturnType<typeof testRepository>
  words: string[]
  uid?: number | undefined
  environment?: Record<string, string>
  wrapper?: string[]
}
function make(): World['web'] {
  const web = testRepository(join(folder, 'repos/acme/web'))
  web.commit({ one: '1\n' }, 'One')
  return web
}

/** Starts a server for the repositories; returns functions that start builds. */
async function serve({ words, uid, environment = {}, wrapper }: Omit<World, 'web'>, skip: TestContext['skip']) {
  const data = join(folder, 'data')
  mkdirSync(data, { mode: 0o700 })
  if (uid !== undefined) {
    for (const entry of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
      chownSync(join(folder, entry), uid, uid)
    chownSync(folder, uid, uid)
  }
  // Build the bundle first: a server of another account could not read it if that account cannot
  // read the checkout.
  const bundle = serverBundle
  expect(existsSync(bundle)).toBe(true)
  server = spawnServer(
    ['--port', '0', '--data', data, '--repos', join(folder, 'repos'), ...words],
    environment,
    uid,
    false,
    wrapper,
  )
  const heard = await server.ready.catch(() => null)
  if (heard === null) return skip((await server.ended).stderr)
  const address = heard.startsWith('https://ci.example.invalid') ? await addressOf(server.pid) : heard
  const ann = await signIn(address, data)
  await ann.json('/api/repos/acme/web', 'POST')
  return {
    ann,
    /** Creates a repository secret with the URL and personal token that a step uses to push. */
    async createPushSecret() {
      const { token } = await ann.json<{ token: string }>('/api/user/token', 'POST')
      const data = `http://admin:${token}@${new URL(address).host}/acme/web.git`
      await ann.json('/api/repos/acme/web/secrets', 'POST', { name: 'push_url', data })
    },
    async build(parameters = ''): Promise<{ build: Build; readLog: (step: number) => Promise<string> }> {
      const { number } = await ann.json<Build>(`/api/repos/acme/web/builds?${parameters}`, 'POST')
      return this.ended(number)
    },
    /** Opens a pull request; returns its build, which waits for approval. */
    async pull() {
      const find = async () =>
        (await ann.json<Build[]>('/api/repos/acme/web/builds')).find(({ event }) => event === 'pull_request')
      await expect.poll(find, { timeout: 30_000 }).toBeDefined()
      const { number = 0 } = (await find()) ?? {}
      const load = () => ann.json<Build>(`/api/repos/acme/web/builds/${number}`)
      await expect.poll(async () => (await load()).stages?.[0]?.status, { timeout: 30_000 }).toBe('blocked')
      await ann.call(`/api/repos/acme/web/builds/${number}/approve/1`, 'POST')
      return this.ended(number)
    },
    async ended(number: number) {
      const load = () => ann.json<Build>(`/api/repos/acme/web/builds/${number}`)
      await expect
        .poll(async () => isDone((await load().catch(() => ({ status: 'pending' as const }))).status), {
          timeout: 60_000,
        })
        .toBe(true)
      const readLog = async (step: number) =>
        (await ann.json<Line[]>(`/api/repos/acme/web/builds/${number}/logs/1/${step}`)).map(({ out }) => out).join('')
      return { build: await load(), readLog }
    },
  }
}

/** The address where the server really listens, if it prints another one. */
async function addressOf(pid: number): Promise<string> {
  const { execFileSync } = await import('node:child_process')
  const rows = execFileSync('ss', ['-Hltnp'], { encoding: 'utf8' }).split('\n')
  const row = rows.find((line) => line.includes(`pid=${pid},`)) ?? ''
  return `http://${/\s(127\.0\.0\.1:\d+)\s/.exec(row)?.[1] ?? ''}`
}

test.for(modes)('$name: a step can fetch, describe, diff, clone and use submodules', async (mode, { skip }) => {
  if (mode.needsRoot && !isRoot) return skip('only root gives steps another account')
  const web = make()
  const other = testRepository(join(folder, 'repos/acme/other'))
  other.commit({ part: 'of another\n' }, 'Part')
  web.git('tag', 'v1.0')
  web.git('checkout', '-q', '-b', 'work')
  web.commit(
    {
      '.gitmodules': '[submodule "other"]\n\tpath = other\n\turl = ../other\n',
      '.drone.yml': pipeline(
        [
          'git config remote.origin.url',
          'git fetch --tags origin',
          'git describe --tags',
          'git fetch origin main',
          'git diff --stat origin/main...HEAD',
          'git submodule update --init && cat other/part',
          'git worktree add -q ../beside v1.0 && cat ../beside/one',
          'git clone -q "$DRONE_REMOTE_URL" "$TMPDIR/again" && git -C "$TMPDIR/again" log --oneline -1',
          'git ls-remote "$DRONE_GIT_HTTP_URL" refs/heads/main',
          'stat -c "%a" "$HOME/.netrc"',
          'cat "$HOME/.netrc"',
          'git push origin HEAD:refs/heads/not 2>&1 || echo refused',
          'git push -q "$PUSH_URL" HEAD:refs/heads/pushed',
          'git ls-remote origin not pushed',
        ],
        'trigger: { branch: [work] }\n',
        '  environment: { PUSH_URL: { from_secret: push_url } }\n',
      ),
    },
    'Work',
  )
  web.git('update-index', '--add', '--cacheinfo', `160000,${other.git('rev-parse', 'HEAD')},other`)
  web.git('commit', '-q', '-m', 'With a submodule')
  web.git('checkout', '-q', '-f', 'main')
  web.commit({ two: '2\n' }, 'Newer than the branch')
  const run = await serve(mode, skip)
  await run.createPushSecret()
  const { build, readLog } = await run.build('branch=work')
  const log = await readLog(2)
  expect([build.status, log]).toEqual(['success', expect.stringMatching(/of another/)])
  expect(log).toMatch(/\+ git config remote\.origin\.url\nhttp:\/\/127\.0\.0\.1:\d+\/acme\/web\.git\n/)
  expect(log).toMatch(/\nv1\.0-2-g[0-9a-f]+\n/)
  expect(log).toMatch(/cat \.\.\/beside\/one\n1\n/)
  expect(log).toMatch(/\n600\n/)
  expect(log).toMatch(/machine 127\.0\.0\.1 login build-\d+ password \[secret:netrc_password\]\n/)
  expect(log).toMatch(/Build credentials are read-only\. To push, use the login and token of a user/)
  expect(log).toMatch(/\+ git ls-remote origin not pushed\n[0-9a-f]{40}\trefs\/heads\/pushed\n$/)
})

test('a link in place of the working directory leads only where the account may go', async ({ skip }) => {
  if (!isRoot) return skip('only root gives steps another account')
  const closed = join(folder, 'closed')
  mkdirSync(join(closed, 'open'), { recursive: true })
  writeFileSync(join(closed, 'open', 'file'), 'seen')
  chmodSync(closed, 0o700)
  const web = make()
  web.commit(
    {
      '.drone.yml': `${pipeline([`mv ../src ../other && ln -s ${closed}/open ../src`])}- name: next\n  commands: [cat file]\n`,
    },
    'Link',
  )
  const run = await serve({ words: ['--isolation', 'accounts'] }, skip)
  const { build, readLog } = await run.build()
  expect(build.status).toBe('failure')
  expect(await readLog(3)).toBe('The working directory of this stage cannot be opened.\n')
})

test('a commit that a step pushes starts a build', async ({ skip }) => {
  const web = make()
  const push = 'git commit -q --allow-empty -m "Of the step" && git push -q "$PUSH_URL" HEAD:refs/heads/pushed'
  const who = 'git config user.name s && git config user.email s@example.com'
  web.commit(
    {
      '.drone.yml': pipeline(
        [`if [ "$DRONE_BRANCH" = main ]; then ${who} && ${push}; fi`],
        '',
        '  environment: { PUSH_URL: { from_secret: push_url } }\n',
      ),
    },
    'Two',
  )
  const run = await serve({ words: [] }, skip)
  await run.createPushSecret()
  expect((await run.build()).build.status).toBe('success')
  const { build } = await run.ended(2)
  expect([build.event, build.target, build.status, build.message.trim()]).toEqual([
    'push',
    'pushed',
    'success',
    'Of the step',
  ])
})

test('a tag exists in its build, also an annotated one; a branch exists as origin’s', async ({ skip }) => {
  const web = make()
  web.commit({ '.drone.yml': pipeline(['git describe --tags', 'git branch -a', 'git status -sb']) }, 'Two')
  const run = await serve({ words: [] }, skip)
  web.git('tag', '-a', 'v2.0', '-m', 'Two')
  const tagged = await run.ended(1)
  expect(tagged.build.event).toBe('tag')
  expect(await tagged.readLog(2)).toContain('+ git describe --tags\nv2.0\n')
  // Create the branch together with its own commit; otherwise the previous commit is built too.
  web.git('checkout', '-q', '--detach')
  web.commit(
    { '.drone.yml': pipeline(['git rev-parse origin/feature/x HEAD', 'git log --oneline origin/feature/x']) },
    'X',
  )
  web.git('branch', 'feature/x')
  const pushed = await run.ended(2)
  expect([pushed.build.status, await pushed.readLog(2)]).toEqual([
    'success',
    expect.stringContaining(web.git('rev-parse', 'HEAD')),
  ])
})

test('a step can clone by itself; the depth applies; credentials end with the build', async ({ skip }) => {
  const web = make()
  web.commit({ two: '2' }, 'Two')
  web.commit(
    {
      '.drone.yml': pipeline(
        ['git clone "$DRONE_REMOTE_URL" . && ls one two', 'sed s/password/word/ "$HOME/.netrc" | rev'],
        'clone: { disable: true }\n',
      ),
    },
    'Three',
  )
  const run = await serve(
    { words: [], environment: { http_proxy: 'http://127.0.0.1:9', HTTP_PROXY: 'http://127.0.0.1:9' } },
    skip,
  )
  const alone = await run.build()
  const log = await alone.readLog(1)
  expect([alone.build.status, log]).toEqual(['success', expect.stringContaining('one\ntwo\n')])
  const [password = '', , login = ''] = [...(log.split('\n').find((line) => line.includes('dliub')) ?? '')]
    .toReversed()
    .join('')
    .split(' ')
    .toReversed()
  const asked = await fetch(`${server && (await server.ready)}/acme/web.git/info/refs?service=git-upload-pack`, {
    headers: { Authorization: `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}` },
  })
  expect([login, asked.status]).toEqual([expect.stringMatching(/^build-\d+$/), 401])
  const count = 'git rev-list --count HEAD'
  web.commit(
    { '.drone.yml': pipeline([count, 'git fetch -q --unshallow origin', count], 'clone: { depth: 2 }\n') },
    'Four',
  )
  const shallow = await run.build()
  expect([shallow.build.status, await shallow.readLog(2)]).toEqual([
    'success',
    `+ ${count}\n2\n+ git fetch -q --unshallow origin\n+ ${count}\n4\n`,
  ])
})

describe('the clone of a pull request', () => {
  function withPull(head: Record<string, string>, base: Record<string, string>) {
    const web = make()
    const yaml = pipeline(['cat one base head 2>&1 | sort', 'git log --oneline -1 --format=%P | wc -w'])
    web.commit({ '.drone.yml': yaml }, 'Pipeline')
    return {
      open: () => {
        web.git('checkout', '-q', '--detach')
        const sha = web.commit(head, 'Head')
        web.git('checkout', '-q', 'main')
        web.commit(base, 'Base')
        web.git('update-ref', 'refs/pull/7/head', sha)
      },
    }
  }
  test('is the target branch with the head merged into it', async ({ skip }) => {
    const { open } = withPull({ head: 'of the head\n' }, { base: 'of the base\n' })
    const run = await serve({ words: [] }, skip)
    open()
    const { build, readLog } = await run.pull()
    expect([build.status, await readLog(2)]).toEqual([
      'success',
      expect.stringContaining('1\nof the base\nof the head\n'),
    ])
    expect(await readLog(2)).toMatch(/wc -w\n2\n/)
  })
  test('fails with a message if there is a merge conflict', async ({ skip }) => {
    const { open } = withPull({ one: 'head\n' }, { one: 'base\n' })
    const run = await serve({ words: [] }, skip)
    open()
    const { build, readLog } = await run.pull()
    expect(build.status).toBe('failure')
    const log = await readLog(1)
    expect(log).toContain('CONFLICT (content): Merge conflict in one')
    expect(log).toMatch(
      /\nThe pull request conflicts with its target branch main: merge main into it, resolve the conflicts named above and push again\.\n$/,
    )
  })
})
