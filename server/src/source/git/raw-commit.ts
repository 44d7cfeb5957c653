import type { GitCommit } from '../../interfaces/git.ts'

/** From the object as git stores it: the same that `git log` tells. */
export function parseRawCommit(sha: string, bytes: Buffer): GitCommit {
  const end = bytes.indexOf('\n\n')
  const head = bytes.subarray(0, end === -1 ? bytes.length : end).toString('latin1')
  // A line that begins with a blank belongs to the one above it (a signature).
  const fields = new Map<string, string>()
  for (const line of head.split('\n')) {
    const blank = line.indexOf(' ')
    const key = line.slice(0, blank)
    if (blank > 0 && !fields.has(key)) fields.set(key, line.slice(blank + 1))
  }
  const decoder = decoderFor(fields.get('encoding'))
  const text = (latin: string) => decoder.decode(Buffer.from(latin, 'latin1'))
  const author = fields.get('author') ?? ''
  const open = author.indexOf('<')
  const committer = fields.get('committer') ?? ''
  return {
    sha,
    parent: fields.get('parent') ?? '',
    message: end === -1 ? '' : decoder.decode(bytes.subarray(end + 2)).trimEnd(),
    author: {
      name: text(open === -1 ? author : author.slice(0, open)).trim(),
      email: open === -1 ? '' : text(author.slice(open + 1, author.indexOf('>', open))).trim(),
    },
    time:
      Number(
        committer
          .slice(committer.lastIndexOf('>') + 1)
          .trim()
          .split(' ')[0],
      ) || 0,
  }
}

function decoderFor(encoding = 'utf-8'): TextDecoder {
  try {
    return new TextDecoder(encoding)
  } catch {
    return new TextDecoder()
  }
}
