import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { spawnSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { DatabaseSync } from '@photostructure/sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { migrations } from '../../store/migrations.ts'
import { openStore } from '../../store/open.ts'
import { createBackup } from './create-backup.ts'
import { paddingOf, tarEnd, tarHeader } from './tar.ts'
import { restoreBackup } from './restore-backup.ts'

const schema = migrations.length
let folder: string
let data: string
let backup: string
let count = 0
const fresh = (name: string) => join(folder, `${(count += 1)}-${name}`)

const step = "insert into steps (step_stage_id, step_number, step_name, step_status) values (1, 1, 'a', 'success')"

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'backup-'))
  data = fresh('data')
  mkdirSync(join(data, 'logs', '0'), { recursive: true })
  const store = openStore(join(data, 'flightdeck.db'))
  await store.close()
  const raw = new DatabaseSync(join(data, 'flightdeck.db'))
  raw.exec('pragma foreign_keys = off')
  const columns = (
    raw.prepare('pragma table_info(steps)').all() as {
      name: string
      notnull: number
      dflt_value: unknown
      type: string
    }[]
  ).filter(({ name, notnull, dflt_value }) => notnull === 1 && dflt_value === null && !step.includes(name))
  const text = step.replace(') values', `${columns.map(({ name }) => `, ${name}`).join('')}) values`)
  raw.exec(`${text.slice(0, -1)}${columns.map(({ type }) => (type === 'INTEGER' ? ', 0' : ", ''")).join('')})`)
  raw.close()
  writeFileSync(join(data, 'secrets-key'), `${'ab'.repeat(32)}\n`)
  writeFileSync(join(data, 'settings.json'), '{}\n')
  writeFileSync(join(data, 'process-mark'), 'of this machine')
  writeFileSync(join(data, 'logs', '0', '1.json.gz'), gzipSync('[{"pos":0,"out":"hello\\n","time":0}]'))
  // Of a step that began after the database was copied.
  writeFileSync(join(data, 'logs', '0', '2.json'), '[{"pos":0,"out":"later\\n","time":0}')
  const hook = join(data, 'repos', 'sample', 'hello', '.git', 'objects', 'ab', 'c'.repeat(38))
  mkdirSync(join(hook, '..'), { recursive: true })
  writeFileSync(hook, 'an object', { mode: 0o755 })
  symlinkSync('/etc/passwd', join(data, 'repos', 'sample', 'link'))
  backup = fresh('backup.tar.gz')
  await createBackup(data, backup, '1.2.3')
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Restores into a new folder; answers the sentence of a refusal, of which nothing may be left. */
async function refusal(file: string): Promise<string> {
  const target = fresh('refused')
  try {
    await restoreBackup(target, file, schema)
    return 'restored'
  } catch (error) {
    expect(existsSync(target), 'a refused restore leaves nothing').toBe(false)
    expect(existsSync(join(folder, 'evil'))).toBe(false)
    return (error as Error).message
  }
}

describe('a backup', () => {
  it('comes back as it was, without what belongs to the machine', async () => {
    const target = fresh('restored')
    expect(await restoreBackup(target, backup, schema)).toEqual({ files: 5, schema })
    const files = readdirSync(target, { recursive: true })
      .map(String)
      .toSorted((a, b) => (a < b ? -1 : 1))
    expect(files.filter((name) => statSync(join(target, name)).isFile())).toEqual([
      'flightdeck.db',
      'logs/0/1.json.gz',
      `repos/sample/hello/.git/objects/ab/${'c'.repeat(38)}`,
      'secrets-key',
      'settings.json',
    ])
    for (const name of ['secrets-key', 'logs/0/1.json.gz', 'settings.json'])
      expect(readFileSync(join(target, name))).toEqual(readFileSync(join(data, name)))
    expect(statSync(target).mode & 0o777).toBe(0o700)
    expect(statSync(join(target, 'secrets-key')).mode & 0o777).toBe(0o600)
    expect(statSync(join(target, 'repos/sample/hello/.git/objects/ab', 'c'.repeat(38))).mode & 0o777).toBe(0o700)
    const raw = new DatabaseSync(join(target, 'flightdeck.db'))
    expect(raw.prepare('select count(*) as n from steps').get()).toEqual({ n: 1 })
    raw.close()
  })

  it('is for its owner only, and is what tar and sha256sum read', () => {
    expect(statSync(backup).mode & 0o777).toBe(0o600)
    const out = fresh('tar')
    mkdirSync(out)
    expect(spawnSync('tar', ['-xzf', backup, '-C', out]).status).toBe(0)
    expect(spawnSync('sha256sum', ['-c', '--quiet', 'SHA256SUMS'], { cwd: out }).status).toBe(0)
  })

  it('is taken while another program writes to the database', async () => {
    const other = new DatabaseSync(join(data, 'flightdeck.db'))
    other.exec("pragma journal_mode = wal; begin immediate; insert into settings values ('half', 'written')")
    const file = fresh('while.tar.gz')
    await createBackup(data, file, '1.2.3')
    other.exec('rollback')
    other.close()
    const target = fresh('while')
    await restoreBackup(target, file, schema)
    const raw = new DatabaseSync(join(target, 'flightdeck.db'))
    expect(raw.prepare("select count(*) as n from settings where setting_name = 'half'").get()).toEqual({ n: 0 })
    raw.close()
  })

  it('holds each log once, also while it is compressed', async () => {
    const busy = fresh('compressing')
    cpSync(data, busy, { recursive: true })
    // What a server leaves between the rename of the compressed file and the removal of the plain
    // one.
    writeFileSync(join(busy, 'logs', '0', '1.json'), '[{"pos":0,"out":"hello\\n","time":0}')
    const file = fresh('compressing.tar.gz')
    await createBackup(busy, file, '1.2.3')
    const target = fresh('compressed')
    await restoreBackup(target, file, schema)
    expect(readdirSync(join(target, 'logs', '0'))).toEqual(['1.json.gz'])
  })

  it('does not replace a file, and leaves nothing where it fails', async () => {
    await expect(createBackup(data, backup, '1.2.3')).rejects.toThrow(/already exists; choose another name/)
    await expect(createBackup(fresh('none'), fresh('x'), '1')).rejects.toThrow(/ is not a Flightdeck data folder$/)
    await expect(createBackup(data, join(folder, 'no', 'where'), '1')).rejects.toThrow(/cannot be written/)
    const broken = fresh('broken')
    cpSync(data, broken, { recursive: true })
    const database = join(broken, 'flightdeck.db')
    truncateSync(database, Math.floor(statSync(database).size / 8192) * 4096)
    const file = fresh('broken.tar.gz')
    await expect(createBackup(broken, file, '1')).rejects.toThrow(/^The database (could not be copied|is damaged): /)
    expect(readdirSync(folder).filter((name) => name.includes('broken.tar.gz') || name.startsWith('.'))).toEqual([])
  })
})

type Content = string | Buffer
interface Entry {
  name: string
  content: Content
  /** In place of a plain file. */
  type?: string
}

const entryBytes = ({ name, content, type }: Entry): Buffer => {
  const bytes = Buffer.from(content)
  const header = tarHeader({ name, size: bytes.length, executable: false })
  if (type !== undefined) {
    header.write(type, 156)
    header.write(' '.repeat(8), 148)
    header.write(
      `${header
        .reduce((total, byte) => total + byte, 0)
        .toString(8)
        .padStart(6, '0')}\0 `,
      148,
    )
  }
  return Buffer.concat([header, bytes, paddingOf(bytes.length)])
}

const head = (more: object = {}): Entry => ({
  name: 'flightdeck-backup.json',
  content: JSON.stringify({ format: 1, version: '9.9.9', schema, created: '2026-01-01', ...more }),
})
const sumsOf = (entries: readonly Entry[]): Entry => ({
  name: 'SHA256SUMS',
  content: entries
    .map(({ name, content }) => `${createHash('sha256').update(content).digest('hex')}  ${name}\n`)
    .join(''),
})
function crafted(entries: readonly Entry[]): string {
  const file = fresh('crafted.tar.gz')
  writeFileSync(file, gzipSync(Buffer.concat([...entries.map(entryBytes), tarEnd()])))
  return file
}
const whole = (...entries: Entry[]): string => crafted([...entries, sumsOf(entries)])
const database = (): Entry => ({ name: 'flightdeck.db', content: readFileSync(join(data, 'flightdeck.db')) })

describe('restore refuses', () => {
  it('a folder that holds something', async () => {
    const target = fresh('full')
    mkdirSync(target)
    writeFileSync(join(target, 'server.lock'), '')
    await expect(restoreBackup(target, backup, schema)).rejects.toThrow(
      /is not empty; restore into a new one with --data$/,
    )
    expect(readdirSync(target)).toEqual(['server.lock'])
  })

  it('a file that was truncated anywhere @system', async () => {
    const bytes = readFileSync(backup)
    for (let part = 0; part < 40; part += 1) {
      const file = fresh('truncated')
      writeFileSync(file, bytes.subarray(0, Math.floor((bytes.length * part) / 40)))
      expect(await refusal(file)).toMatch(/^The (backup is truncated|file is not a backup)/)
    }
    const plain = gunzipSync(bytes)
    for (let at = 0; at < plain.length - 1024; at += 512 * 37) {
      const file = fresh('truncated')
      writeFileSync(file, gzipSync(plain.subarray(0, at)))
      expect(await refusal(file)).toMatch(/^The backup is truncated/)
    }
  })

  it('a file with a changed byte anywhere @system', async () => {
    const plain = gunzipSync(readFileSync(backup))
    for (let at = 3; at < plain.length - 1024; at += Math.floor(plain.length / 40)) {
      const changed = Buffer.from(plain)
      changed[at] = (changed[at] ?? 0) ^ 0x41
      // Padding between two entries means nothing.
      const file = fresh('changed')
      writeFileSync(file, gzipSync(changed))
      const words = await refusal(file)
      expect(words).toMatch(/^The (backup|file|database)|^restored$/)
      if (words === 'restored') expect(plain[at]).toBe(0)
    }
  })

  it.each([
    ['text', 'hello'],
    ['another compressed file', gzipSync('hello')],
    ['an empty file', ''],
    ['a foreign archive', gzipSync(Buffer.concat([entryBytes({ name: 'flightdeck.db', content: 'x' }), tarEnd()]))],
  ])('%s', async (_, content) => {
    const file = fresh('foreign')
    writeFileSync(file, content)
    expect(await refusal(file)).toMatch(/^The (file is not a Flightdeck backup|backup is truncated)/)
  })

  it('names that are one file, or a file and a folder', async () => {
    for (const names of [
      ['repos/a', 'repos/a/b'],
      ['repos/a/b', 'repos/a'],
    ]) {
      const files = names.map((name) => ({ name, content: 'x' }))
      expect(await refusal(whole(head(), ...files))).toBe(
        `The backup contains ${names[1]} twice, or as a file and as a folder`,
      )
    }
  })

  it('a file that is larger than the free space, before it is unpacked', async () => {
    const file = fresh('large.tar.gz')
    const large = tarHeader({ name: 'flightdeck.db', size: 2 ** 50, executable: false })
    writeFileSync(file, gzipSync(Buffer.concat([entryBytes(head()), large])))
    expect(await refusal(file)).toBe(
      'The disk has too little space for flightdeck.db of the backup: 1125899906842624 bytes',
    )
  })

  it.each([
    '../evil',
    'repos/../../evil',
    'repos/a/./b',
    'repos//a',
    'repos',
    '/tmp/evil',
    'logs/../evil',
    'logs/0/1.json.tmp',
    'logs/0/../../evil',
    'process-mark',
    'server.pid',
    'sandbox/x',
    'repos/a\\..\\b',
    '.restore',
  ])('the name %s', async (name) => {
    expect(await refusal(whole(head(), database(), { name, content: 'evil' }))).toBe(
      `The backup contains ${JSON.stringify(name)}, which is not part of a backup`,
    )
  })

  it.each(['1', '2', '3', '5', '6', 'x', 'g', 'L'])('an entry of type %s, such as a link', async (type) => {
    const link = { name: 'repos/link', content: '/etc/passwd', type }
    expect(await refusal(whole(head(), database(), link))).toBe(
      'The backup contains repos/link, which is not a regular file',
    )
  })

  it('a name twice, and anything after the checksums', async () => {
    const key = { name: 'secrets-key', content: 'a' }
    expect(await refusal(whole(head(), database(), key, key))).toMatch(/^The backup contains "secrets-key"/)
    const entries = [head(), database()]
    expect(await refusal(crafted([...entries, sumsOf(entries), key]))).toBe(
      'The backup has secrets-key after its checksums',
    )
  })

  it('checksums that do not match, or are of more files', async () => {
    const entries = [head(), database()]
    const others = [head(), { name: 'flightdeck.db', content: 'x' }]
    expect(await refusal(crafted([...entries, sumsOf(others)]))).toBe(
      'The backup is damaged: flightdeck.db does not match its checksum',
    )
    const more = [...entries, { name: 'secrets-key', content: 'a' }]
    expect(await refusal(crafted([...entries, sumsOf(more)]))).toMatch(/^The backup is damaged/)
    expect(await refusal(crafted(entries))).toBe('The backup is truncated: its checksums are missing')
  })

  it('what a newer Flightdeck made', async () => {
    const words = (version: string) =>
      `The backup was made by Flightdeck ${version}, which is newer than this one; restore it with that version or a later one`
    expect(await refusal(whole(head({ schema: schema + 1 }), database()))).toBe(words('9.9.9'))
    expect(await refusal(whole(head({ format: 2, version: '3.0.0' }), database()))).toBe(words('3.0.0'))
    // Its header says less than its database.
    const newer = fresh('newer.db')
    writeFileSync(newer, database().content)
    const raw = new DatabaseSync(newer)
    raw.exec(`pragma journal_mode = delete; pragma user_version = ${schema + 1}`)
    raw.close()
    expect(await refusal(whole(head(), { name: 'flightdeck.db', content: readFileSync(newer) }))).toBe(
      'The database of the backup is newer than this Flightdeck; restore it with a later version',
    )
  })

  it('one without a database, or with a damaged one', async () => {
    expect(await refusal(whole(head(), { name: 'secrets-key', content: 'a' }))).toBe('The backup has no database')
    expect(await refusal(whole(head(), { name: 'flightdeck.db', content: 'no database at all' }))).toMatch(
      /^The database of the backup is damaged/,
    )
  })

  it('a file that is not there', async () => {
    expect(await refusal(join(folder, 'none'))).toBe(`There is no file ${join(folder, 'none')}`)
    expect(await refusal(folder)).toMatch(/cannot be read/)
  })
})
