import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { flushPacket, packet } from '../../lib/pkt-line.ts'
import { createPushServer, type PushServerOptions } from './push-server.ts'

let folder: string
let repository: string
let pack: Buffer
let commit: string
const git = (...words: string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...words], { cwd: repository })
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'flightdeck-push-test-'))
  repository = join(folder, 'repo.git')
  execFileSync('git', ['init', '-q', '--bare', '-b', 'main', repository])
  const work = join(folder, 'work')
  execFileSync('git', ['init', '-q', work])
  const inWork = (...words: string[]) =>
    execFileSync('git', ['-C', work, '-c', 'user.name=a', '-c', 'user.email=a@b', ...words])
  writeFileSync(join(work, 'large'), randomBytes(64 * 1024))
  inWork('add', '.')
  inWork('commit', '-qm', 'large')
  commit = inWork('rev-parse', 'HEAD').toString().trim()
  pack = execFileSync('git', ['-C', work, 'pack-objects', '--revs', '--stdout', '-q'], { input: `${commit}\n` })
})
afterAll(() => rmSync(folder, { recursive: true }))

const gone = new AbortController()
afterAll(() => gone.abort())

const commandOf = (ref: string) =>
  Buffer.concat([packet(Buffer.from(`${'0'.repeat(40)} ${commit} ${ref}\0report-status\n`)), flushPacket])
const refs = () => git('for-each-ref', '--format=%(refname)').toString()

function pusherOf(options: PushServerOptions = {}) {
  const pushes = createPushServer(options)
  return (
    login: string,
    input: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
    { signal = gone.signal, advertise = false } = {},
  ) =>
    pushes.receive(repository, {
      advertise,
      input: (async function* () {
        yield* input
      })(),
      signal,
      person: { login, email: '' },
      stillMay: async () => {},
    })
}
async function textOf(output: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of output) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}
/** Sends nothing until `end` is called. */
function silent() {
  let end = () => {}
  const ended = new Promise<void>((resolve) => (end = resolve))
  const input: AsyncIterable<Uint8Array> = {
    [Symbol.asyncIterator]: () => ({
      async next() {
        await ended
        return { done: true, value: undefined }
      },
    }),
  }
  return { end, input }
}
const full = { status: 503, message: 'Too many pushes at once' }

describe('concurrent pushes', () => {
  it('are limited to two per person and four in total; a push that ends releases its slot', async () => {
    const push = pusherOf()
    const stalled = ['a', 'a', 'b', 'b'].map((login) => ({ login, ...silent() }))
    const [first, second] = stalled
    const running = stalled.slice(0, 2).map(({ login, input }) => push(login, input))
    await expect(push('a', [])).rejects.toMatchObject(full)
    running.push(...stalled.slice(2).map(({ login, input }) => push(login, input)))
    await expect(push('c', [])).rejects.toMatchObject(full)
    first?.end()
    await expect(running[0]).rejects.toMatchObject({ status: 400 })
    expect(await textOf(await push('c', [commandOf('refs/heads/room'), pack]))).toContain('ok refs/heads/room')
    second?.end()
    for (const { end } of stalled) end()
    await Promise.allSettled(running)
  })

  it('release their slots when they are refused, aborted or done', async () => {
    const push = pusherOf({ maxConcurrency: 1, maxPerPerson: 1 })
    await expect(push('a', [Buffer.from('zzzz')])).rejects.toMatchObject({ status: 400 })
    expect(await textOf(await push('a', [commandOf('refs/heads/cut'), pack.subarray(0, 1000)]))).toContain(
      'ng refs/heads/cut',
    )
    const client = new AbortController()
    const waiting = push('a', silent().input, { signal: client.signal })
    client.abort()
    await expect(waiting).rejects.toThrow()
    expect(await textOf(await push('a', [commandOf('refs/x/y')]))).toContain('only branches and tags')
    expect(await textOf(await push('a', [commandOf('refs/heads/done'), pack]))).toContain('ok refs/heads/done')
  })
})

describe('a push that takes too long', () => {
  it('is aborted while its commands arrive', async () => {
    await expect(pusherOf({ totalMs: 20 })('a', silent().input)).rejects.toMatchObject({ status: 408 })
  })

  it('is aborted while its pack arrives, and leaves no files', async () => {
    const before = readdirSync(join(repository, 'objects'))
    const late = (async function* () {
      yield commandOf('refs/heads/late')
      yield pack.subarray(0, 30_000)
      yield* silent().input
    })()
    await expect(pusherOf({ totalMs: 300 })('a', late)).rejects.toMatchObject({ status: 408 })
    expect(refs()).not.toContain('late')
    expect(readdirSync(join(repository, 'objects'))).toEqual(before)
  })
})

describe('on a disk that is nearly full', () => {
  const disk = { bsize: 4096, blocks: 1_000_000, files: 0, ffree: 0 }
  const nearlyFull = { status: 503, message: 'The disk of the server is nearly full' }

  it('no push starts', async () => {
    const push = pusherOf({ maxConcurrency: 1, readDisk: async () => ({ ...disk, bavail: 40_000 }) })
    for (let time = 0; time < 2; time += 1)
      await expect(push('a', [commandOf('refs/heads/full'), pack])).rejects.toMatchObject(nearlyFull)
  })

  it('a running push is aborted, and leaves no files @system', async () => {
    const before = readdirSync(join(repository, 'objects'))
    let reads = 0
    const readDisk = async () => ({ ...disk, bavail: (reads += 1) === 1 ? 100_000 : 1_000 })
    const slow = (async function* () {
      yield commandOf('refs/heads/full')
      yield pack.subarray(0, 30_000)
      yield* silent().input
    })()
    await expect(pusherOf({ readDisk })('a', slow)).rejects.toMatchObject(nearlyFull)
    expect(refs()).not.toContain('full')
    expect(readdirSync(join(repository, 'objects'))).toEqual(before)
  })
})

it('a pack that is too large is refused with git’s reason', async () => {
  const answer = await textOf(await pusherOf({ maxPackBytes: 1000 })('a', [commandOf('refs/heads/large'), pack]))
  expect(answer).toMatch(/unpack .*\n.*ng refs\/heads\/large unpacker error/)
  expect(refs()).not.toContain('refs/heads/large')
})

it('git’s error is reported as a plain message; the cause has git’s output', async () => {
  const file = join(repository, 'packed-refs')
  writeFileSync(file, 'no refs\n')
  try {
    const failed: unknown = await pusherOf()('a', [], { advertise: true }).then(textOf, (error) => error)
    expect(failed).toMatchObject({
      status: 500,
      message: 'git cannot store the push: its file packed-refs does not hold refs: run git fsck there for details',
      cause: { message: expect.stringMatching(/^git exited with 128: fatal: .*packed-refs/) },
    })
  } finally {
    rmSync(file)
  }
})

it('the limits match docs/limits.md', () => {
  const page = readFileSync(new URL('../../../../docs/limits.md', import.meta.url), 'utf8')
  const section = page.slice(page.indexOf('## Pushes over HTTP')).split('\n## ')[0]
  for (const row of [
    '| pushes at once | 4, 2 of one person |',
    '| time of a push | 15 minutes |',
    '| size of a pack | 1 GiB |',
  ])
    expect(section).toContain(row)
})
