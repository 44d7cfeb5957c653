/**
 * Keeps the selected row of the navigation and its neighbors visible, without scrolling anything
 * else.
 */
import type { Via } from '../../browser/navigation.tsx'

interface Span {
  top: number
  height: number
}

/**
 * Pixels. A step is listed below its stage, so this keeps two rows visible on each side, which can
 * be clicked.
 */
const marginPx = 96
/** The list does not scroll until the pointer has rested in it for this long, in milliseconds. */
const idleMs = 2_000

/**
 * The scroll position nearest to the current one at which the row and `margin` around it are
 * visible.
 */
export const scrollTopToShow = (view: Span, row: Span, margin: number): number => {
  const from = row.top - margin
  const to = row.top + row.height + margin
  if (from < view.top) return Math.max(0, from)
  return to > view.top + view.height ? to - view.height : view.top
}

const inputEvents = ['wheel', 'pointermove', 'touchmove', 'keydown'] as const
const lastInput = new WeakMap<Element, number>()

/** The `ref` of the list: records the last input in it. */
export const watchInput = (list: HTMLElement | null): (() => void) | undefined => {
  if (!list) return undefined
  const done = new AbortController()
  const note = (): void => void lastInput.set(list, performance.now())
  for (const type of inputEvents) list.addEventListener(type, note, { passive: true, signal: done.signal })
  return () => done.abort()
}

const sinceInputMs = (list: Element): number => performance.now() - (lastInput.get(list) ?? -Infinity)

const scrollTo = (list: HTMLElement, row: HTMLElement, margin: number): void => {
  const top = row.getBoundingClientRect().top - list.getBoundingClientRect().top + list.scrollTop
  const height = row.offsetHeight
  const room = Math.max(0, (list.clientHeight - height) / 2)
  list.scrollTop = scrollTopToShow(
    { top: list.scrollTop, height: list.clientHeight },
    { top, height },
    Math.min(margin, room),
  )
}

/**
 * Returns the `ref` of the newly selected row. If it was selected by key or by a click elsewhere,
 * it scrolls into view at once. If it was clicked in the list, it is under the pointer and scrolls
 * only if it is partly hidden. While the page follows the build and the pointer is active in the
 * list, scrolling waits until the pointer rests.
 */
const scrollOffsetOf =
  (via: Via | undefined) =>
  (row: HTMLElement | null): (() => void) | undefined => {
    const list = row?.closest('nav')
    if (!row || !list) return undefined
    if (via !== 'follow') {
      scrollTo(list, row, via === 'press' && sinceInputMs(list) < idleMs ? 0 : marginPx)
      return undefined
    }
    let timer: ReturnType<typeof setTimeout> | undefined
    const go = (): void => {
      const left = idleMs - sinceInputMs(list)
      if (left > 0) timer = setTimeout(go, left)
      else scrollTo(list, row, marginPx)
    }
    go()
    return () => clearTimeout(timer)
  }

/** A stable function per direction: React calls a `ref` again when it changes. */
const refs = {
  follow: scrollOffsetOf('follow'),
  press: scrollOffsetOf('press'),
  key: scrollOffsetOf('key'),
  typed: scrollOffsetOf(undefined),
}

export const scrollRowIntoView = (via: Via | undefined) => refs[via ?? 'typed']
