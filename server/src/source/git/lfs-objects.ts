import { constants } from 'node:fs'
import { open, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import type { LfsObject } from '../../interfaces/clone.ts'
import { findGitDir } from '../repositories/git-dir.ts'

/**
 * Opens an object of Git LFS in the repository's own folder; `null` if it is not there. Links are
 * not followed, because they could lead to another repository.
 */
export async function openLfsObject(repository: string, oid: string): Promise<LfsObject | null> {
  if (!/^[0-9a-f]{64}$/.test(oid)) return null
  const found = await findGitDir(repository).catch(() => null)
  if (!found) return null
  const path = join(await realpath(found.commonDir), 'lfs/objects', oid.slice(0, 2), oid.slice(2, 4), oid)
  if ((await realpath(path).catch(() => null)) !== path) return null
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(() => null)
  const facts = await file?.stat()
  if (file && facts?.isFile())
    return { size: facts.size, content: () => file.createReadStream(), close: () => file.close() }
  await file?.close()
  return null
}
