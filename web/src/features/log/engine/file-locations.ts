/**
 * File positions in a line: `src/a.ts:12`, `a.go:12:3`, `src/a.ts(12,3)`, `File "x.py", line 12`.
 * Matches by syntax only; whether the file exists is checked when it is opened. Finds each number
 * first, then its path by scanning back over a bounded number of characters, so the time is linear
 * in the line's length.
 */
export interface FileLocation {
  path: string
  /** From 1. */
  line: number
}

export interface FoundFileLocation extends FileLocation {
  start: number
  end: number
}

const maxPathChars = 300
/** The number of characters of a line to search, which is also the number that is shown. */
const maxRead = 10_000
/** A line with more positions is a list, and links all over it would be distracting. */
const maxPerLine = 20

const number = /:(\d{1,7})(?::\d{1,5})?(?!\w|\.\d)|\((\d{1,7})(?:,\d{1,5})?\)|,? (?:on )?line (\d{1,7})(?!\d)/g
/** Most lines name no file and are rejected by this pattern. */
const sign = /[A-Za-z]\d?[:(]\d|line \d/
const isPathChar = /[\p{L}\p{N}_./\\@+~$[\]-]/u
/** A name with a file extension, or one of the usual names without. */
const fileName =
  /\.[A-Za-z]\w{0,9}$|^(?:Makefile|GNUmakefile|Dockerfile|Jenkinsfile|Rakefile|Gemfile|Vagrantfile|Justfile|BUILD)$/
/** `example.com:443` is a host. */
const host = /\.(?:com|org|net|io|dev|local|internal|lan|edu|gov|svc)$/

const lastName = (path: string): string => path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)

const isFile = (path: string): boolean =>
  fileName.test(lastName(path)) && (path.includes('/') || path.includes('\\') || !host.test(path))

/** Where the path before `end` starts; `end` if there is none. */
const startOf = (text: string, end: number): number => {
  let start = end
  const first = Math.max(0, end - maxPathChars)
  while (start > first && isPathChar.test(text.charAt(start - 1))) start -= 1
  // `[web/a.ts:3]`: an opening bracket belongs to a path only together with the closing one.
  const path = text.slice(start, end)
  const open = path.lastIndexOf('[')
  if (open !== -1 && !path.includes(']', open)) start += open + 1
  // A drive letter, or the start of a link to a local file.
  if (
    /^[\\/]/.test(text.slice(start, end)) &&
    /(?:^|[^\p{L}\p{N}])[A-Za-z]:$/u.test(text.slice(Math.max(0, start - 3), start))
  )
    return start - 2
  return start
}

/** A path in quotes can contain any characters. */
const quoted = (text: string, end: number): { start: number; path: string } | undefined => {
  if (text.charAt(end - 1) !== '"') return undefined
  const start = text.lastIndexOf('"', end - 2) + 1
  return start === 0 || end - start > maxPathChars ? undefined : { start, path: text.slice(start, end - 1) }
}

const bare = (text: string, end: number): { start: number; path: string } | undefined => {
  const start = startOf(text, end)
  const path = text.slice(start, end)
  if (!isFile(path)) return undefined
  if (!path.startsWith('//')) return { start, path }
  return text.slice(Math.max(0, start - 5), start) === 'file:' ? { start, path: path.replace(/^\/+/, '/') } : undefined
}

export const findFileLocations = (text: string): FoundFileLocation[] => {
  if (!sign.test(text)) return []
  const found: FoundFileLocation[] = []
  let last = 0
  for (const match of (text.length > maxRead ? text.slice(0, maxRead) : text).matchAll(number)) {
    if (found.length >= maxPerLine) break
    const { index } = match
    const line = Number(match[1] ?? match[2] ?? match[3])
    const place = (match[3] === undefined ? undefined : quoted(text, index)) ?? bare(text, index)
    const end = index + match[0].length
    if (!place || line === 0 || place.start < last) continue
    // Only the name, if text separates it from the line number.
    found.push({ path: place.path, line, start: place.start, end })
    last = end
  }
  return found
}
