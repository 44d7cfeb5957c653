import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { absent } from '../repositories/git-dir.ts'

/**
 * A git directory of ours, through which git reads a repository of others: its objects and refs are theirs, by links; its
 * configuration, hooks and attributes are ours. git has dozens of settings that name a program to run (for a missing object,
 * a remote, a filter, a signature, …) and new ones come: none is read where none can be written.
 */
export async function writeView(folder: string, { commonDir, objects, refs }: ViewParts): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await symlink(objects, join(folder, 'objects'))
  if (refs) {
    for (const name of ['refs', 'packed-refs', 'shallow']) await symlink(join(commonDir, name), join(folder, name))
  } else {
    await mkdir(join(folder, 'refs'))
    const shallow = await readFile(join(commonDir, 'shallow')).catch(absent)
    if (shallow) await writeFile(join(folder, 'shallow'), shallow)
  }
  await writeFile(join(folder, 'HEAD'), 'ref: refs/heads/main\n')
  await writeFile(join(folder, 'config'), await configuration(commonDir))
}

/** The views of all repositories, each written once per start: links stay true whatever becomes of their targets. */
export function createViews(folder: string) {
  const written = new Map<string, Promise<string>>()
  async function write(commonDir: string): Promise<string> {
    const view = join(folder, createHash('sha256').update(commonDir).digest('hex').slice(0, 32))
    await writeView(view, { commonDir, objects: join(commonDir, 'objects'), refs: true })
    return view
  }
  return {
    /** Looks each time whether the objects are the repository's own. */
    async open(commonDir: string): Promise<string> {
      await ownObjects(commonDir)
      const known = written.get(commonDir) ?? write(commonDir)
      written.set(commonDir, known)
      known.catch(() => written.delete(commonDir))
      return known
    },
  }
}

export interface ViewParts {
  commonDir: string
  /** Where the link to the objects leads. */
  objects: string
  /** Whether the refs can be seen, too. */
  refs: boolean
}

/** The one fact about a repository that git must know to read it. */
async function configuration(commonDir: string): Promise<string> {
  const theirs = (await readFile(join(commonDir, 'config'), 'utf8').catch(absent)) ?? ''
  const isLong = /^[ \t]*objectformat[ \t]*=[ \t]*sha256\b/im.test(theirs)
  const version = isLong ? '1\n[extensions]\n\tobjectFormat = sha256\n[core]' : '0'
  // A build may be of a commit that no ref names any more.
  return `[core]\n\trepositoryFormatVersion = ${version}\n\tbare = true\n[uploadpack]\n\tallowAnySHA1InWant = true\n`
}

/** Objects that lie elsewhere are those of somebody else: whoever may write a path there could read any repository. */
export async function ownObjects(commonDir: string): Promise<string> {
  const objects = join(commonDir, 'objects')
  if ((await realpath(objects)) !== join(await realpath(commonDir), 'objects')) throw new Elsewhere('its objects')
  for (const folder of [objects, join(objects, 'pack'), join(objects, 'info')]) {
    const entries = (await readdir(folder, { withFileTypes: true }).catch(absent)) ?? []
    const link = entries.find((entry) => entry.isSymbolicLink())
    if (link) throw new Elsewhere(`its objects (${join(folder, link.name)})`)
  }
  const alternates = (await readFile(join(objects, 'info', 'alternates'), 'utf8').catch(absent)) ?? ''
  if (/^[^#\n]/m.test(alternates)) throw new Elsewhere('objects (objects/info/alternates)')
  return objects
}

/** A repository whose objects are not its own. */
export class Elsewhere extends Error {
  override readonly name = 'Elsewhere'
  constructor(what: string) {
    super(
      `it keeps ${what} outside of its folder, where Flightdeck does not read: run git repack -a -d there, and remove that`,
    )
  }
}
