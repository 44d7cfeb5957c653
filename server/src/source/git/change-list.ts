/**
 * Parses git's list of a commit's changed files. Pushes decide their number and names, so both are
 * untrusted.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { cutText, textLimits } from '../../lib/truncate-text.ts'
import type { CommitFile, FileChange } from '@flightdeck/api'

const maxFiles = 1_000
/** git itself creates merges of up to sixteen parents; other programs can create any number. */
const maxParents = 100
/**
 * The maximum size in bytes of the list of parents, and of a file's fields without its name. Longer
 * ones are truncated.
 */
const maxFieldBytes = 64 * 1024
/**
 * Files per batch. Other work runs between batches: a single turn of the event loop took 110 ms for
 * 160,000 files.
 */
const batchSize = 2_000

const kinds: Record<string, FileChange> = { A: 'added', M: 'modified', D: 'deleted', R: 'renamed', T: 'type' }

/**
 * The format is: parents, NUL, each file as `:MODE MODE SHA SHA KIND`, NUL, name, NUL, and then
 * each file with its line counts.
 */
export async function parseList(bytes: Buffer): Promise<{ parents: string[]; files: CommitFile[]; count: number }> {
  let at = 0
  const next = (maxBytes = maxFieldBytes): string | undefined => {
    if (at >= bytes.length) return undefined
    const end = bytes.indexOf(0, at)
    // A field without its NUL is truncated, so it does not count.
    const text = end === -1 ? undefined : bytes.toString('utf8', at, Math.min(end, at + maxBytes))
    at = end === -1 ? bytes.length : end + 1
    return text
  }
  const parents = (next() ?? '')
    .split(' ', maxParents)
    .filter(Boolean)
    .map((sha) => cutText(sha, textLimits.path))
  const files: CommitFile[] = []
  let count = 0
  let field = next()
  while (field === '') field = next()
  field = field?.replace(/^\n/, '')
  for (; field?.startsWith(':'); field = next()) {
    const [before = '', after = '', , , kind = ''] = field.slice(1).split(' ')
    const change = kinds[kind[0] ?? ''] ?? 'modified'
    const old = change === 'renamed' ? next(textLimits.path) : undefined
    const path = next(textLimits.path)
    if (path === undefined) break
    count += 1
    if (count % batchSize === 0) await nextTurn()
    if (files.length >= maxFiles) continue
    const isBoth = change !== 'added' && change !== 'deleted'
    files.push({
      path,
      change,
      ...(old !== undefined && { before: old }),
      ...(isBoth && before !== after && { modes: [before, after] }),
    })
  }
  for (let index = 0; field !== undefined && index < files.length; index += 1) {
    const [added = '', deleted = '', name] = field.split('\t')
    const file = files[index]
    if (file && added === '-') file.binary = true
    else if (file) Object.assign(file, { added: Number(added), deleted: Number(deleted) })
    // Both names of a renamed file follow.
    if (name === '') at = afterNames(bytes, at)
    field = next()
  }
  return { parents, files, count }
}

function afterNames(bytes: Buffer, at: number): number {
  const first = bytes.indexOf(0, at)
  const second = first === -1 ? -1 : bytes.indexOf(0, first + 1)
  return second === -1 ? bytes.length : second + 1
}
