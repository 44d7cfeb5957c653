import type { Via } from '../browser/navigation.tsx'
import { whenIdle } from '../browser/when-idle.ts'

/**
 * The page's URL and history as a store. URLs are kept verbatim (`%2F` in a name is not a slash),
 * and all navigation uses this module.
 */
export interface Entry {
  /** Path, search and hash, verbatim. */
  href: string
  /** Identifies the history entry, also after a reload. */
  key: string
  /** Opening the search drawer created this entry. */
  search: boolean
  /** The scroll position of the window when the user left this entry, in pixels. */
  top: number
  /**
   * How the user got to this URL: by a link, by a change in place, or by Back, Forward and reload.
   */
  how: 'push' | 'replace' | 'pop'
  /** The control that opened this URL; absent if it was typed or shared. */
  via: Via | undefined
}

type Kept = Partial<Pick<Entry, 'key' | 'search' | 'top' | 'via'>> | null

let count = 0
const newKey = (): string => `${Date.now().toString(36)}-${(count += 1)}`

const read = (how: Entry['how']): Entry => {
  const { key = newKey(), search = false, top = 0, via } = (history.state as Kept) ?? {}
  const { pathname, search: query, hash } = location
  return { href: `${pathname}${query}${hash}`, key, search, top, how, via }
}

/**
 * Entering the URL of the current page again reuses its history entry and the state stored there.
 */
const isTyped = (): boolean =>
  performance.getEntriesByType('navigation').some((entry) => 'type' in entry && entry.type === 'navigate')

const listeners = new Set<(entry: Entry) => void>()
const first = read('pop')
let entry: Entry = isTyped() ? { ...first, via: undefined } : first
/**
 * Scroll offsets of this visit's history entries: Back fires its event only after the navigation.
 */
const tops = new Map<string, number>()

const notify = (next: Entry): void => {
  entry = next
  for (const listener of listeners) listener(entry)
}

const stateOf = ({ key, search, via }: Entry): Kept => ({ key, search, via })
const keep = (top = window.scrollY): void => history.replaceState({ ...stateOf(entry), top }, '')

interface Goes {
  search?: boolean
  via?: Via | undefined
}

export const address = {
  entry: (): Entry => entry,
  subscribe: (listener: (entry: Entry) => void): (() => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  push: (href: string, { search = false, via }: Goes = {}): void => {
    keep()
    history.pushState({ key: newKey(), search, via }, '', href)
    notify(read('push'))
  },
  /** Reuses the history entry: drawers and dialogs stay open when `search` is passed on. */
  replace: (href: string, { search = false, via }: Goes = {}): void => {
    history.replaceState({ key: entry.key, search, top: entry.top, via }, '', href)
    notify(read('replace'))
  },
  back: (): void => history.back(),
}

/** Listens to Back, Forward and scrolling. Called once, at the start. */
export const watchAddress = (): void => {
  const began = entry
  history.scrollRestoration = 'manual'
  addEventListener('scroll', () => tops.set(entry.key, window.scrollY), { passive: true })
  addEventListener('pagehide', () => keep())
  addEventListener('popstate', () => {
    const next = read('pop')
    notify({ ...next, top: tops.get(next.key) ?? next.top })
  })
  // The scroll offset is not read from the window, which would force a layout. A navigation before
  // that saves it itself.
  whenIdle(() => {
    if (entry === began) keep(entry.top)
  })
}
