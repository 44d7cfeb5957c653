import { constants } from 'node:fs'
import { open } from 'node:fs/promises'

/**
 * The maximum size of the files that describe a repository. A list of 25,000 boundary commits of a
 * shallow clone has about this size.
 */
const defaultMaxBytes = 1024 * 1024

/**
 * Reads an untrusted file; `null` if it does not exist. A pipe would block one of the server's few
 * file threads forever, a very large file would fill its memory, and a link could expose a private
 * file, so all of these are refused.
 */
export async function readSmallBytes(path: string, maxBytes: number): Promise<Buffer | null> {
  const flags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW
  const file = await open(path, flags).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null
    // A link or a socket.
    throw error.code === 'ELOOP' || error.code === 'ENXIO' ? new Error(`${path} is not a regular file`) : error
  })
  if (!file) return null
  try {
    const found = await file.stat()
    if (!found.isFile()) throw new Error(`${path} is not a regular file`)
    if (found.size > maxBytes) throw new Error(`${path} is larger than ${maxBytes / 1024 / 1024} MB`)
    // Reads no more than this, even if the file grows in the meantime.
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(found.size), 0, found.size, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

export const readSmallFile = async (path: string): Promise<string | null> =>
  (await readSmallBytes(path, defaultMaxBytes))?.toString('utf8') ?? null
