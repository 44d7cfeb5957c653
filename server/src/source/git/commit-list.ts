/** Commits with the names of the files that each touched, as `git log -z` tells them. */
import { randomUUID } from 'node:crypto'
import type { ChangedBy } from '@flightdeck/api'
import { secondsOf } from './time.ts'

const mostFiles = 100
/** Characters of a title, a name and a path. */
const most = 300

export interface CommitList {
  commits: ChangedBy[]
  more: boolean
}

/** `format` is for git; what begins a commit in it nobody can name a file like. */
export function createCommitList(mostCommits: number, withFiles: boolean) {
  const mark = randomUUID()

  function read(bytes: Buffer): CommitList {
    const words = bytes.toString('utf8').split('\0')
    const commits: ChangedBy[] = []
    let total = 0
    let commit: ChangedBy | undefined
    for (let at = 0; at < words.length; at += 1) {
      const word = (words[at] ?? '').replace(/^\n/, '')
      if (word === mark) {
        const [sha = '', parents = '', author = '', time = '', title = ''] = words.slice(at + 1, at + 6)
        at += 5
        total += 1
        commit = {
          sha,
          title: title.slice(0, most),
          author: author.slice(0, most),
          time: secondsOf(time),
          ...(parents.includes(' ') && { merge: true }),
          files: [],
          ...(withFiles && { total: 0 }),
        }
        if (total <= mostCommits) commits.push(commit)
      } else if (word !== '' && commit?.total !== undefined) {
        commit.total += 1
        if (commit.files.length < mostFiles) commit.files.push(word.slice(0, most))
      }
    }
    return { commits, more: total > mostCommits }
  }

  return { format: `${mark}%x00%H%x00%P%x00%an%x00%at%x00%s%x00`, read }
}
