/** Parses commits with the names of their changed files from `git log -z`. */
import { randomUUID } from 'node:crypto'
import type { ChangedBy } from '@flightdeck/api'
import { cutText } from '../../lib/truncate-text.ts'
import { chunksOf } from '../text-chunks.ts'
import { secondsOf } from './git-time.ts'

const maxFiles = 100
/** The maximum length of a title, a name and a path, in characters. */
const maxTextChars = 300

export interface CommitList {
  commits: ChangedBy[]
  more: boolean
}

const headWords = 5

function commitOf(
  [sha = '', parents = '', author = '', time = '', title = '']: string[],
  withFiles: boolean,
): ChangedBy {
  return {
    sha,
    title: cutText(title, maxTextChars),
    author: cutText(author, maxTextChars),
    time: secondsOf(time),
    ...(parents.includes(' ') && { merge: true }),
    files: [],
    ...(withFiles && { total: 0 }),
  }
}

/**
 * Creates a reader and the `format` for git. A random mark, which cannot be a file name, starts
 * each commit.
 */
export function createCommitList(maxCommits: number, withFiles: boolean) {
  const mark = randomUUID()

  async function read(bytes: Buffer): Promise<CommitList> {
    const commits: ChangedBy[] = []
    let total = 0
    let commit: ChangedBy | undefined
    /** The fields of the commit that is being read. */
    let head: string[] | undefined
    for await (const tokens of chunksOf(bytes, 0)) {
      for (const part of tokens) {
        if (head) {
          if (head.push(part) < headWords) continue
          commit = commitOf(head, withFiles)
          head = undefined
          total += 1
          if (total <= maxCommits) commits.push(commit)
          continue
        }
        const token = part.startsWith('\n') ? part.slice(1) : part
        if (token === mark) head = []
        else if (token !== '' && commit?.total !== undefined) {
          commit.total += 1
          if (commit.files.length < maxFiles) commit.files.push(cutText(token, maxTextChars))
        }
      }
    }
    return { commits, more: total > maxCommits }
  }

  return { format: `${mark}%x00%H%x00%P%x00%an%x00%at%x00%s%x00`, read }
}
