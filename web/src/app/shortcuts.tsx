import { Suspense, useRef, useState } from 'react'

import { useMe } from '../api/session.ts'
import { paths } from '../lib/paths.ts'
import { Dialog } from '../ui/dialog.tsx'
import { ErrorBoundary } from '../ui/error-boundary.tsx'
import { lazyPart } from '../browser/lazy-part.tsx'
import { useNavigation } from '../browser/navigation.tsx'
import { useKeys } from '../browser/use-keys.ts'
import { focusRow } from './row-focus.ts'
import { openSearch } from './search-drawer-state.ts'

const ShortcutList = lazyPart(async () => (await import('./shortcut-list.tsx')).ShortcutList)

const places: Record<string, string> = { h: paths.home, b: paths.feed, a: paths.account }

/** The keys that work on every page, and the list of all keys (design.md, rule 5). */
export function Shortcuts() {
  const [listed, setListed] = useState(false)
  const { navigate } = useNavigation()
  const signedIn = useMe() !== undefined
  const going = useRef(false)
  useKeys((key, event) => {
    const place = going.current ? places[key] : undefined
    going.current = key === 'g'
    if (key === '?') setListed(true)
    else if (!signedIn) return
    else if (place) navigate(place)
    else if (key === 'j' || key === 'k') focusRow(key === 'j' ? 1 : -1)
    else if (key === '/') {
      event.preventDefault()
      openSearch()
    }
  })

  return (
    <Dialog open={listed} onClose={() => setListed(false)} title="Keyboard shortcuts">
      <ErrorBoundary region="The list" resetKey="">
        <Suspense fallback={null}>
          <ShortcutList />
        </Suspense>
      </ErrorBoundary>
    </Dialog>
  )
}
