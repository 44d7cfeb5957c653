import { useEffect, useRef } from 'react'

import { useAddress } from '../browser/navigation.tsx'
import { focusPage } from '../browser/page-focus.ts'
import { useStore } from '../browser/store.ts'
import { titleStore } from '../browser/use-title.ts'

/** One build's stages and steps are places on one page: whoever walks through them keeps the focus on the link. */
const pageOf = (pathname: string): string => /^\/[^/]+\/[^/]+\/\d+(?=\/|$)/.exec(pathname)?.[0] ?? pathname

/** A page that put the focus into its form has chosen better than we could; a dialog keeps it. */
const isChosen = (): boolean =>
  document.querySelector('dialog[open]') !== null ||
  document.activeElement?.matches('main :is(input, textarea, select, [data-focused-first])') === true

/** Newer browsers take words for the screen reader as they are; the others read what appears in a live region. */
const announcer: Document & { ariaNotify?: (words: string) => void } = document

/** No element has the focus, or the page as a whole, which has it while there is no heading. */
const isOpen = (): boolean => document.activeElement === document.body || document.activeElement?.id === 'main'

/**
 * After a change of the page the focus stands at its heading, and a screen reader hears its title: without a load nobody
 * else does that. Not at the first page, which the browser itself announces.
 */
export function PageFocus() {
  const page = pageOf(useAddress().pathname)
  // A page tells its title as soon as it is there; its address is a while ahead of it.
  const told = useStore(titleStore)
  const at = useRef({ page, told, moved: false })
  const words = useRef<HTMLParagraphElement>(null)

  useEffect(() => {
    const before = at.current
    if (before.told === told) return undefined
    const changed = before.page !== page && before.told.title !== ''
    at.current = { page, told, moved: before.moved || changed }
    if (!at.current.moved) return undefined
    if ((changed || isOpen()) && !isChosen()) focusPage()
    if (announcer.ariaNotify) {
      announcer.ariaNotify(told.title)
      return undefined
    }
    const live = words.current
    if (!live) return undefined
    live.textContent = told.title
    // Read by then; the words must not stand twice in the page.
    const clear = () => (live.textContent = '')
    const timer = setTimeout(clear, 1_000)
    return () => {
      clearTimeout(timer)
      clear()
    }
  }, [page, told])

  return <p ref={words} aria-live="polite" className="sr-only" />
}
