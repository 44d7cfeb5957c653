/**
 * Parses the output of `git log -p` incrementally and keeps what a page shows. The lines are untrusted: a hunk's header
 * says how many lines are content, so that no line can pass for a header. Names are not parsed:
 * sections are in the order of the file list.
 */
import { cutText } from '../../lib/truncate-text.ts'
import { isUtf8 } from 'node:buffer'
import type { DiffCut, Hunk } from '@flightdeck/api'

export interface PatchLimits {
  /** Lines of one file, and of all. */
  fileLines: number
  lines: number
  /** Bytes of one line, of one file, and of all. */
  lineBytes: number
  fileBytes: number
  bytes: number
}

export interface FilePatch {
  hunks: Hunk[]
  binary: boolean
  garbled: boolean
  cut: DiffCut | undefined
}

export interface PatchReader {
  write(bytes: Buffer): void
  /** True if no further input would be kept. */
  isFull(): boolean
  /** One per file that was started. `isWhole`: git's output is complete. */
  end(isWhole: boolean): FilePatch[]
}

const lineFeed = 0x0a
const [blank, plus, minus, backslash] = [' ', '+', '-', '\\'].map((sign) => sign.charCodeAt(0))
const headBytes = 4_000

/** `sections[i]`: how many sections the i-th file has: a file that became a link is one deleted and one added section. */
export function createPatchReader(sections: readonly number[], limits: PatchLimits): PatchReader {
  const files: FilePatch[] = []
  let left = 0
  let hunk: Hunk | undefined
  let remaining = { old: 0, new: 0 }
  const kept = { fileLines: 0, fileBytes: 0, lines: 0, bytes: 0 }
  let full = false
  /** The start of an incomplete line, and its length so far. */
  let begun: Buffer[] = []
  let begunBytes = 0

  function nextSection(): void {
    hunk = undefined
    remaining = { old: 0, new: 0 }
    if (left === 0) {
      const count = sections[files.length]
      if (count === undefined) {
        full = true
        return
      }
      left = count
      kept.fileLines = 0
      kept.fileBytes = 0
      files.push({ hunks: [], binary: false, garbled: false, cut: undefined })
    }
    left -= 1
  }

  function openHunk(text: string): void {
    const [, oldAt = '0', oldCount = '1', newAt = '0', newCount = '1', heading = ''] =
      /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?(.*)$/.exec(text) ?? []
    remaining = { old: Number(oldCount), new: Number(newCount) }
    hunk = { old: Number(oldAt), new: Number(newAt), ...(heading && { heading: cutText(heading, 200) }), lines: [] }
  }

  const limitReached = (bytes: number): DiffCut | undefined => {
    if (kept.lines >= limits.lines || kept.bytes + bytes > limits.bytes) return 'commit'
    if (kept.fileLines >= limits.fileLines || kept.fileBytes + bytes > limits.fileBytes) return 'file'
    return undefined
  }

  function keep(file: FilePatch, line: Buffer, length: number): void {
    if (file.cut || !hunk) return
    const cut = length > limits.lineBytes ? wholeCharacters(line.subarray(0, limits.lineBytes)) : line
    file.cut = limitReached(cut.length)
    if (file.cut) {
      full ||= file.cut === 'commit'
      return
    }
    if (hunk.lines.length === 0) file.hunks.push(hunk)
    if (length > cut.length) (hunk.long ??= []).push({ at: hunk.lines.length, more: length - cut.length })
    if (!isUtf8(cut)) file.garbled = true
    // git omits the space of an empty context line if configured so.
    hunk.lines.push(cut.length === 0 ? ' ' : cut.toString('utf8'))
    kept.lines += 1
    kept.fileLines += 1
    kept.bytes += cut.length
    kept.fileBytes += cut.length
  }

  function take(line: Buffer, length: number): void {
    const file = files.at(-1)
    const [first = blank] = line
    if (file && hunk && first === backslash) return keep(file, line, length)
    if (file && hunk && (remaining.old > 0 || remaining.new > 0)) {
      if (first !== plus) remaining.old -= 1
      if (first !== minus) remaining.new -= 1
      return keep(file, line, length)
    }
    const text = line.toString('utf8', 0, headBytes)
    if (text.startsWith('diff --git ')) nextSection()
    else if (file && text.startsWith('@@ ')) openHunk(text)
    else if (file && text.startsWith('Binary files ')) file.binary = true
  }

  /**
   * Where the first line starts that is not just counted. In a file whose limit is reached, all lines are content until its
   * hunk ends. Scans bytes: two megabytes of the shortest lines, parsed one by one, blocked the event loop for 130 ms.
   */
  function skipCounted(bytes: Buffer, from: number): number {
    if (begunBytes > 0 || !hunk || !files.at(-1)?.cut) return from
    let start = from
    for (let at = from; at < bytes.length && (remaining.old > 0 || remaining.new > 0); at += 1) {
      if (bytes[at] !== lineFeed) continue
      const first = bytes[start]
      if (first !== plus && first !== backslash) remaining.old -= 1
      if (first !== minus && first !== backslash) remaining.new -= 1
      start = at + 1
    }
    return start
  }

  return {
    write(bytes) {
      for (let from = skipCounted(bytes, 0); from < bytes.length; from = skipCounted(bytes, from)) {
        if (full) return
        const at = bytes.indexOf(lineFeed, from)
        const part = bytes.subarray(from, at === -1 ? bytes.length : at)
        // Only the shown part of an endless line is kept.
        if (begunBytes <= Math.max(limits.lineBytes, headBytes)) begun.push(part)
        begunBytes += part.length
        if (at === -1) return
        // The end of a long line is not among what was held.
        take(Buffer.concat(begun), begunBytes)
        begun = []
        begunBytes = 0
        from = at + 1
      }
    },
    isFull: () => full,
    end(isWhole) {
      const last = files.at(-1)
      if (!isWhole && !full && last) last.cut ??= 'time'
      return files
    },
  }
}

/** Removes an incomplete UTF-8 character from the end. */
function wholeCharacters(bytes: Buffer): Buffer {
  for (let back = 1; back <= 3 && back < bytes.length; back += 1) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte < 0x80) break
    if (byte >= 0xc0) {
      const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
      return needed > back ? bytes.subarray(0, bytes.length - back) : bytes
    }
  }
  return bytes
}
