import { chmod, chown, lstat, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { resolveAccount } from '../machine/account.ts'
import { createWorkspace, findLeftovers, openParent, removeRoot, workspaceRoot } from './workspace.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'flightdeck-workspace-'))
})
afterEach(() => rm(folder, { recursive: true }))

test.each(['its end', 'the next start'])(
  '%s removes write-protected folders, but never the target of a link',
  async (when) => {
    const root = join(folder, 'workspaces')
    const outside = join(folder, 'outside')
    for (const path of [root, outside]) await mkdir(path)
    await writeFile(join(outside, 'kept'), '')
    const workspace = await createWorkspace(root, 1, undefined)
    const cache = join(workspace.source, 'cache')
    await mkdir(cache)
    await writeFile(join(cache, 'module'), '', { mode: 0o400 })
    await symlink(outside, join(workspace.source, 'link'))
    await symlink(outside, join(cache, 'link'))
    await chmod(cache, 0o500)
    const never = new AbortController().signal
    await (when === 'the next start' ? (await findLeftovers(root)).remove(never) : workspace.remove())
    expect(await readdir(root)).toEqual([])
    expect(await readdir(outside)).toEqual(['kept'])
  },
)

test('leftovers are removed while stages run, and a stop does not wait for it', async () => {
  for (const name of ['1-old', '2-old']) await mkdir(join(folder, name))
  const leftovers = await findLeftovers(folder)
  expect(leftovers.names.toSorted()).toEqual(['1-old', '2-old'])
  const made = await createWorkspace(folder, 3, undefined)
  await leftovers.remove(AbortSignal.abort())
  expect(await readdir(folder)).toHaveLength(3)
  await leftovers.remove(new AbortController().signal)
  expect(await readdir(folder)).toEqual([basename(made.folder)])
})

/**
 * Only root runs steps as another account, and only then are their folders inside a world-writable
 * folder.
 */
const asRoot = test.skipIf(process.geteuid?.() !== 0)

asRoot.each([
  ['a file', (path: string) => writeFile(path, '')],
  ['a link to nowhere', (path: string) => symlink('/nowhere', path)],
  ['a link to a folder of ours', (path: string) => symlink(folder, path)],
  ['a folder of somebody else', (path: string) => mkdir(path).then(() => chown(path, 65_534, 65_534))],
])('%s in the place of the workspaces is left alone', async (_what, take) => {
  const account = await resolveAccount(undefined)
  const mark = randomUUID()
  const usual = join('/tmp', `flightdeck-${mark}`)
  try {
    await take(usual)
    const before = await lstat(usual)
    const root = await workspaceRoot(folder, mark, account)
    expect(root.startsWith(`${usual}-`)).toBe(true)
    const { uid, mode } = await lstat(root)
    expect([uid, mode & 0o777]).toEqual([0, 0o711])
    const now = await lstat(usual)
    expect([now.ino, now.uid, now.mode]).toEqual([before.ino, before.uid, before.mode])
    // As after a crash. The next start begins with an empty folder.
    await mkdir(join(root, 'left'))
    const next = await workspaceRoot(folder, mark, account)
    expect((await readdir('/tmp')).filter((name) => name.includes(mark))).toHaveLength(2)
    await removeRoot(next)
    expect((await readdir('/tmp')).filter((name) => name.includes(mark))).toEqual([`flightdeck-${mark}`])
  } finally {
    await rm(usual, { recursive: true, force: true })
  }
})

test("a stage's folders are closed to other accounts, with any umask", async () => {
  const before = process.umask(0)
  try {
    const uid = process.geteuid?.() ?? 0
    const workspace = await createWorkspace(folder, 1, { name: 'own', uid, gid: process.getegid?.() ?? 0 })
    for (const path of [workspace.source, workspace.home, workspace.temporary]) {
      expect([path, (await lstat(path)).mode & 0o777]).toEqual([path, 0o700])
    }
    // Searchable, so that a script with a known name can be reached; only the server can write
    // there.
    for (const path of [workspace.folder, workspace.scripts, workspace.parent])
      expect((await lstat(path)).mode & 0o777).toBe(0o711)
    await openParent(workspace.parent)
    expect((await lstat(workspace.parent)).mode & 0o7777).toBe(0o1770)
    const own = await createWorkspace(folder, 2, undefined)
    for (const path of [own.folder, own.scripts]) expect((await lstat(path)).mode & 0o777).toBe(0o700)
  } finally {
    process.umask(before)
  }
})

asRoot('a start under another protection clears away what an earlier one left in the shared place', async () => {
  const mark = randomUUID()
  const left = await workspaceRoot(folder, mark, await resolveAccount(undefined))
  await mkdir(join(left, 'left'))
  const foreign = join('/tmp', `flightdeck-${mark}-foreign`)
  await mkdir(foreign)
  await chown(foreign, 65_534, 65_534)
  try {
    expect(await workspaceRoot(folder, mark, undefined)).toBe(join(folder, 'workspaces'))
    expect((await readdir('/tmp')).filter((name) => name.includes(mark))).toEqual([`flightdeck-${mark}-foreign`])
  } finally {
    await rm(foreign, { recursive: true })
    await rm(left, { recursive: true, force: true })
  }
})
