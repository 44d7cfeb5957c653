import type { Match, Read, Visit } from './route.tsx'
import { routes } from './routes.tsx'

/** `/a?b#c` → its parts, verbatim. */
export const partsOf = (href: string): { pathname: string; search: string; hash: string } => {
  const [, path = '', search = '', hash = ''] = /^([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(href) ?? []
  let end = path.length
  // A trailing slash has no meaning.
  while (end > 1 && path[end - 1] === '/') end -= 1
  return { pathname: path.slice(0, end), search, hash }
}

/** The route of a path; `undefined` if there is none. */
export const matchOf = (pathname: string): Match | undefined => {
  for (const route of routes) {
    const match = route.match(pathname)
    if (match) return match
  }
  return undefined
}

/** Resolves when a page's code has loaded or failed to load; the page itself reports the error. */
export const loadPage = (href: string): Promise<unknown> =>
  Promise.allSettled(matchOf(partsOf(href).pathname)?.load() ?? [])

let reading = new Set<string>()

/**
 * Starts the queries of the new page that the previous one didn't use; the page itself reports
 * errors.
 */
export const startReads = (match: Match | undefined, visit: Visit): void => {
  const reads: readonly Read[] = match?.reads ?? []
  const before = reading
  reading = new Set(reads.map(({ key }) => key))
  for (const { key, start } of reads) if (!before.has(key)) void start(visit)
}
