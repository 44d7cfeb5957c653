/** A mirror whose files are damaged is fetched again, with real git over HTTP. */
import { execFileSync } from 'node:child_process'
import {
  cpSync,
  createReadStream,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { testRepository } from '../../testing/test-repository.ts'
import type { WatchSpaceOptions } from '../../lib/disk-space.ts'
import { fetchMirror, writeAskpass } from './fetch.ts'

let folder: string
let server: Server
let work: ReturnType<typeof testRepository>
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'flightdeck-damaged-'))
  work = testRepository(join(folder, 'work'))
  work.commit({ a: 'x'.repeat(9_000) }, 'First')
  writeFileSync(join(folder, 'config'), '')
  await writeAskpass(join(folder, 'forge', 'askpass'))
  // git can clone from the plain files of a bare repository.
  server = createServer((request, response) => {
    const path = new URL(request.url ?? '', 'http://forge').pathname
    createReadStream(join(folder, 'forge.git', path))
      .on('error', () => response.writeHead(404).end())
      .pipe(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  execFileSync('git', ['clone', '-q', '--bare', work.path, join(folder, 'forge.git')])
  execFileSync('git', ['-C', join(folder, 'forge.git'), 'update-server-info'])
  await fetchIt()
  cpSync(mirror(), join(folder, 'healthy'), { recursive: true })
})
afterAll(() => {
  server.close()
  rmSync(folder, { recursive: true, force: true })
})

const mirror = () => join(folder, 'mirrors', '1.git')
const files = () => ({ configFile: join(folder, 'config'), askpassFile: join(folder, 'forge', 'askpass') })
const fetchIt = (readDisk?: WatchSpaceOptions['readDisk']) =>
  fetchMirror(
    mirror(),
    { ...files(), ...(readDisk && { readDisk }) },
    {
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
      credential: { login: 'ann', password: 'secret' },
      pulls: 'pull',
      defaultBranch: 'main',
    },
  )
const at = (...parts: string[]) => join(mirror(), ...parts)
/** Paths of these files of the mirror's packs. */
const packs = (extension: string) =>
  readdirSync(at('objects', 'pack'))
    .filter((name) => name.endsWith(extension))
    .map((name) => at('objects', 'pack', name))
const replace = (path: string, text: string) => {
  rmSync(path, { recursive: true, force: true })
  writeFileSync(path, text)
}

beforeEach(() => {
  rmSync(join(folder, 'mirrors'), { recursive: true, force: true })
  cpSync(join(folder, 'healthy'), mirror(), { recursive: true })
})

const damages: [string, () => void][] = [
  ['HEAD is garbage', () => replace(at('HEAD'), 'garbage')],
  ['HEAD is empty', () => replace(at('HEAD'), '')],
  ['HEAD is gone', () => rmSync(at('HEAD'))],
  ['the configuration is garbage', () => replace(at('config'), '[[[')],
  ['the configuration is empty', () => replace(at('config'), '')],
  ['all refs are gone', () => rmSync(at('refs'), { recursive: true })],
  ['a ref is garbage', () => replace(at('refs', 'heads', 'main'), 'xx')],
  ['a ref is empty', () => replace(at('refs', 'heads', 'main'), '')],
  ['the packed refs are garbage', () => replace(at('packed-refs'), 'zz')],
  ['all objects are gone', () => rmSync(at('objects'), { recursive: true })],
  ['packs are empty', () => packs('.pack').forEach((path) => replace(path, ''))],
  ['packs are truncated', () => packs('.pack').forEach((path) => truncateSync(path, 60))],
  ['indexes of packs are truncated', () => packs('.idx').forEach((path) => truncateSync(path, 500))],
  ['indexes of packs are gone', () => packs('.idx').forEach((path) => rmSync(path))],
  ['it is a file', () => replace(mirror(), 'x')],
]

/** The others are system tests: each costs several runs of git. */
const quick = new Set(['HEAD is garbage', 'packs are truncated'])

it.each(damages.map(([what, damage]) => [what, quick.has(what) ? '' : ' @system', damage] as const))(
  'a fetch repairs a mirror where %s%s',
  async (_what, _tag, damage) => {
    damage()
    await fetchIt()
    const git = (...words: string[]) => execFileSync('git', ['-C', mirror(), ...words], { encoding: 'utf8' }).trim()
    expect(git('rev-parse', 'HEAD')).toBe(work.git('rev-parse', 'HEAD').trim())
    expect(git('cat-file', '-p', 'main:a')).toHaveLength(9_000)
    expect(readdirSync(join(folder, 'mirrors'))).toEqual(['1.git'])
  },
)

it('removes the files of a killed fetch @system', async () => {
  const left = at('objects', 'pack', 'tmp_pack_Ab12Cd')
  writeFileSync(left, 'x')
  await fetchIt()
  expect(packs('12Cd')).toEqual([])
})

it('fetches nothing if the disk is nearly full, and keeps the mirror', async () => {
  const disk = { bsize: 4096, blocks: 1_000_000, bavail: 1_000, files: 0, ffree: 0 }
  const fetching = fetchIt(async () => disk)
  await expect(fetching).rejects.toMatchObject({
    name: 'MirrorError',
    denied: false,
    message: 'The disk of the server is nearly full',
  })
  expect(readdirSync(join(folder, 'mirrors'))).toEqual(['1.git'])
})

it('a damaged mirror that cannot be fetched again stays, and the error has the reason', async () => {
  replace(at('HEAD'), 'garbage')
  const [forge, away] = [join(folder, 'forge.git'), join(folder, 'away.git')]
  renameSync(forge, away)
  mkdirSync(forge)
  try {
    const message = expect.stringContaining('not found')
    await expect(fetchIt()).rejects.toMatchObject({ name: 'MirrorError', message })
  } finally {
    rmSync(forge, { recursive: true })
    renameSync(away, forge)
  }
  expect(readdirSync(join(folder, 'mirrors'))).toEqual(['1.git'])
})
