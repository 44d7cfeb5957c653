import { constants } from 'node:fs'
import { open } from 'node:fs/promises'

/** None of the files that describe a repository is larger: a list of 25,000 edges of a shallow clone is. */
const usual = 1024 * 1024

/**
 * Reads an untrusted file, `null` if there is none. A pipe in its place would block one of the server's few file
 * threads forever, a very large file would fill its memory, and a link could expose a private file: all are refused.
 */
export async function readSmallBytes(path: string, maxBytes: number): Promise<Buffer | null> {
  const flags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW
  const file = await open(path, flags).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null
    // A link, or a socket.
    throw error.code === 'ELOOP' || error.code === 'ENXIO' ? new Error(`${path} is not a regular file`) : error
  })
  if (!file) return null
  try {
    const found = await file.stat()
    if (!found.isFile()) throw new Error(`${path} is not a regular file`)
    if (found.size > maxBytes) throw new Error(`${path} is larger than ${maxBytes / 1024 / 1024} MB`)
    // Reads no more than that, even if the file grows meanwhile.
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(found.size), 0, found.size, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

export const readSmallFile = async (path: string): Promise<string | null> =>
  (await readSmallBytes(path, usual))?.toString('utf8') ?? null
