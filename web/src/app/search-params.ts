/**
 * Search parameters as plain texts. The router's own pair reads values as JSON, which turns `?branch=1.10` into `1.1`.
 * A name that stands more than once keeps all its values.
 */
export type SearchParams = Record<string, string | string[]>

export const parseSearch = (search: string): SearchParams => {
  const found = new Map<string, string | string[]>()
  for (const [name, value] of new URLSearchParams(search)) {
    const before = found.get(name)
    found.set(name, before === undefined ? value : [before, value].flat())
  }
  return Object.fromEntries(found)
}

export const printSearch = (params: Record<string, unknown>): string => {
  const pairs = Object.entries(params).flatMap(([name, value]) =>
    [value].flat().flatMap((one) => (typeof one === 'string' ? [[name, one]] : [])),
  )
  const text = new URLSearchParams(pairs).toString()
  return text === '' ? '' : `?${text}`
}
