/**
 * Converts paths in tool output to paths in a commit. Logs are untrusted, so callers must use the
 * result only as a name.
 */

const maxChars = 1_000

/**
 * Whether `at` is after the last folders of a workspace: of Drone's runners, or of ours
 * (`workspaces/12-abc/source`).
 */
const workspaceEnd = (parts: readonly string[], at: number): boolean =>
  (parts[at - 1] === 'drone' && parts[at] === 'src') ||
  (parts[at] === 'source' && /^\d+-\w+$/.test(parts[at - 1] ?? ''))

const startOf = (parts: readonly string[], slug: string): number | undefined => {
  for (let at = 1; at < parts.length; at += 1) {
    // A workspace can have the repository's name: /go/src/github.com/acme/web.
    if (workspaceEnd(parts, at) || `${parts[at - 1]}/${parts[at]}` === slug) return at + 1
  }
  return undefined
}

/** The path within the repository; `undefined` if it is outside of every workspace, or empty. */
export function pathInCommit(printed: string, slug: string): string | undefined {
  if (printed.length > maxChars || /\p{Cc}/u.test(printed)) return undefined
  const path = printed
    .replaceAll('\\', '/')
    .replace(/^file:\/\//, '')
    .replace(/^[A-Za-z]:\//, '/')
  const parts: string[] = []
  for (const part of path.split('/')) {
    // A path that leaves the tool's working directory can still be inside the repository.
    if (part === '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  }
  const start = path.startsWith('/') ? startOf(parts, slug) : 0
  if (start === undefined || start >= parts.length) return undefined
  return parts.slice(start).join('/')
}
