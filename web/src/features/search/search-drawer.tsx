import { ArrowLeft } from 'lucide-react'
import { Suspense, useLayoutEffect, useRef, useState } from 'react'

import { cx } from '../../ui/class-names.ts'
import { ErrorBoundary } from '../../ui/error-boundary.tsx'
import { inputClass } from '../../ui/field.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { LoadingText } from '../../ui/skeleton.tsx'
import { lazyPart } from '../../browser/lazy-part.tsx'
import { focusPage } from '../../browser/page-focus.ts'
import { useRootAttribute } from '../../browser/root-attribute.ts'
import { useListeners } from '../../browser/use-listeners.ts'

const SearchFound = lazyPart(async () => (await import('./search-found.tsx')).SearchFound)

/**
 * Specification §2, "Search drawer". Closing takes 200 ms; the parent keeps it mounted that long.
 * Its input is in the first load and is focused within the click that opens it, so that no key
 * press is lost. The results are loaded later.
 */
export function SearchDrawer({ open, onClose }: { open: boolean; onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const field = useRef<HTMLInputElement>(null)
  const [query, setQuery] = useState('')
  const bufferedKeys = useRef<string[]>([])
  useRootAttribute('data-under-overlay')

  useLayoutEffect(() => {
    const element = dialog.current
    const before = document.activeElement
    const openedOn = location.pathname
    element?.showModal()
    // The browser would focus the back button, but the drawer is opened to type.
    field.current?.focus()
    return () => {
      element?.close()
      const stayed = location.pathname === openedOn
      if (stayed && before instanceof HTMLElement && before.isConnected) before.focus()
      else focusPage()
    }
  }, [])

  // A click outside of the drawer. Right after opening, the browser does not dispatch it to the
  // dialog's backdrop yet.
  const mousedown = (event: MouseEvent) => {
    const { target } = event
    const isInside = target instanceof Element && target.closest('dialog') && target !== dialog.current
    // The second click of a double click on the opening button leaves it open, and the focus in
    // place.
    if (event.detail > 1 && target !== field.current) event.preventDefault()
    else if (!isInside) onClose()
  }
  useListeners('window', { mousedown })

  return (
    <dialog
      ref={dialog}
      aria-label="Search"
      // While the drawer closes, the page's keyboard shortcuts already work again (use-keys.ts).
      data-page={!open || undefined}
      className={cx(
        'm-0 h-dvh max-h-none w-120 max-w-full animate-slide-in flex-col border-r border-line bg-surface p-0 shadow-overlay transition-[translate,opacity] duration-200 ease-out open:flex backdrop:transition-opacity backdrop:duration-200 md:ml-14 md:max-w-[calc(100vw-3.5rem)]',
        !open && '-translate-x-full opacity-0 backdrop:opacity-0',
      )}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      // A second Escape in a row closes a dialog without an event to cancel, so it closes in the
      // same way.
      onClose={onClose}
    >
      <div className="flex items-center gap-2 border-b border-line p-3">
        <IconButton label="Back" onClick={onClose}>
          <ArrowLeft className="size-4" aria-hidden="true" />
        </IconButton>
        <input
          ref={field}
          type="text"
          aria-label="Search"
          placeholder="Search repositories, branches and builds"
          autoComplete="off"
          value={query}
          className={inputClass}
          onChange={(event) => {
            bufferedKeys.current = []
            setQuery(event.target.value)
          }}
          onKeyDown={(event) => {
            const { key } = event
            // Ignores repeats of the key that opened it; a key pressed here would have left text in
            // the field.
            if (event.repeat && !query && key !== 'Tab') event.preventDefault()
            else if (!event.nativeEvent.isComposing) bufferedKeys.current.push(key)
          }}
        />
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto p-2">
        <ErrorBoundary region="Search">
          <Suspense fallback={<LoadingText />}>
            <SearchFound typed={query} bufferedKeys={bufferedKeys} />
          </Suspense>
        </ErrorBoundary>
      </div>
    </dialog>
  )
}
