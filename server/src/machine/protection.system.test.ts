import { execFile } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { findProtection, type ProtectionOptions } from './protection.ts'

vi.setConfig({ testTimeout: 60_000 })

/** Not below `/tmp`, which each step has for itself. */
const base = process.geteuid?.() === 0 ? '/srv' : (process.env['HOME'] ?? '/srv')
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(base, 'flightdeck-exposed-'))
  chmodSync(folder, 0o755)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const find = (options: Omit<ProtectionOptions, 'dataDir'> = {}) =>
  findProtection({ dataDir: join(folder, 'data'), ...options })
const refusal = (exposed: string[], hidden: string[] = []) =>
  find({ exposed, hidden }).then(
    ({ description }) => description,
    (error: Error) => `${error.name}: ${error.message}`,
  )

/** Whether this machine sandboxes at all; these tests say nothing elsewhere. */
const { isolation } = await (async () => {
  const trial = mkdtempSync(join(base, 'flightdeck-trial-'))
  try {
    return await findProtection({ dataDir: join(trial, 'data') })
  } finally {
    rmSync(trial, { recursive: true, force: true })
  }
})()
const can = isolation === 'sandbox'

/** What a shell in a step says. */
async function inStep(exposed: string[], script: string): Promise<string> {
  const { sandbox, accounts } = await find({ exposed })
  if (!sandbox) throw new Error('not sandboxed')
  const account = accounts.claim()
  const stage = mkdtempSync(join(folder, 'stage-'))
  const pathOf = (name: string) => {
    mkdirSync(join(stage, name))
    return join(stage, name)
  }
  const folders = {
    folder: stage,
    parent: pathOf('drone'),
    source: pathOf('drone/src'),
    home: pathOf('home'),
    temporary: pathOf('tmp'),
    scripts: pathOf('scripts'),
  }
  for (const name of ['drone/home', 'drone/steps']) pathOf(name)
  const { command, args, env, variables } = await sandbox.wrap(folders, ['/bin/sh', '-c', script], { account })
  const child = promisify(execFile)('/bin/sh', ['-c', 'exec "$@" 3<&0 </dev/null', 'x', command, ...args], { env })
  child.child.stdin?.end(variables)
  return (await child).stdout.trim()
}

// Only a root server has another account to give its clone steps to.
it.skipIf(process.geteuid?.() !== 0)('a root server without setpriv says that it clones itself', async () => {
  mkdirSync(join(folder, 'data'))
  const cloning = 'clone steps run as root'
  expect((await find({ isolation: 'accounts', programs: [] })).description).toContain(cloning)
  expect((await find({ isolation: 'accounts' })).description).not.toContain(cloning)
})

// This machine may not allow sandboxes.
describe.skipIf(!can)('the sandbox stays on', () => {
  it('with a socket, a file and a folder, anywhere and through any links', async () => {
    const socket = join(folder, 'docker.sock')
    const listening = createServer().listen(socket)
    onTestFinished(() => void listening.close())
    mkdirSync(join(folder, 'tools'))
    writeFileSync(join(folder, 'tools', 'one'), 'one')
    symlinkSync(join(folder, 'tools'), join(folder, 'link'))
    symlinkSync('link', join(folder, 'far'))
    const paths = [socket, join(folder, 'far'), join(folder, 'link', 'one')]
    expect(await inStep(paths, `test -S ${socket} && cat ${paths[1]}/one ${paths[2]} ${folder}/tools/one`)).toBe(
      'oneoneone',
    )
  })

  // Only root can create a socket in /run.
  it.skipIf(process.geteuid?.() !== 0)('with a path below /var/run, as Docker names its socket', async () => {
    const name = `flightdeck-${process.pid}.sock`
    const listening = createServer().listen(`/run/${name}`)
    onTestFinished(() => void listening.close())
    expect(await inStep([`/var/run/${name}`], `test -S /var/run/${name} && test -S /run/${name} && echo seen`)).toBe(
      'seen',
    )
  })

  it.each([['/var/run'], ['/run'], ['/var'], ['/sys'], ['/home'], ['/usr/bin'], ['/bin']])('with %s', async (path) => {
    expect(await inStep([path], `test -e ${path} && test -d /run && echo seen`)).toBe('seen')
  })

  it('with devices, which can be opened', async () => {
    expect(await inStep(['/dev/null', '/dev/zero'], 'head -c 3 /dev/zero | wc -c')).toBe('3')
  })

  it('with the same path twice, and a folder within another', async () => {
    mkdirSync(join(folder, 'a', 'b'), { recursive: true })
    const inner = join(folder, 'a', 'b')
    expect(await inStep([inner, inner, join(folder, 'a'), folder], `test -d ${inner} && echo seen`)).toBe('seen')
  })

  it('with a closed umask', async () => {
    const before = process.umask(0o077)
    try {
      writeFileSync(join(folder, 'file'), 'x')
      chmodSync(join(folder, 'file'), 0o644)
      expect(await inStep([join(folder, 'file')], `cat ${folder}/file; id -un; cat /etc/passwd >/dev/null`)).toMatch(
        /^x\S+$/,
      )
    } finally {
      process.umask(before)
    }
  })
})

// This machine may not allow sandboxes.
describe.skipIf(!can)('a path that steps could not see ends the start', () => {
  it.each([
    ['/', '--expose /: this would expose the whole machine; list only the folders that steps need'],
    ['/tmp', '--expose /tmp: each step has its own /tmp, which hides this path; use another folder'],
    ['/var/tmp', '--expose /var/tmp: each step has its own /var/tmp, which hides this path; use another folder'],
    ['/proc/self', '--expose /proc/self: each step has its own /proc, which hides this path; use another folder'],
    [
      '/dev',
      '--expose /dev: each step has its own /dev, which hides this path; name single devices or use another folder',
    ],
    [
      '/dev/shm',
      '--expose /dev/shm: each step has its own /dev, which hides this path; name single devices or use another folder',
    ],
    ['/no/such/path', '--expose /no/such/path: there is no such file or folder'],
    ['/etc/passwd/x', '--expose /etc/passwd/x: there is no such file or folder'],
  ])('%s', async (path, description) => {
    expect(await refusal([path])).toBe(`ImpossibleProtection: ${description}`)
  })

  it('what the account of steps may not open', async () => {
    const file = join(folder, 'file')
    writeFileSync(file, '')
    chmodSync(file, 0)
    expect(await refusal([base, file])).toContain(
      `ImpossibleProtection: --expose ${file}: ${process.geteuid?.() === 0 ? 'steps run as accounts that cannot open this path' : "the server's account cannot open this path"}`,
    )
    chmodSync(file, 0o644)
    mkdirSync(join(folder, 'closed'))
    chmodSync(join(folder, 'closed'), 0o311)
    expect(await refusal([file, join(folder, 'closed')])).toContain('cannot open this path')
  })

  it('a socket that the account of steps may not write to is named', async () => {
    const socket = join(folder, 'socket')
    const listening = createServer().listen(socket)
    onTestFinished(() => void listening.close())
    chmodSync(socket, 0o666)
    expect(await refusal([socket])).not.toContain('cannot write')
    chmodSync(socket, 0o444)
    expect(await refusal([socket])).toContain(
      `; --expose ${socket}: steps run as accounts that cannot write to this socket`,
    )
  })

  it('a link to nothing, to a folder that each step has, or to one that is closed to steps', async () => {
    const link = join(folder, 'link')
    symlinkSync('/nowhere', link)
    expect(await refusal([link])).toBe(`ImpossibleProtection: --expose ${link}: there is no such file or folder`)
    rmSync(link)
    symlinkSync('/tmp', link)
    expect(await refusal([link])).toContain('each step has its own /tmp')
    rmSync(link)
    mkdirSync(join(folder, 'repos', 'acme'), { recursive: true })
    symlinkSync(join(folder, 'repos', 'acme'), link)
    expect(await refusal([link], [join(folder, 'repos')])).toContain('never shows to steps')
  })

  it('a file error ends the start with its reason, not with a weaker protection', async () => {
    // Something lies where the sandbox is to be.
    mkdirSync(join(folder, 'data'))
    writeFileSync(join(folder, 'data', 'sandbox'), '')
    expect(await refusal([])).toMatch(
      /^Error: the sandbox of steps cannot be prepared in .*\/data: EEXIST: file already exists, mkdir/,
    )
  })
})
