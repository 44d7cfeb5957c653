/** Converts paths in tool output to paths in a commit. Logs are untrusted, so the results are only names. */

/** Characters. */
const maxChars = 1_000

/** A workspace's last folders: of Drone's runners, and of our own (`workspaces/12-abc/source`). */
const workspaceEnd = (parts: readonly string[], at: number): boolean =>
  (parts[at - 1] === 'drone' && parts[at] === 'src') ||
  (parts[at] === 'source' && /^\d+-\w+$/.test(parts[at - 1] ?? ''))

const startOf = (parts: readonly string[], slug: string): number | undefined => {
  for (let at = 1; at < parts.length; at += 1) {
    // A workspace may be named like the repository: /go/src/github.com/acme/web.
    if (workspaceEnd(parts, at) || `${parts[at - 1]}/${parts[at]}` === slug) return at + 1
  }
  return undefined
}

/** The path within the repository, `undefined` where it is none: outside of every workspace, or nothing at all. */
export function pathInCommit(printed: string, slug: string): string | undefined {
  if (printed.length > maxChars || /\p{Cc}/u.test(printed)) return undefined
  const path = printed
    .replaceAll('\\', '/')
    .replace(/^file:\/\//, '')
    .replace(/^[A-Za-z]:\//, '/')
  const parts: string[] = []
  for (const part of path.split('/')) {
    // What leads out of the folder that a tool was in may stay in the repository.
    if (part === '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  }
  const start = path.startsWith('/') ? startOf(parts, slug) : 0
  if (start === undefined || start >= parts.length) return undefined
  return parts.slice(start).join('/')
}
