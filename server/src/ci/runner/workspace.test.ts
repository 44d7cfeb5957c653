import { chmod, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createWorkspace, removeLeftovers } from './workspace.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'flightdeck-workspace-'))
})
afterEach(() => rm(folder, { recursive: true }))

test.each(['its end', 'the next start'])(
  '%s removes write-protected folders, and never what a link leads to',
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
    await (when === 'its end' ? workspace.remove() : removeLeftovers(root))
    expect(await readdir(root)).toEqual([])
    expect(await readdir(outside)).toEqual(['kept'])
  },
)
