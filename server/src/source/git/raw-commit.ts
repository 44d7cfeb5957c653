import type { GitCommit } from '../../interfaces/git.ts'
import { cutText, textLimits } from '../../lib/truncate-text.ts'
import { timeOfPerson } from './git-time.ts'

/**
 * The maximum size of the header: enough for a signature and some merged tags. Each read of a
 * commit with two million headers took 200 ms.
 */
const maxHead = 64 * 1024
/**
 * How many bytes of a message are decoded: more than any page shows. Some encodings take 50 ms for
 * two million bytes.
 */
const maxMessage = 256 * 1024

/** The length of a SHA-256 hash in hexadecimal. */
const shaLength = 64

/**
 * Parses a stored commit object, with the same result as `git log`. Returns `null` if the header is
 * too long; callers then use git.
 */
export function parseRawCommit(sha: string, bytes: Buffer): GitCommit | null {
  const end = bytes.subarray(0, maxHead).indexOf('\n\n')
  if (end === -1 && bytes.length > maxHead) return null
  const head = `\n${bytes.toString('latin1', 0, end === -1 ? bytes.length : end)}\n`
  const decoder = decoderFor(fieldOf(head, 'encoding'))
  const text = (latin: string) => decoder.decode(Buffer.from(latin, 'latin1'))
  const author = fieldOf(head, 'author') ?? ''
  const open = author.indexOf('<')
  return {
    sha,
    parent: cutText(fieldOf(head, 'parent') ?? '', shaLength),
    message: cutText(
      end === -1 ? '' : decoder.decode(bytes.subarray(end + 2, end + 2 + maxMessage)).trimEnd(),
      maxMessage,
    ),
    author: {
      name: cutText(text(open === -1 ? author : author.slice(0, open)).trim(), textLimits.person),
      email: cutText(
        open === -1 ? '' : text(author.slice(open + 1, author.indexOf('>', open))).trim(),
        textLimits.person,
      ),
    },
    time: timeOfPerson(fieldOf(head, 'committer') ?? ''),
  }
}

/**
 * The first header with this name. A line that starts with a space continues the previous one (a
 * signature).
 */
function fieldOf(head: string, name: string): string | undefined {
  const start = `\n${name} `
  const at = head.indexOf(start)
  return at === -1 ? undefined : head.slice(at + start.length, head.indexOf('\n', at + start.length))
}

function decoderFor(encoding = 'utf-8'): TextDecoder {
  try {
    return new TextDecoder(encoding)
  } catch {
    return new TextDecoder()
  }
}
