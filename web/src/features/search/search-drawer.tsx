import { useQuery } from '@tanstack/react-query'
import { ArrowLeft } from 'lucide-react'
import { useDeferredValue, useEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react'

import { reposQuery } from '../../api/queries.ts'
import { failedRead } from '../../api/query-client.ts'
import { searchRepos, sortRepos } from '../../lib/repo-list.ts'
import { cx } from '../../ui/class-names.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { inputClass } from '../../ui/field.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { focusPage } from '../../browser/page-focus.ts'
import { useRootAttribute } from '../../browser/root-attribute.ts'
import { useListeners } from '../../browser/use-listeners.ts'
import { loadedBuilds } from './loaded-builds.ts'
import { searchLoaded } from './loaded.ts'
import { SearchResults, SearchSkeleton } from './search-results.tsx'

/** Arrow keys walk over the field and the results. */
const walk = (event: KeyboardEvent<HTMLElement>): void => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step === undefined) return
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('input, li a')]
  const next = stops[stops.findIndex((stop) => stop === document.activeElement) + step]
  if (!next) return
  event.preventDefault()
  next.focus()
}

function Found({ query }: { query: string }) {
  const { data, error, refetch, isFetching } = useQuery(reposQuery())
  const sorted = useMemo(() => data && sortRepos(data), [data])
  const found = useMemo(() => sorted && searchRepos(sorted, query), [sorted, query])
  const loaded = useMemo(() => searchLoaded(loadedBuilds(), query), [query])
  if (found) return <SearchResults query={query.trim()} found={found} loaded={loaded} />
  if (!error) return <SearchSkeleton />
  return <ErrorState {...failedRead('The repositories', { error, isFetching, refetch })} />
}

/** Specification §2, "Search drawer". Leaving takes 200 ms; whoever opens it keeps it in the page that long. */
export function SearchDrawer({ open, onClose }: { open: boolean; onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const field = useRef<HTMLInputElement>(null)
  const [query, setQuery] = useState('')
  const wanted = useDeferredValue(query)
  useRootAttribute('data-under-overlay')

  useEffect(() => {
    const element = dialog.current
    const before = document.activeElement
    const openedOn = location.pathname
    element?.showModal()
    // The browser would choose the way back; the drawer was opened to type into.
    field.current?.focus()
    return () => {
      element?.close()
      const stayed = location.pathname === openedOn
      if (stayed && before instanceof HTMLElement && before.isConnected) before.focus()
      else focusPage()
    }
  }, [])

  // A press beside the drawer. Right after opening the browser does not yet give such a press to the dialog's backdrop.
  const onPress = ({ target }: PointerEvent) => {
    const isInside = target !== dialog.current && target instanceof Node && dialog.current?.contains(target)
    if (!isInside) onClose()
  }
  useListeners('window', { pointerdown: onPress }, { on: open })

  return (
    <dialog
      ref={dialog}
      aria-label="Search"
      className={cx(
        'm-0 h-dvh max-h-none w-120 max-w-full animate-slide-in flex-col border-r border-line bg-surface p-0 shadow-overlay transition-[translate,opacity] duration-200 ease-out open:flex backdrop:transition-opacity backdrop:duration-200 md:ml-14 md:max-w-[calc(100vw-3.5rem)]',
        !open && '-translate-x-full opacity-0 backdrop:opacity-0',
      )}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      // The second Escape in a row closes a dialog without asking: it leaves like the first.
      onClose={onClose}
    >
      <div role="presentation" className="contents" onKeyDown={walk}>
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
            onChange={(event) => setQuery(event.target.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter') dialog.current?.querySelector<HTMLElement>('li a')?.click()
            }}
          />
        </div>
        <div className="min-h-0 flex-1 overflow-y-auto p-2">
          <Found query={wanted} />
        </div>
      </div>
    </dialog>
  )
}
