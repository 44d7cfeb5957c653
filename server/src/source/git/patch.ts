/**
 * Parses the output of `git log -p` incrementally and stores what a page shows. The lines are
 * untrusted: a hunk's header says how many lines are content, so that no line can be mistaken for a
 * header. Names are not parsed, because the sections are in the order of the file list.
 */
import { cutText } from '../../lib/truncate-text.ts'
import { isUtf8 } from 'node:buffer'
import type { DiffCut, Hunk } from '@flightdeck/api'

export interface PatchLimits {
  /** The maximum number of lines of one file, and of all files. */
  fileLines: number
  lines: number
  /** The maximum number of bytes of one line, of one file, and of all files. */
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
  /** Whether further input would be ignored. */
  isFull(): boolean
  /**
   * Returns one patch per file that was started. `isWhole` tells whether git's output is complete.
   */
  end(isWhole: boolean): FilePatch[]
}

const lineFeed = 0x0a
const [blank, plus, minus, backslash] = [' ', '+', '-', '\\'].map((sign) => sign.charCodeAt(0))
const headBytes = 4_000

/**
 * `sections[i]` is the number of sections of the i-th file: a file that became a link has one
 * deleted and one added section.
 */
export function createPatchReader(sections: readonly number[], limits: PatchLimits): PatchReader {
  const files: FilePatch[] = []
  let left = 0
  let hunk: Hunk | undefined
  let remaining = { old: 0, new: 0 }
  const stored = { fileLines: 0, fileBytes: 0, lines: 0, bytes: 0 }
  let full = false
  /** The start of an incomplete line, and its length so far. */
  let buffered: Buffer[] = []
  let bufferedBytes = 0

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
      stored.fileLines = 0
      stored.fileBytes = 0
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
    if (stored.lines >= limits.lines || stored.bytes + bytes > limits.bytes) return 'commit'
    if (stored.fileLines >= limits.fileLines || stored.fileBytes + bytes > limits.fileBytes) return 'file'
    return undefined
  }

  function addLine(file: FilePatch, line: Buffer, length: number): void {
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
    // Depending on its configuration, git omits the space of an empty context line.
    hunk.lines.push(cut.length === 0 ? ' ' : cut.toString('utf8'))
    stored.lines += 1
    stored.fileLines += 1
    stored.bytes += cut.length
    stored.fileBytes += cut.length
  }

  function parseLine(line: Buffer, length: number): void {
    const file = files.at(-1)
    const [first = blank] = line
    if (file && hunk && first === backslash) return addLine(file, line, length)
    if (file && hunk && (remaining.old > 0 || remaining.new > 0)) {
      if (first !== plus) remaining.old -= 1
      if (first !== minus) remaining.new -= 1
      return addLine(file, line, length)
    }
    const text = line.toString('utf8', 0, headBytes)
    if (text.startsWith('diff --git ')) nextSection()
    else if (file && text.startsWith('@@ ')) openHunk(text)
    else if (file && text.startsWith('Binary files ')) file.binary = true
  }

  /**
   * Returns the start of the first line that must be parsed. In a file whose limit is reached, all
   * lines are content until the hunk ends, so they are only counted. Scans bytes, because parsing
   * two megabytes of the shortest lines one by one blocked the event loop for 130 ms.
   */
  function skipCounted(bytes: Buffer, from: number): number {
    if (bufferedBytes > 0 || !hunk || !files.at(-1)?.cut) return from
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
        // Only the visible part of an endless line is buffered.
        if (bufferedBytes <= Math.max(limits.lineBytes, headBytes)) buffered.push(part)
        bufferedBytes += part.length
        if (at === -1) return
        // The end of a long line is not in the buffer.
        parseLine(Buffer.concat(buffered), bufferedBytes)
        buffered = []
        bufferedBytes = 0
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
