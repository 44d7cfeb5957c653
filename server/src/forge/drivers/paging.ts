/** Reads paged lists: with a limit, and without duplicates. */
import type { ForgeRepository, RepositoryPage } from '../driver.ts'

/** 100,000 things in pages of 50. */
const maxPages = 2_000

interface Page<Item> {
  items: Item[]
  /** How many the forge sent: items that cannot be read are left out of `items`. */
  sent: number
  total?: number
  /** There is a page after this one, where the forge says so. */
  more?: boolean
}

/**
 * Pages until one is empty or says that it is the last, or until two in a row hold nothing that is
 * new and can be read.
 */
export async function* eachPage<Item>(
  fetchPage: (page: number) => Promise<Page<Item>>,
  idOf: (item: Item) => string,
): AsyncGenerator<Page<Item>> {
  const ids = new Set<string>()
  let vainPages = 0
  for (let page = 1; page <= maxPages; page += 1) {
    const answer = await fetchPage(page)
    const items = answer.items.filter((item) => !ids.has(idOf(item)))
    for (const item of items) ids.add(idOf(item))
    yield { ...answer, items }
    vainPages = items.length === 0 ? vainPages + 1 : 0
    if (answer.sent === 0 || answer.more === false || vainPages === 2) return
    if (answer.more === undefined && answer.total !== undefined && ids.size >= answer.total) return
  }
}

/** The pages of a person's repositories. */
export async function* repositoryPages(
  fetchPage: (page: number) => Promise<Page<ForgeRepository>>,
): AsyncGenerator<RepositoryPage> {
  for await (const { items, total } of eachPage(fetchPage, ({ id }) => id)) {
    yield { repositories: items, ...(total !== undefined && { total }) }
  }
}

/** Everything in one list, at most `max`. */
export async function listAllItems<Item>(
  fetchPage: (page: number) => Promise<Page<Item>>,
  idOf: (item: Item) => string,
  max = 10_000,
): Promise<Item[]> {
  const all: Item[] = []
  for await (const { items } of eachPage(fetchPage, idOf)) {
    all.push(...items)
    if (all.length >= max) return all.slice(0, max)
  }
  return all
}

/** A number of a header, where it is one. */
export const totalOf = (headers: Headers, name: string): { total?: number } => {
  const value = headers.get(name) ?? ''
  return /^\d{1,9}$/.test(value) ? { total: Number(value) } : {}
}
