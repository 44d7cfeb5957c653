/** Shortens a list of untrusted names for display: pushes decide their number and length. */
const maxNamed = 5
const maxNameLength = 60

export const cut = (text: string): string => (text.length > maxNameLength ? `${text.slice(0, maxNameLength)}…` : text)

const joined = (names: readonly string[], last: string): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} ${last} ${names.at(-1)}`

/** `a, b and c`, `a or b`; a long list shows its first items and the number of the others. */
export const someOf = (all: readonly string[], last: 'and' | 'or' = 'and'): string => {
  const names = all.slice(0, maxNamed).map(cut)
  return all.length <= maxNamed ? joined(names, last) : `${names.join(', ')} ${last} ${all.length - maxNamed} more`
}
