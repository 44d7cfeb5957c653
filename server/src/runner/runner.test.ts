import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { isDone, type Build, type Line, type Repo, type User } from '@flightdeck/api'
import { findBuildByNumber, withStages } from '../store/builds.ts'
import { openStore, type Store } from '../store/open.ts'
import { listRepos, updateRepo } from '../store/repos.ts'
import { createOrgSecret, createSecret } from '../store/secrets.ts'
import { createUser } from '../store/users.ts'
import { createEventBus } from '../builds/event-bus.ts'
import { pipelineFiles as files } from '../testing/pipeline-files.ts'
import { createGit } from '../source/git/git.ts'
import { testRepository } from '../testing/test-repository.ts'
import { createLogStore } from '../logs/logs.ts'
import { findProcesses } from './processes/find-processes.ts'
import { folderMark } from '../machine/process-mark.ts'
import { createRepositories } from '../source/repositories/repositories.ts'
import { createCi, type EmbeddedCi } from '../builds/service.ts'
import { thisPlatform } from '../machine/platform.ts'
import { cloneSource } from '../source/git/clone-source.ts'
import { startRunner, type Runner } from './start-runner.ts'
import { logLines } from '../testing/log-lines.ts'

let folder: string
let data: string
let store: Store
let ci: EmbeddedCi
let repo: Repo
let admin: User
let origin: ReturnType<typeof testRepository>
let runner: Runner | undefined
let messages: string[]
let gitEnvironment: Readonly<Record<string, string>>

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'flightdeck-runner-'))
  data = join(folder, 'data')
  mkdirSync(data, { mode: 0o700 })
  messages = []
  store = openStore(':memory:')
  origin = testRepository(join(folder, 'repos/acme/web'))
  origin.commit({ README: 'Hello\n' }, 'First')
  const git = await createGit({ dataDir: data, own: [] })
  gitEnvironment = git.environment
  const now = () => Math.floor(Date.now() / 1000)
  const publicUrl = 'http://127.0.0.1'
  const repositories = createRepositories({ db: store.db, git, folders: [join(folder, 'repos')], publicUrl, now })
  const logs = createLogStore({ folder: join(data, 'logs') })
  const system = { proto: 'http', host: 'localhost', link: publicUrl, version: '1' }
  const decrypt = (text: string) => {
    if (text === 'damaged') throw new Error('unable to authenticate data')
    return text
  }
  const derive = (text: string) => text
  const deps = { db: store.db, events: createEventBus(), logs, git, files, repositories, decrypt, derive }
  ci = createCi({ ...deps, system })
  admin = await createUser(store.db, { login: 'admin', admin: true, created: 1 })
  await ci.sync(admin)
  const [found] = await listRepos(store.db, { page: 1, perPage: 1 })
  if (!found) throw new Error('not found')
  repo = await ci.enable(found, admin)
})
afterEach(async () => {
  await runner?.stop()
  runner = undefined
  await ci.close()
  await store.close()
  rmSync(folder, { recursive: true })
})

const log = (message: string) => void messages.push(message)
const run = async (limits = {}) => {
  runner = await startRunner({
    manager: ci.runners,
    files,
    capacity: 2,
    dataDir: data,
    gitEnvironment,
    prepareClone: cloneSource,
    limits,
    log,
  })
}
const { os, arch } = thisPlatform()
const pipeline = (name: string, rest: string) =>
  `kind: pipeline\ntype: exec\nname: ${name}\nplatform: { os: ${os}, arch: ${arch} }\n${rest}\n`
const commands = (...list: string[]) => list.map((command) => JSON.stringify(command)).join(', ')
const step = (name: string, list: string[], more = '') =>
  `  - { name: ${name}, commands: [${commands(...list)}]${more} }`
const steps = (...list: string[]) => pipeline('default', `steps:\n${list.join('\n')}`)

async function start(yaml: string, params: Record<string, string> = {}): Promise<Build> {
  origin.commit({ '.drone.yml': yaml }, 'Build')
  const build = await ci.start(repo, { params }, admin)
  if (!build) throw new Error('skipped')
  return build
}
async function load(number: number): Promise<Build> {
  const build = await findBuildByNumber(store.db, repo.id, number)
  if (!build) throw new Error('no build')
  return withStages(store.db, build)
}
const until = (check: () => unknown) => vi.waitFor(check, { timeout: 20_000, interval: 20 })
async function finished({ number }: Build): Promise<Build> {
  await until(async () => expect(isDone((await load(number)).status)).toBe(true))
  return load(number)
}
const stepsOf = (build: Build) => build.stages?.flatMap((stage) => stage.steps ?? []) ?? []
const results = (build: Build) => stepsOf(build).map(({ name, status, exit_code: code }) => `${name} ${status} ${code}`)
async function lines(build: Build, name: string): Promise<Line[]> {
  const id = stepsOf(build).find((candidate) => candidate.name === name)?.id ?? 0
  const saved = await ci.logs.read(id)
  if (!saved) throw new Error(`no log of ${name}`)
  const bytes = Buffer.from(await new Response(saved.body).arrayBuffer())
  return JSON.parse((saved.encoding === 'gzip' ? gunzipSync(bytes) : bytes).toString())
}
const text = async (build: Build, name: string) => (await lines(build, name)).map(({ out }) => out).join('')
const alive = async () => findProcesses({ mark: await folderMark(data) })
const running = async (build: Build, name: string) =>
  until(async () => {
    const found = stepsOf(await load(build.number)).find((candidate) => candidate.name === name)
    expect(found?.status).toBe('running')
    const first = ci.logs.follow(found?.id ?? 0, AbortSignal.timeout(5000))
    for await (const batch of logLines(first)) if (batch.some(({ out }) => out.includes('ready\n'))) return
    throw new Error('not ready')
  })

test('clones the commit and runs the steps one after the other, in one folder', async () => {
  await run()
  const build = await finished(
    await start(
      steps(
        step('one', ['cat README', 'echo "made $DRONE_BUILD_NUMBER $WHO" > made'], ', environment: { WHO: Ada }'),
        step('two', ['cat made', 'git status --porcelain', 'test "$PWD" = "$DRONE_WORKSPACE"']),
      ),
    ),
  )
  expect(results(build)).toEqual(['clone success 0', 'one success 0', 'two success 0'])
  expect(build).toMatchObject({ status: 'success', stages: [{ status: 'success', exit_code: 0 }] })
  expect(await text(build, 'clone')).toContain(`+ git fetch -q --no-tags origin '${build.after}'`)
  expect(await text(build, 'one')).toBe('+ cat README\nHello\n+ echo "made $DRONE_BUILD_NUMBER $WHO" > made\n')
  expect(await text(build, 'two')).toContain('+ cat made\nmade 1 Ada\n+ git status --porcelain\n?? made\n')
  expect((await lines(build, 'one')).map(({ pos }) => pos)).toEqual([0, 1, 2])
  expect(messages).toEqual([])
  await runner?.stop()
  if (existsSync(join(data, 'workspaces'))) expect(readdirSync(join(data, 'workspaces'))).toEqual([])
})

test('steps run as an unprivileged account if the server is root, and cannot see the server @system', async () => {
  process.env['FLIGHTDECK_TEST_SECRET'] = 'private'
  await run()
  const build = await finished(
    await start(
      steps(step('who', ['id -u', 'env | grep -c FLIGHTDECK_TEST_SECRET || true', 'touch "$HOME/a" "$TMPDIR/b" c'])),
    ),
  )
  delete process.env['FLIGHTDECK_TEST_SECRET']
  const output = await text(build, 'who')
  expect(results(build).at(-1)).toBe('who success 0')
  expect(output).toContain('|| true\n0\n')
  const own = String(process.getuid?.())
  if (own === '0') expect(output).not.toContain('\n0\n+ env')
  else expect(output).toContain(`+ id -u\n${own}\n`)
})

/** The status variables, as the log of a step shows them. */
const statusVariables = async (build: Build, name: string) =>
  Object.fromEntries(
    (await text(build, name))
      .split('\n')
      .filter((line) => /^DRONE_(?:BUILD|STAGE)_STATUS=|^DRONE_FAILED_/.test(line))
      .map((line) => line.split('=')),
  )

test('steps and later stages get the build status @system', async () => {
  await run()
  const show = (name: string, when = '') => step(name, ['env | grep ^DRONE_ | sort'], when)
  const onFailure = ', when: { status: [failure] }'
  const one = `clone: { disable: true }\nsteps:\n${show('before')}\n${step('flaky', ['exit 1'], ', failure: ignore')}\n${show('still')}\n${step('bad', ['exit 1'])}\n${show('after', onFailure)}`
  const two = `clone: { disable: true }\ndepends_on: [one]\ntrigger: { status: [failure] }\nsteps:\n${show('later')}`
  const build = await finished(await start(`${pipeline('one', one)}---\n${pipeline('two', two)}`))
  const fine = { DRONE_BUILD_STATUS: 'success', DRONE_STAGE_STATUS: 'success' }
  expect(await statusVariables(build, 'before')).toEqual(fine)
  expect(await statusVariables(build, 'still')).toEqual(fine)
  expect(await statusVariables(build, 'after')).toEqual({
    DRONE_BUILD_STATUS: 'failure',
    DRONE_STAGE_STATUS: 'failure',
    DRONE_FAILED_STAGES: 'one',
    DRONE_FAILED_STEPS: 'bad',
  })
  expect(await statusVariables(build, 'later')).toEqual({
    DRONE_BUILD_STATUS: 'failure',
    DRONE_STAGE_STATUS: 'success',
    DRONE_FAILED_STAGES: 'one',
  })
})

test('a failure skips the remaining steps except those for failures; an unknown command exits with 127 @system', async () => {
  await run()
  const build = await finished(
    await start(
      steps(
        step('ignored', ['exit 3'], ', failure: ignore'),
        step('bad', ['no-such-command']),
        step('next', ['echo never']),
        step('rescue', ['echo "$DRONE_FAILED_STEPS"'], ', when: { status: [failure] }'),
      ),
    ),
  )
  expect(results(build)).toEqual([
    'clone success 0',
    'ignored failure 3',
    'bad failure 127',
    'next skipped 0',
    'rescue success 0',
  ])
  expect(build.status).toBe('failure')
  expect(await text(build, 'bad')).toContain('no-such-command: not found')
  expect(await text(build, 'rescue')).toContain('\nbad\n')
})

test('exit code 78 ends the stage early as successful @system', async () => {
  await run()
  const build = await finished(await start(steps(step('one', ['exit 78']), step('two', ['echo never']))))
  expect(results(build)).toEqual(['clone success 0', 'one success 78', 'two skipped 0'])
  expect(build.status).toBe('success')
})

test('steps with dependencies run concurrently; a detached step ends with the stage @system', async () => {
  await run()
  const meet = (own: string, other: string) => [`touch ${own}`, `while [ ! -e ${other} ]; do sleep 0.05; done`]
  const build = await finished(
    await start(
      pipeline(
        'default',
        [
          'clone: { disable: true }',
          'steps:',
          step('service', ['touch up', 'sleep 1000'], ', detach: true'),
          step('left', meet('a', 'b')),
          step('right', meet('b', 'a')),
          step('both', ['ls', 'while [ ! -e up ]; do sleep 0.05; done'], ', depends_on: [left, right, service]'),
        ].join('\n'),
      ),
    ),
  )
  expect(results(build)).toEqual(['service success 0', 'left success 0', 'right success 0', 'both success 0'])
  expect(await alive()).toEqual([])
})

test('variables of any size and content arrive complete, and the input is empty @system', async () => {
  await run()
  const odd = `line one\nit's "$HOME" \`id\` {}; exec`
  const environment = JSON.stringify({ BIG: 'ab'.repeat(30_000), ODD: odd.replace('$', '$$$$$$$$'), LAST: '}' })
  const commands = ['printf %s "$BIG" | wc -c', 'printf %s "$ODD"', 'echo "$LAST"', 'readlink /proc/self/fd/0']
  const build = await finished(await start(steps(step('one', commands, `, environment: ${environment}`))))
  expect(results(build).at(-1)).toBe('one success 0')
  const output = (await text(build, 'one')).replace(/\+ .*\n/g, '')
  expect(output).toBe(`60000\n${odd}}\n/dev/null\n`)
})

test('values of `environment` are expanded from the environment of the step @system', async () => {
  await run()
  const wide = 'environment: { WIDE: "$DRONE_REPO_NAME" }\n'
  const values =
    ', environment: { PATH: "/opt/extra/bin:$PATH", TWO: "${HOME}/x:${PATH}", MINE: "$WIDE-$$$$WIDE-$NOPE" }'
  const list = steps(
    step(
      'one',
      ['ls / >/dev/null', 'echo "$PATH" | cut -d: -f1', 'echo "$TWO" | cut -d: -f1,2', 'echo "$MINE"'],
      values,
    ),
  )
  const build = await finished(await start(wide + list))
  expect(results(build).at(-1)).toBe('one success 0')
  expect(await text(build, 'one')).toMatch(
    /\n\/opt\/extra\/bin\n.*\n\/.*home\/x:\/opt\/extra\/bin\n.*\nweb-\$WIDE-\$NOPE\n/,
  )
})

test('masks secrets, also those that the step does not use', async () => {
  await createSecret(store.db, repo.id, { name: 'Token', data: 's3cr3t-value' })
  await run()
  const build = await finished(
    await start(
      steps(
        step('one', ['echo "<$T>"; printf s3cr3t-; printf "value|"'], ', environment: { T: { from_secret: Token } }'),
      ),
    ),
  )
  expect(await text(build, 'one')).toContain('<[secret:token]>\n[secret:token]|')
  expect(await text(build, 'one')).not.toContain('s3cr3t-value')
})

test('masks a secret that is printed in two parts with a pause between them', async () => {
  await createSecret(store.db, repo.id, { name: 'Token', data: 's3cr3t-value' })
  await createOrgSecret(store.db, 'acme', { name: 'Shared', data: 'known-to-all' })
  await run()
  const words = [
    // The pause is longer than the time after which an incomplete line is shown.
    'printf "say s3cr3t"; sleep 1; echo "-value"',
    'echo "$S" | tr a-z A-Z; echo "$S"',
  ]
  const build = await finished(await start(steps(step('one', words, ', environment: { S: { from_secret: shared } }'))))
  const output = await text(build, 'one')
  expect(output).toContain('\nsay [secret:token]\n')
  // The step had the value of the organization's secret.
  expect(output).toContain('\nKNOWN-TO-ALL\n[secret:shared]\n')
})

test('parameters replace variables in the file', async () => {
  await run()
  const build = await finished(await start(steps(step('one', ['echo ${WHO:-nobody} ${DRONE_REPO}'])), { WHO: 'Grace' }))
  expect(await text(build, 'one')).toContain('+ echo Grace acme/web\nGrace acme/web\n')
})

test('a stage that the runner refuses has an error and no steps', async () => {
  await run()
  const build = await finished(await start(steps(step('one', ['true'], ', depends_on: [none]'))))
  expect(build.stages?.[0]).toMatchObject({ status: 'error', exit_code: 255, error: expect.stringContaining('none') })
  expect(stepsOf(build)).toEqual([])
})

test('10 MB of output, binary output and a line without an end arrive @system', async () => {
  await run()
  const build = await finished(
    await start(
      steps(
        step('lines', ['yes 0123456789abcdef | head -c 10485760']),
        step('binary', ["printf '\\\\377\\\\000\\\\376'; head -c 5242880 /dev/zero | tr '\\\\0' x"]),
      ),
    ),
  )
  expect(results(build).slice(1)).toEqual(['lines success 0', 'binary success 0'])
  expect((await text(build, 'lines')).length).toBeGreaterThanOrEqual(10 * 1024 * 1024)
  const binary = await text(build, 'binary')
  expect(binary).toContain('\uFFFD\0\uFFFDxxx')
  expect(binary.match(/x/g)?.length).toBeGreaterThanOrEqual(5 * 1024 * 1024)
})

test('a cancel ends every process, keeps the log and does not stop the runner @system', async () => {
  await run()
  const script = ['setsid sleep 1000 & echo ready', 'sleep 1000']
  const build = await start(steps(step('one', script), step('two', ['true'])))
  await running(build, 'one')
  await ci.cancel(repo, build.number, admin)
  await until(async () => expect(await alive()).toEqual([]))
  const cancelled = await finished(build)
  expect(cancelled.status).toBe('killed')
  expect(results(cancelled)).toEqual(['clone success 0', 'one killed 130', 'two skipped 130'])
  await until(async () => expect(await text(cancelled, 'one')).toContain('ready\n'))
  expect((await finished(await start(steps(step('one', ['true']))))).status).toBe('success')
  expect(messages).toEqual([])
})

test('the time limit kills the running step and skips the remaining ones @system', async () => {
  await run({ minute: 50 })
  const build = await finished(
    await start(steps(step('one', ['sleep 1000']), step('two', ['true'], ', when: { status: [failure] }'))),
  )
  expect(build).toMatchObject({ status: 'killed', stages: [{ status: 'killed', exit_code: 137 }] })
  expect(results(build)).toEqual(['clone success 0', 'one killed 137', 'two skipped 0'])
  expect(await text(build, 'one')).toContain('+ sleep 1000')
})

test('a time limit that is too long for a timer does not end the stage at once @system', async () => {
  await updateRepo(store.db, { ...repo, timeout: 60 * 24 * 365 })
  await run()
  expect((await finished(await start(steps(step('one', ['true']))))).status).toBe('success')
})

test('a stage whose secrets cannot be read ends with a message', async () => {
  await createSecret(store.db, repo.id, { name: 'token', data: 'damaged' })
  await run()
  const build = await finished(await start(steps(step('one', ['true']))))
  const error = 'The secret token cannot be read: it was encrypted with a different key, or is damaged'
  expect(build).toMatchObject({ status: 'error', stages: [{ status: 'error', exit_code: 255, error }] })
})

test('a server that stops ends its stages with a message and leaves no process @system', async () => {
  await run()
  const build = await start(steps(step('one', ['setsid sleep 1000 & echo ready', 'sleep 1000'])))
  await running(build, 'one')
  await runner?.stop()
  expect(await alive()).toEqual([])
  expect(await load(build.number)).toMatchObject({
    status: 'error',
    // The same text as after a crash (`recover.ts`); the build has it too.
    error: 'the server was restarted',
    stages: [{ status: 'error', exit_code: 255, error: 'the server was restarted' }],
  })
})

test('the end of a stage is reported again until the database accepts it @system', async () => {
  const trigger = `create trigger refuse_end before update on stages when new.stage_status = 'success'
    begin select raise(abort, 'the end is refused'); end`
  await sql.raw(trigger).execute(store.db)
  await run()
  const build = await start(steps(step('test', ['true'])))
  await until(() => expect(messages.filter((message) => message.includes('could not be reported'))).toHaveLength(1))
  expect((await load(build.number)).status).toBe('running')
  await sql.raw('drop trigger refuse_end').execute(store.db)
  expect((await finished(build)).status).toBe('success')
})

test('a commit that is no longer on any ref can still be built @system', async () => {
  await run()
  const build = await finished(await start(steps(step('one', ['git rev-parse HEAD']))))
  origin.git('commit', '-q', '--amend', '--allow-empty', '-m', 'Other')
  const again = await ci.restart(repo, build.number, { debug: false, params: {} }, admin)
  if (!again) throw new Error('skipped')
  expect(await text(await finished(again), 'one')).toContain(build.after)
})

test.each(['workspaces', 'sandbox', 'pipes', 'git', 'logs'])(
  'a build after the folder %s was deleted succeeds without a restart',
  async (name) => {
    await run()
    await finished(await start(steps(step('one', ['echo hello']))))
    // Renames the folder, because a log that is being compressed could be added during a removal.
    if (existsSync(join(data, name))) renameSync(join(data, name), join(folder, `deleted-${name}`))
    const build = await finished(await start(steps(step('one', ['echo hello']))))
    expect(results(build)).toEqual(['clone success 0', 'one success 0'])
    expect(await text(build, 'one')).toContain('hello')
  },
)

/**
 * Separate accounts without a sandbox have their workspace in the folder that all accounts can
 * enter.
 */
async function findWorkspace(): Promise<string> {
  const roots = [join(data, 'workspaces'), `/tmp/flightdeck-${await folderMark(data)}`]
  const [workspace] = roots.filter(existsSync).flatMap((root) => readdirSync(root).map((name) => join(root, name)))
  if (workspace === undefined) throw new Error('no workspace')
  return workspace
}

test('a workspace that is deleted while its stage runs ends the stage with a message @system', async () => {
  await run()
  const go = join(folder, 'go')
  const build = await start(
    steps(step('one', ['echo ready', 'while ! [ -e go ]; do sleep 0.02; done']), step('two', ['echo two'])),
  )
  await running(build, 'one')
  renameSync(await findWorkspace(), go)
  writeFileSync(join(go, 'drone', 'src', 'go'), '')
  const ended = await finished(build)
  expect(results(ended)).toEqual(['clone success 0', 'one success 0', 'two error 255'])
  expect(stepsOf(ended).at(-1)?.error).toBe('The workspace of this stage was deleted while the stage was running.')
  expect(await text(ended, 'one')).toContain('ready')
})

test('a log that is deleted while its step runs is complete at the end @system', async () => {
  await run()
  const build = await start(
    steps(step('one', ['echo ready', 'while ! [ -e go ]; do sleep 0.02; done', 'echo the end'])),
  )
  await running(build, 'one')
  rmSync(join(data, 'logs'), { recursive: true })
  writeFileSync(join(await findWorkspace(), 'drone', 'src', 'go'), '')
  expect(await text(await finished(build), 'one')).toMatch(/ready\n[^]*the end\n/)
})

test.each([
  ['removed', () => rewrite(), 'is no longer in the repository: a force push or git gc can remove it'],
  ['replaced', () => replace(), 'is no longer in the repository: a force push or git gc can remove it'],
  ['damaged', () => damage(), 'The repository is damaged: run git fsck in it.'],
])('a clone of a commit that was %s ends in words, and later builds succeed @system', async (_what, change, words) => {
  const build = await start(steps(step('one', ['echo hello'])))
  const restore = change()
  await run()
  const ended = await finished(build)
  expect(results(ended)).toEqual(['clone failure 128', 'one skipped 0'])
  expect(await text(ended, 'clone')).toContain(words)
  restore()
  expect(results(await finished(await start(steps(step('one', ['echo hello'])))))).toContain('one success 0')
})

function rewrite(): () => void {
  origin.git('commit', '-q', '--amend', '--allow-empty', '-m', 'Other')
  origin.git('reflog', 'expire', '--expire=now', '--all')
  origin.git('gc', '-q', '--prune=now')
  return () => {}
}

function replace(): () => void {
  rmSync(origin.path, { recursive: true })
  origin = testRepository(origin.path)
  origin.commit({ README: 'Another\n' }, 'First')
  return () => {}
}

function damage(): () => void {
  const blob = origin.git('rev-parse', 'HEAD:README').trim()
  const path = join(origin.path, '.git', 'objects', blob.slice(0, 2), blob.slice(2))
  renameSync(path, join(folder, 'blob'))
  return () => renameSync(join(folder, 'blob'), path)
}

test('a stage whose repository was removed before the clone fails with a message, and later builds succeed @system', async () => {
  const build = await start(steps(step('one', ['echo hello'])))
  renameSync(origin.path, `${origin.path}.away`)
  await run()
  const ended = await finished(build)
  expect(ended).toMatchObject({
    status: 'error',
    stages: [{ error: 'The repository is gone, or is not a git repository' }],
  })
  renameSync(`${origin.path}.away`, origin.path)
  expect(results(await finished(await start(steps(step('one', ['echo hello'])))))).toContain('one success 0')
})
