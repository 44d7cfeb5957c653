import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { absent } from '../repositories/git-dir.ts'

/** The refs of a repository that can start builds, read without a git process. */
export interface RefsOnDisk {
  /** Full name → what it points at; for an annotated tag that is the tag object. */
  refs: Map<string, string>
  /** Files and folders whose modification times tell that a ref has changed. */
  watched: string[]
}

const shaPattern = /^[0-9a-f]{40}(?:[0-9a-f]{24})?/
/** Branches, tags and the heads of pull requests; remote branches and notes start nothing. */
const wanted = /^refs\/(heads\/.+|tags\/.+|pull\/\d+\/head)$/
const roots = ['refs/heads', 'refs/tags', 'refs/pull']

/** git replaces a loose ref by a rename, so its folder's time tells about it: folders suffice to watch. */
export async function readRefs(commonDir: string): Promise<RefsOnDisk> {
  const packed = join(commonDir, 'packed-refs')
  // Loose before packed: what `git pack-refs` moves meanwhile is then seen twice rather than not at all.
  const loose = new Map<string, string>()
  const watched = [packed, join(commonDir, 'refs')]
  for (const root of roots) await readFolder(commonDir, root, loose, watched)
  const refs = parsePacked((await readFile(packed, 'utf8').catch(absent)) ?? '')
  for (const [name, sha] of loose) refs.set(name, sha)
  return { refs, watched }
}

async function readFolder(commonDir: string, folder: string, refs: Map<string, string>, watched: string[]) {
  const path = join(commonDir, folder)
  const entries = await readdir(path, { withFileTypes: true }).catch(absent)
  if (!entries) return
  watched.push(path)
  for (const entry of entries) {
    const name = `${folder}/${entry.name}`
    if (entry.isDirectory()) await readFolder(commonDir, name, refs, watched)
    else if (wanted.test(name) && !name.endsWith('.lock')) {
      const sha = shaPattern.exec((await readFile(join(commonDir, name), 'utf8').catch(absent)) ?? '')?.[0]
      if (sha) refs.set(name, sha)
    }
  }
}

function parsePacked(text: string): Map<string, string> {
  const refs = new Map<string, string>()
  for (const line of text.split('\n')) {
    const space = line.indexOf(' ')
    const name = line.slice(space + 1)
    if (space > 0 && shaPattern.test(line) && wanted.test(name)) refs.set(name, line.slice(0, space))
  }
  return refs
}
