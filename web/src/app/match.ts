import type { Match, Read, Visit } from './route.tsx'
import { routes } from './routes.tsx'

/** `/a?b#c` → its parts, exactly as they stand. */
export const partsOf = (href: string): { pathname: string; search: string; hash: string } => {
  const [, path = '', search = '', hash = ''] = /^([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(href) ?? []
  let end = path.length
  // A slash at the end is tolerated and means nothing.
  while (end > 1 && path[end - 1] === '/') end -= 1
  return { pathname: path.slice(0, end), search, hash }
}

/** What an address leads to; `undefined` for an address of nobody. */
export const matchOf = (pathname: string): Match | undefined => {
  for (const route of routes) {
    const match = route.match(pathname)
    if (match) return match
  }
  return undefined
}

/** Resolves when a page's code is here, or cannot be had: the page itself tells that. */
export const loadPage = (href: string): Promise<unknown> =>
  Promise.allSettled(matchOf(partsOf(href).pathname)?.load() ?? [])

let reading = new Set<string>()

/** Starts what the page of an address reads and the one before did not; failures are told by the page itself. */
export const startReads = (match: Match | undefined, visit: Visit): void => {
  const reads: readonly Read[] = match?.reads ?? []
  const before = reading
  reading = new Set(reads.map(({ key }) => key))
  for (const { key, start } of reads) if (!before.has(key)) void start(visit)
}
