/**
 * For tests: commits a working tree as `git add -A` and `git commit` do, but writes the objects
 * itself. Starting git three times for each commit took a sixth of the time of all unit tests.
 */
import { createHash } from 'node:crypto'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  renameSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'

/** Files that make git leave out or rewrite others. */
const special = new Set(['.git', '.gitattributes', '.gitignore', '.gitmodules'])

/** A message that git stores as it is. */
const plainMessage = /^(?!\s)(?!.*[ \t\r]\n)(?!.*\n{3})[^\0]*\S$/s

const author = 'Ada <ada@example.com>'

/** Whether a commit here is only files and a parent: nobody staged, packed or detached anything. */
const isPlain = (gitDir: string, message: string): boolean =>
  plainMessage.test(message) &&
  ['index', 'packed-refs', 'shallow', 'info/exclude'].every((name) => !existsSync(join(gitDir, name)))

function writeObject(gitDir: string, type: string, content: Buffer): Buffer {
  const bytes = Buffer.concat([Buffer.from(`${type} ${content.length}\0`), content])
  const hash = createHash('sha1').update(bytes).digest()
  const hex = hash.toString('hex')
  const folder = join(gitDir, 'objects', hex.slice(0, 2))
  const file = join(folder, hex.slice(2))
  if (!existsSync(file)) {
    mkdirSync(folder, { recursive: true })
    writeFileSync(file, deflateSync(bytes, { level: 1 }), { mode: 0o444 })
  }
  return hash
}

/**
 * The object of a folder; `null` without files in it, `undefined` with files that git treats
 * specially.
 */
function writeTree(gitDir: string, folder: string, isRoot = true): Buffer | null | undefined {
  const entries: { key: Buffer; line: Buffer }[] = []
  for (const { name } of readdirSync(folder, { withFileTypes: true })) {
    if (isRoot && name === '.git') continue
    if (special.has(name)) return undefined
    const path = join(folder, name)
    const stats = lstatSync(path)
    let [mode, hash]: [string, Buffer | null | undefined] = ['40000', null]
    if (stats.isDirectory()) hash = writeTree(gitDir, path, false)
    else if (stats.isSymbolicLink())
      [mode, hash] = ['120000', writeObject(gitDir, 'blob', readlinkSync(path, { encoding: 'buffer' }))]
    else if (stats.isFile())
      [mode, hash] = [stats.mode & 0o100 ? '100755' : '100644', writeObject(gitDir, 'blob', readFileSync(path))]
    if (hash === undefined) return undefined
    if (hash === null) continue
    const key = Buffer.from(mode === '40000' ? `${name}/` : name)
    entries.push({ key, line: Buffer.concat([Buffer.from(`${mode} ${name}\0`), hash]) })
  }
  if (entries.length === 0 && !isRoot) return null
  entries.sort((a, b) => Buffer.compare(a.key, b.key))
  return writeObject(gitDir, 'tree', Buffer.concat(entries.map(({ line }) => line)))
}

/**
 * Commits all files to the current branch and returns the sha; `undefined` if only git can do it.
 * It leaves no index, so `git()` of the test repository makes one first (`needsIndex`).
 */
export function commitPlainly(path: string, message: string): string | undefined {
  const gitDir = join(path, '.git')
  if (!existsSync(join(gitDir, 'HEAD')) || !isPlain(gitDir, message)) return undefined
  const ref = /^ref: (refs\/heads\/[\w./-]+)\n$/.exec(readFileSync(join(gitDir, 'HEAD'), 'utf8'))?.[1]
  if (!ref) return undefined
  const tree = writeTree(gitDir, path)
  if (!tree) return undefined
  const file = join(gitDir, ref)
  const parent = existsSync(file) ? `parent ${readFileSync(file, 'utf8').trim()}\n` : ''
  const when = `${author} ${Math.floor(Date.now() / 1000)} +0000`
  const text = `tree ${tree.toString('hex')}\n${parent}author ${when}\ncommitter ${when}\n\n${message}\n`
  const sha = writeObject(gitDir, 'commit', Buffer.from(text)).toString('hex')
  mkdirSync(join(file, '..'), { recursive: true })
  writeFileSync(`${file}.lock`, `${sha}\n`)
  renameSync(`${file}.lock`, file)
  return sha
}

/** Whether a repository has commits but no index, as `commitPlainly` leaves it. */
export const needsIndex = (path: string): boolean => {
  const gitDir = join(path, '.git')
  return (
    existsSync(join(gitDir, 'refs/heads')) &&
    !existsSync(join(gitDir, 'index')) &&
    readdirSync(join(gitDir, 'refs/heads')).length > 0
  )
}
