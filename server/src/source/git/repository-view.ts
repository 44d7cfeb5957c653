import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createLruCache } from '../../lib/cache.ts'
import type { RepositoryFacts } from '../../interfaces/runner.ts'
import { readSmallFile } from '../repositories/small-file.ts'
import { ownObjects, ownRefs } from './repository-files.ts'

// Used by sessions and pushes.
export { ownObjects, ownRefs }

/**
 * Writes a git directory of the server through which git reads another repository: its objects and
 * refs are links to that repository's, while its configuration, hooks and attributes are the
 * server's. git has dozens of settings that name a program to run (for a missing object, a remote,
 * a filter, a signature, …), and new ones are added. None of the repository's settings is read this
 * way.
 */
export async function writeView(folder: string, { commonDir, objects, refs, facts }: ViewParts): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await symlink(objects, join(folder, 'objects'))
  if (refs === 'all')
    for (const name of ['refs', 'packed-refs']) await symlink(join(commonDir, name), join(folder, name))
  else {
    await mkdir(join(folder, 'refs'))
    const rows = [...refs].map(([name, id]) => `${id} ${name}\n`)
    if (rows.length > 0) await writeFile(join(folder, 'packed-refs'), rows.join(''))
  }
  if (facts.shallow !== '') await writeFile(join(folder, 'shallow'), facts.shallow)
  await writeFile(join(folder, 'HEAD'), 'ref: refs/heads/main\n')
  await writeFile(join(folder, 'config'), configuration(facts))
}

/**
 * The maximum size of all views together on the disk, about 16,000 views, or fewer with long lists
 * of shallow commits.
 */
const maxViewBytes = 64 * 1024 * 1024
const viewBytes = 4096

interface WrittenView {
  path: Promise<string>
  bytes: number
}

/** Whether a view that was written still exists. */
export const isWhole = (view: string): boolean => existsSync(join(view, 'config'))

/**
 * The views of all repositories, each written once: links stay valid whatever happens to their
 * targets. The least recently used views are removed when they exceed the limit. A call that uses a
 * removed one fails, and the next call writes it again.
 */
export function createViews(folder: string, maxSize = maxViewBytes) {
  const removals = new Map<string, Promise<void>>()
  const written = createLruCache<WrittenView>({
    maxSize,
    sizeOf: ({ bytes }) => bytes,
    onEvict({ path }, view) {
      const removal = path
        .then((writtenPath) => rm(writtenPath, { recursive: true, force: true }))
        .catch(() => {})
        .finally(() => removals.delete(view))
      removals.set(view, removal)
    },
  })
  function write(view: string, parts: Omit<ViewParts, 'refs'>): WrittenView {
    const path = (removals.get(view) ?? Promise.resolve())
      .then(() => writeView(view, { ...parts, refs: 'all' }))
      .then(() => view)
    const made = { path, bytes: viewBytes + parts.facts.shallow.length }
    written.set(view, made)
    path.catch(() => written.delete(view))
    return made
  }
  // Removes the views of the last run, because some may be outdated.
  const ready = rm(folder, { recursive: true, force: true })
  ready.catch(() => {})
  return {
    /**
     * Checks on each call that objects and refs belong to the repository, and reads the facts that
     * are needed to read them.
     */
    async open(commonDir: string): Promise<View> {
      await ready
      const { objects, folders } = await ownObjects(commonDir)
      await ownRefs(commonDir)
      const facts = await readFacts(commonDir)
      // Different facts have a different folder, because a process may still read the old one.
      const name = createHash('sha256')
        .update(JSON.stringify([commonDir, facts]))
        .digest('hex')
        .slice(0, 32)
      const view = join(folder, name)
      const cached = written.get(view)
      if (cached && isWhole(await cached.path)) return { path: view, folders }
      return { path: await write(view, { commonDir, objects, facts }).path, folders }
    },
  }
}

export interface View {
  /** The path of the server's git directory. */
  path: string
  /** The object folders that were checked. */
  folders: string[]
}

export interface ViewParts {
  commonDir: string
  /** The target of the link to the objects. */
  objects: string
  /** The visible refs: all, or only these, by full name. */
  refs: 'all' | ReadonlyMap<string, string>
  facts: RepositoryFacts
}

export async function readFacts(commonDir: string): Promise<RepositoryFacts> {
  const config = (await readSmallFile(join(commonDir, 'config'))) ?? ''
  const isLong = /^[ \t]*objectformat[ \t]*=[ \t]*"?sha256\b/im.test(config)
  const shallow = (await readSmallFile(join(commonDir, 'shallow'))) ?? ''
  // git would repeat an invalid line, which could come from any file if this one is a link.
  if (!/^(?:[0-9a-f]{40,64}\n)*$/.test(shallow)) throw new Error('its file "shallow" does not hold commits')
  return { objectFormat: isLong ? 'sha256' : 'sha1', shallow }
}

function configuration({ objectFormat }: RepositoryFacts): string {
  const version = objectFormat === 'sha256' ? '1\n[extensions]\n\tobjectFormat = sha256\n[core]' : '0'
  // A build can use a commit that no ref points to any more.
  return `[core]\n\trepositoryFormatVersion = ${version}\n\tbare = true\n[uploadpack]\n\tallowAnySHA1InWant = true\n`
}
