/** Parses the output of `git blame --porcelain`. */
import type { Authors } from '../../interfaces/sources.ts'
import { cutText } from '../../lib/truncate-text.ts'
import { secondsOf } from './git-time.ts'

type Blamed = Authors['commits'][number] & { border: boolean }

/** The maximum length of a title and of a name, in characters. */
const maxLines = 300

const fields: Record<string, (commit: Blamed, value: string) => void> = {
  author: (commit, value) => (commit.author = cutText(value, maxLines)),
  'author-time': (commit, value) => (commit.time = secondsOf(value)),
  summary: (commit, value) => (commit.title = cutText(value, maxLines)),
  boundary: (commit) => (commit.border = true),
}

/**
 * Each line has a header, `SHA OLD NEW [COUNT]`. The first header of a commit is followed by the
 * commit's fields. The line's text follows a tab.
 */
export function parseBlame(text: string): { lines: number[]; commits: Blamed[] } {
  const commits: Blamed[] = []
  const indexes = new Map<string, number>()
  const lines: number[] = []
  let index: number | undefined
  for (const line of text.split('\n')) {
    if (line.startsWith('\t')) {
      index = undefined
      continue
    }
    if (index === undefined) {
      const [sha = ''] = line.split(' ', 1)
      if (sha === '') continue
      index = indexes.get(sha)
      if (index === undefined) {
        index = commits.push({ sha, title: '', author: '', time: 0, border: false }) - 1
        indexes.set(sha, index)
      }
      lines.push(index)
      continue
    }
    const end = line.indexOf(' ')
    const commit = commits[index]
    const [name, value] = end === -1 ? [line, ''] : [line.slice(0, end), line.slice(end + 1)]
    if (commit && Object.hasOwn(fields, name)) fields[name]?.(commit, value)
  }
  return { lines, commits }
}
