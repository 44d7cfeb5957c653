import { useEffect, useRef } from 'react'

import { useAddress } from '../browser/navigation.tsx'
import { focusPage } from '../browser/page-focus.ts'
import { useStore } from '../browser/store.ts'
import { titleStore } from '../browser/use-title.ts'

/** A build's stages and steps share one page: moving between them keeps the focus on the link. */
const pageOf = (pathname: string): string => /^\/[^/]+\/[^/]+\/\d+(?=\/|$)/.exec(pathname)?.[0] ?? pathname

/** A page that has focused its form, or a dialog, keeps the focus. */
const isChosen = (): boolean =>
  document.querySelector('dialog[open]') !== null ||
  document.activeElement?.matches('main :is(input, textarea, select, [data-focused-first])') === true

/** Newer browsers announce text directly; others announce what appears in a live region. */
const announcer: Document & { ariaNotify?: (words: string) => void } = document

/**
 * Nothing has the focus, or only the page as a whole, which is focused while there is no heading.
 */
const isOpen = (): boolean => document.activeElement === document.body || document.activeElement?.id === 'main'

/**
 * Moves focus to the heading after navigation, and announces the page title to screen readers:
 * without a page load, the browser does neither. Skipped for the first page, which the browser
 * announces.
 */
export function PageFocus() {
  const page = pageOf(useAddress().pathname)
  // A page sets its title when it renders, somewhat later than the URL changes.
  const titleState = useStore(titleStore)
  const at = useRef({ page, titleState, moved: false })
  const words = useRef<HTMLParagraphElement>(null)

  useEffect(() => {
    const before = at.current
    if (before.titleState === titleState) return undefined
    const changed = before.page !== page && before.titleState.title !== ''
    at.current = { page, titleState, moved: before.moved || changed }
    if (!at.current.moved) return undefined
    if ((changed || isOpen()) && !isChosen()) focusPage()
    if (announcer.ariaNotify) {
      announcer.ariaNotify(titleState.title)
      return undefined
    }
    const live = words.current
    if (!live) return undefined
    live.textContent = titleState.title
    // Announced by then; the text must not stay in the page twice.
    const clear = () => (live.textContent = '')
    const timer = setTimeout(clear, 1_000)
    return () => {
      clearTimeout(timer)
      clear()
    }
  }, [page, titleState])

  return <p ref={words} aria-live="polite" className="sr-only" />
}
