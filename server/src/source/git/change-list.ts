/** Parses git's list of a commit's changed files. Their number and names are untrusted: pushes decide them. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { cutText, textLimits } from '../../lib/truncate-text.ts'
import type { CommitFile, FileChange } from '@flightdeck/api'

const maxFiles = 1_000
/** git itself creates merges of up to sixteen parents; other programs can write any number. */
const maxParents = 100
/** Bytes of all parents, and of what git says of a file besides its name: what is longer is cut. */
const maxWord = 64 * 1024
/** Files per batch, between which other work runs: 160,000 in one turn took 110 ms. */
const filesAtOnce = 2_000

const kinds: Record<string, FileChange> = { A: 'added', M: 'modified', D: 'deleted', R: 'renamed', T: 'type' }

/** Parents, NUL, all files as `:MODE MODE SHA SHA KIND`, NUL, name, NUL, and then all with their counts. */
export async function parseList(bytes: Buffer): Promise<{ parents: string[]; files: CommitFile[]; count: number }> {
  let at = 0
  const next = (maxBytes = maxWord): string | undefined => {
    if (at >= bytes.length) return undefined
    const end = bytes.indexOf(0, at)
    // What has no end was cut off.
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
  let word = next()
  while (word === '') word = next()
  word = word?.replace(/^\n/, '')
  for (; word?.startsWith(':'); word = next()) {
    const [before = '', after = '', , , kind = ''] = word.slice(1).split(' ')
    const change = kinds[kind[0] ?? ''] ?? 'modified'
    const old = change === 'renamed' ? next(textLimits.path) : undefined
    const path = next(textLimits.path)
    if (path === undefined) break
    count += 1
    if (count % filesAtOnce === 0) await nextTurn()
    if (files.length >= maxFiles) continue
    const isBoth = change !== 'added' && change !== 'deleted'
    files.push({
      path,
      change,
      ...(old !== undefined && { before: old }),
      ...(isBoth && before !== after && { modes: [before, after] }),
    })
  }
  for (let index = 0; word !== undefined && index < files.length; index += 1) {
    const [added = '', deleted = '', name] = word.split('\t')
    const file = files[index]
    if (file && added === '-') file.binary = true
    else if (file) Object.assign(file, { added: Number(added), deleted: Number(deleted) })
    // Both names of a renamed file follow it.
    if (name === '') at = afterNames(bytes, at)
    word = next()
  }
  return { parents, files, count }
}

function afterNames(bytes: Buffer, at: number): number {
  const first = bytes.indexOf(0, at)
  const second = first === -1 ? -1 : bytes.indexOf(0, first + 1)
  return second === -1 ? bytes.length : second + 1
}
