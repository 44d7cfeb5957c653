/**
 * Reads a backup entry by entry, and refuses what is no backup, is truncated, or does not match its
 * checksums.
 */
import type { Hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { createGunzip } from 'node:zlib'
import { publicMessage } from '../../lib/public-text.ts'
import { BackupError } from './backup-error.ts'
import { headerName, isAllowed, newHash, parseBackupHeader, sumLine, sumsName } from './format.ts'
import { readTar, type TarEntry } from './tar.ts'

const maxHeaderBytes = 64 * 1024

export interface BackupEntry {
  entry: TarEntry
  /** Must be read to its end before the next entry. */
  content: AsyncIterable<Buffer>
}

/**
 * Throws `BackupError` where the file is no whole backup; what was yielded until then must be
 * thrown away.
 */
export async function* readBackup(file: string, knownSchema: number): AsyncGenerator<BackupEntry> {
  try {
    yield* read(file, knownSchema)
  } catch (error) {
    throw explained(file, error)
  }
}

async function* read(file: string, knownSchema: number): AsyncGenerator<BackupEntry> {
  const source = createReadStream(file)
  const unpacked = createGunzip()
  source.on('error', (error) => unpacked.destroy(error))
  const sums = createSums()
  const names = new Set<string>()
  let isComplete = false
  for await (const { entry, content } of readTar(source.pipe(unpacked))) {
    if (isComplete) throw new BackupError(`The backup has ${entry.name} after its checksums`)
    const hash = newHash()
    if (names.size === 0) {
      if (entry.name !== headerName || entry.size > maxHeaderBytes) {
        throw new BackupError('The file is not a Flightdeck backup')
      }
      const bytes = await whole(content)
      parseBackupHeader(bytes.toString(), knownSchema)
      sums.add(sumLine(hash.update(bytes), entry.name))
    } else if (entry.name === sumsName) {
      await sums.check(content)
      isComplete = true
    } else {
      if (!isAllowed(entry.name) || names.has(entry.name)) {
        throw new BackupError(`The backup contains ${JSON.stringify(entry.name)}, which is not part of a backup`)
      }
      yield { entry, content: hashed(content, hash, file) }
      sums.add(sumLine(hash, entry.name))
    }
    names.add(entry.name)
  }
  if (!isComplete) throw new BackupError('The backup is truncated: its checksums are missing')
}

/** Errors of the content get the same sentences. */
async function* hashed(content: AsyncIterable<Buffer>, hash: Hash, file: string): AsyncGenerator<Buffer> {
  try {
    for await (const piece of content) {
      hash.update(piece)
      yield piece
    }
  } catch (error) {
    throw explained(file, error)
  }
}

async function whole(content: AsyncIterable<Buffer>): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of content) pieces.push(piece)
  return Buffer.concat(pieces)
}

/** Names of so many files are kept, to say which one is damaged. */
const maxLines = 100_000

/** The lines that `SHA256SUMS` should have. */
function createSums() {
  const expected = newHash()
  const lines: string[] = []
  return {
    add(line: string): void {
      expected.update(line)
      if (lines.length < maxLines) lines.push(line)
    },
    async check(content: AsyncIterable<Buffer>): Promise<void> {
      const found = newHash()
      const pieces: Buffer[] = []
      let readBytes = 0
      for await (const piece of content) {
        found.update(piece)
        if (readBytes < maxLines * 100) pieces.push(piece)
        readBytes += piece.length
      }
      if (found.digest('hex') === expected.digest('hex')) return
      const written = Buffer.concat(pieces).toString().split('\n')
      const at = lines.findIndex((line, index) => line !== `${written[index]}\n`)
      const name = lines[at]?.slice(66).trimEnd()
      throw new BackupError(
        name === undefined
          ? 'The backup is damaged: its files do not match its checksums'
          : `The backup is damaged: ${name} does not match its checksum`,
      )
    },
  }
}

function explained(file: string, error: unknown): unknown {
  if (error instanceof BackupError) return error
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'Z_BUF_ERROR') return new BackupError('The backup is truncated: it ends in the middle')
  if (code.startsWith('Z_')) return new BackupError('The file is not a Flightdeck backup, or it is damaged')
  if (code === 'ENOENT') return new BackupError(`There is no file ${file}`)
  if (code === 'EACCES' || code === 'EISDIR') return new BackupError(`${file} cannot be read: ${publicMessage(error)}`)
  return error
}
