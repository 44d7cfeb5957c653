const nameOf = (part: string): string => part.split('=', 1)[0] ?? ''

/** Splits the query string of a URL into its parts, verbatim, and joins them. */
const searchParts = (search: string): string[] => search.replace(/^\?/, '').split('&').filter(Boolean)
const searchOf = (parts: readonly string[]): string => (parts.length > 0 ? `?${parts.join('&')}` : '')

/** Only the parameters with these names. */
export const onlyParams = (search: string, names: readonly string[]): string =>
  searchOf(searchParts(search).filter((part) => names.includes(nameOf(part))))

const printed = (name: string, value: string): string => (value === '' ? name : `${name}=${encodeURIComponent(value)}`)

/**
 * Replaces some parameters in place and keeps all others verbatim; `undefined` removes one, an
 * empty text leaves a bare name.
 */
export const withParams = (search: string, changes: Readonly<Record<string, string | undefined>>): string => {
  const left = new Map(Object.entries(changes))
  const keptParts = searchParts(search).flatMap((part) => {
    const name = nameOf(part)
    if (!Object.hasOwn(changes, name)) return [part]
    const value = left.get(name)
    left.delete(name)
    return value === undefined ? [] : [printed(name, value)]
  })
  const added = [...left].flatMap(([name, value]) => (value === undefined ? [] : [printed(name, value)]))
  return searchOf([...keptParts, ...added])
}
